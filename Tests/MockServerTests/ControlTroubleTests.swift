import ConversationEngine
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Troubles over HTTP", .timeLimit(.minutes(5)))
struct ControlTroubleTests {
    @Test("An armed trouble strikes, and taking it away lets out what its stall held")
    func stall() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            let armed = try await control.post(
                "troubles", #"{"name":"doors","at":"any event","do":{"stall":"forever"},"by":"Marta"}"#)
            let id = try #require(armed["troubles", 0, "id"]?.integer)
            #expect(armed["troubles", 0, "scope"]?.string == "all")
            #expect(armed["troubles", 0, "strikes"]?.integer == 0)
            talk.say("Hello")
            let row = try await control.get("wait?filter=kind:fault")
            #expect(row["rows", 0, "type"]?.string == "doors")
            let shown = try await control.get("troubles")
            #expect(shown["troubles", 0, "strikes"]?.integer == 1)
            #expect(shown["troubles", 0, "by"]?.string == "Marta")
            #expect(armed["troubles", 0, "lastStrike"] == .null)
            #expect(shown["troubles", 0, "lastStrike", "row"] == row["rows", 0, "n"])
            #expect(shown["troubles", 0, "lastStrike", "session"] == row["rows", 0, "session"])
            #expect(try await control.get("sessions/last")["troubles", 0, "id"]?.integer == id)
            #expect(talk.rest().isEmpty)
            #expect(try await control.delete("troubles/\(id)")["removed"]?.integer == 1)
            #expect(try await talk.next().type == "USER_MESSAGE")
            let again = try await control.delete("troubles/\(id)")
            #expect(again.status == 404)
            #expect(again.message.contains("none is in force"))
        }
    }

    @Test("All moments and effects are told, and each effect can be armed at its moments")
    func guide() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let told = try await control.get("troubles")
            #expect(told.count("moments") == Trouble.Moment.Kind.allCases.count)
            #expect(told.count("effects") == Trouble.Effect.Kind.allCases.count)
            #expect(told["moments"]?.array?.contains { $0["at"]?.string == "reply N chunk M" } == true)
            let refuse = told["effects"]?.array?.first { $0["do"]?.string == "refuse" }
            let moments = refuse?["moments"]?.array?.compactMap(\.string) ?? []
            #expect(moments.contains("token") && !moments.contains("reply N"))
            for moment in moments {
                let at = moment.split(separator: " ").map { $0 == "N" ? "1" : String($0) }
                let body = #"{"at":"\#(at.joined(separator: " "))","do":{"refuse":429}}"#
                #expect(try await control.post("troubles", body).status == 200, "\(moment)")
            }
        }
    }

    @Test("The name of a profile arms its troubles; that of a fixture's trouble arms that one")
    func names() async throws {
        let troubles = #"troubles: { lost: { at: "reply 2", do: { lose: "event" } } },"#
        try await World.run {
            $0.fixtureText = fixture("", rest: troubles)
        } _: { world in
            let control = try await ControlClient(world)
            let tunnel = try await control.post("troubles", #"{"name":"tunnel","tag":"checkout"}"#)
            #expect(tunnel.count("troubles") == 2)
            #expect(tunnel["troubles", 0, "scope"]?.string == "tag:checkout")
            let lost = try await control.post("troubles", #"{"name":"lost"}"#)
            #expect(lost["troubles", 0, "at"]?.string == "reply 2")
            #expect(lost["troubles", 0, "do", "lose"]?.string == "event")
            #expect(try await control.get("troubles").count("troubles") == 3)
            let missing = try await control.post("troubles", #"{"name":"tunel"}"#)
            #expect(missing.status == 404)
            #expect(missing.message.contains("did you mean \"tunnel\"?"))
            #expect(
                try await control.post("troubles", #"{"name":"tunnel","fixture":"bokking"}"#).status == 404)
            #expect(try await control.delete("troubles")["removed"]?.integer == 3)
        }
    }

    @Test("What a trouble does may be a text in the words of fixtures, with all that stands beside it")
    func fixtureWords() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            for words in ["drop: 'connection'", "{ drop: 'connection', }", "drop: 'connection' // once"] {
                let body: JSONValue = .object([
                    "name": .string("mine"), "at": .string("reply 2"), "do": .string(words),
                    "times": .integer(2), "chance": .string("50%"), "tag": .string("checkout"),
                ])
                let armed = try await control.post(
                    "troubles", String(decoding: JSONWriter.bytes(body), as: UTF8.self))
                #expect(armed.status == 200, "\(armed.message)")
                #expect(armed["troubles", 0, "do", "drop"]?.string == "connection")
                #expect(armed["troubles", 0, "name"]?.string == "mine")
                #expect(armed["troubles", 0, "times"]?.integer == 2)
                #expect(armed["troubles", 0, "chance"] == .double(0.5))
                #expect(armed["troubles", 0, "scope"]?.string == "tag:checkout")
            }
            let misspelt = try await control.post("troubles", #"{"at":"reply 2","do":"dorp: 'connection'"}"#)
            #expect(misspelt.status == 400)
            #expect(misspelt.message.contains("\"drop\""), "\(misspelt.message)")
            #expect(try await control.post("troubles", #"{"at":"reply 2","do":""}"#).status == 400)
            let quote = #"{"at":"reply \"2","do":"close: 1011"}"#
            #expect(try await control.post("troubles", quote).status == 400)
        }
    }

    @Test(
        "What is told of a trouble can be sent back as it is",
        arguments: [
            ("reply 2 chunk 3", #"{"close":1012}"#), ("token", #"{"refuse":429,"retryAfter":"2s"}"#),
            ("handshake 2", #"{"refuse":503}"#), ("connect 1", #"{"drop":"connection"}"#),
            ("user message 1", #"{"agentError":"high load"}"#),
            ("queue update 1", #"{"handoff":"times out"}"#),
            ("person joins", #"{"repeat":"event"}"#), ("heartbeat 3", #"{"stall":"1.5s"}"#),
            ("any event", #"{"garble":"bad JSON"}"#), ("session", #"{"delay":"700ms"}"#),
            ("reply 1", #"{"swap":"event"}"#), ("any event", #"{"stall":"forever"}"#),
        ])
    func words(_ at: String, _ effect: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let body = #"{"at":"\#(at)","do":\#(effect),"times":2,"chance":0.5}"#
            let armed = try await control.post("troubles", body)
            #expect(armed.status == 200, "\(armed.message)")
            #expect(armed["troubles", 0, "at"]?.string == at)
            let sent = try JSONReader.read(Array(effect.utf8))
            #expect(armed["troubles", 0, "do"] == sent)
            #expect(armed["troubles", 0, "times"]?.integer == 2)
            #expect(armed["troubles", 0, "chance"] == .double(0.5))
        }
    }

    @Test(
        "A trouble that cannot be is refused with the way to mend it",
        arguments: [
            (#"{}"#, 400, "\"name\" is missing"),
            (#"{"at":"replay 2","do":{"drop":"connection"}}"#, 400, "reply 1"),
            (#"{"at":"reply 2"}"#, 400, "\"do\""),
            (#"{"name":"tunnel","tag":"a","session":"last"}"#, 400, "one scope"),
            (#"{"name":"tunnel","connection":99}"#, 404, "no connection 99"),
            (#"{"name":"tunnel","session":"x"}"#, 404, "no session"),
            (#"{"name":"tunnel","when":"now"}"#, 400, "\"when\" is not known here"),
            (#"{"name":"tunnel","tag":""}"#, 400, "\"tag\" is empty"),
            (#"{"name":"lift","session":""}"#, 400, "\"session\" is empty"),
        ])
    func refusals(_ body: String, _ status: Int, _ sentence: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let refused = try await control.post("troubles", body)
            #expect(refused.status == status)
            #expect(refused.message.contains(sentence), "\(refused.message)")
            #expect(try await control.get("troubles").count("troubles") == 0)
        }
    }

    @Test(
        "What is before a session or a connection cannot be armed for one",
        arguments: [
            (#""at":"token","do":{"refuse":429},"session":"last""#, "\"token\" is before there is a session"),
            (#""at":"session","do":{"refuse":503},"session":"last""#, "arm it for a \"tag\", or for all"),
            (#""at":"token","do":{"refuse":429},"connection":N"#, "before there is a connection"),
            (#""at":"handshake 1","do":{"refuse":429},"connection":N"#, "before there is a connection"),
            (
                #""at":"request SendMessage 1","do":{"refuse":429},"connection":N"#,
                "before there is a connection"
            ),
            (#""at":"connect 1","do":{"drop":"connection"},"connection":N"#, "before there is a connection"),
        ])
    func tooEarly(_ words: String, _ sentence: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let socket = try #require(
                try await control.get("sessions/last")["sockets", 0, "connection"]?.integer)
            let body = "{" + words.replacing("N", with: "\(socket)") + "}"
            let refused = try await control.post("troubles", body)
            #expect(refused.status == 400)
            #expect(refused.message.contains(sentence), "\(refused.message)")
            // A profile has more than what is too early.
            let profile = try await control.post("troubles", #"{"name":"bad-deploy","session":"last"}"#)
            #expect(profile.status == 200)
        }
    }

    @Test("A trouble of one connection leaves the others alone")
    func connection() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.event("POLY_AGENT_MESSAGE")
            let rows = try await control.get("wire?filter=kind:ws%20dir:out")
            let socket = try #require(rows["rows", 0, "socket"]?.integer)
            let armed = try await control.post(
                "troubles", #"{"at":"any event","do":{"drop":"connection"},"connection":\#(socket)}"#)
            #expect(armed["troubles", 0, "scope"]?.string == "connection:\(socket)")
            _ = try await control.post("sessions/last/events", #"{"as":"agent","text":"Hi"}"#)
            #expect(try await first.closeCode == 1006)
            #expect(try await second.event("POLY_AGENT_MESSAGE").text == "Hi")
        }
    }
}
