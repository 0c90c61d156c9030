import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Faults over HTTP", .timeLimit(.minutes(5)))
struct ControlFaultTests {
    @Test("An added fault fires, and taking it away lets out what its stall held")
    func stall() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            let added = try await control.post(
                "faults", #"{"name":"doors","at":"any event","do":{"stall":"forever"},"by":"Marta"}"#)
            let id = try #require(added["faults", 0, "id"]?.integer)
            expectEqual(added["faults", 0, "scope"]?.string, "all")
            expectEqual(added["faults", 0, "fired"]?.integer, 0)
            talk.say("Hello")
            let row = try await control.get("wait?filter=kind:fault")
            expectEqual(row["rows", 0, "type"]?.string, "doors")
            let shown = try await control.get("faults")
            expectEqual(shown["faults", 0, "fired"]?.integer, 1)
            expectEqual(shown["faults", 0, "by"]?.string, "Marta")
            // The former name of the route is answered as the one of now.
            let former = try await world.client.request("GET", "/_mock/troubles")
            #expect(former.text.contains(#""troubles":["#) && former.text.contains(#""strikes":1"#))
            #expect(former.status == 200 && former.text.contains(#""id":\#(id),"#))
            expectEqual(added["faults", 0, "lastFired"], .null)
            expectEqual(shown["faults", 0, "lastFired", "row"], row["rows", 0, "n"])
            expectEqual(shown["faults", 0, "lastFired", "session"], row["rows", 0, "session"])
            try await expectEqual(control.get("sessions/last")["faults", 0, "id"]?.integer, id)
            #expect(talk.rest().isEmpty)
            try await expectEqual(control.delete("faults/\(id)")["removed"]?.integer, 1)
            try await expectEqual(talk.next().type, "USER_MESSAGE")
            let again = try await control.delete("faults/\(id)")
            expectEqual(again.status, 404)
            #expect(again.message.contains("none is in force"))
        }
    }

    @Test("All moments and effects are told, and each effect can be added at its moments")
    func guide() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let told = try await control.get("faults")
            expectEqual(told.count("moments"), Fault.Moment.Kind.allCases.count)
            expectEqual(told.count("effects"), Fault.Effect.Kind.allCases.count)
            expectEqual(told["moments"]?.array?.contains { $0["at"]?.string == "reply N chunk M" }, true)
            let refuse = told["effects"]?.array?.first { $0["do"]?.string == "refuse" }
            let moments = refuse?["moments"]?.array?.compactMap(\.string) ?? []
            #expect(moments.contains("token") && !moments.contains("reply N"))
            for moment in moments {
                let at = moment.split(separator: " ").map { $0 == "N" ? "1" : String($0) }
                let body = #"{"at":"\#(at.joined(separator: " "))","do":{"refuse":429}}"#
                try await expectEqual(control.post("faults", body).status, 200, "\(moment)")
            }
        }
    }

    @Test("The name of a preset adds its faults; that of a fixture's fault adds that one")
    func names() async throws {
        let faults = #"faults: { lost: { at: "reply 2", do: { lose: "event" } } },"#
        try await World.run {
            $0.fixtureText = fixture("", rest: faults)
        } _: { world in
            let control = try await ControlClient(world)
            let own = try await control.get("faults")["fixture", "faults"]
            expectEqual(own?.array?.compactMap(\.string), ["lost"])
            let tunnel = try await control.post("faults", #"{"name":"tunnel","tag":"checkout"}"#)
            expectEqual(tunnel.count("faults"), 2)
            expectEqual(tunnel["faults", 0, "scope"]?.string, "tag:checkout")
            let lost = try await control.post("faults", #"{"name":"lost"}"#)
            expectEqual(lost["faults", 0, "at"]?.string, "reply 2")
            expectEqual(lost["faults", 0, "do", "lose"]?.string, "event")
            try await expectEqual(control.get("faults").count("faults"), 3)
            let missing = try await control.post("faults", #"{"name":"tunel"}"#)
            expectEqual(missing.status, 404)
            #expect(missing.message.contains("did you mean \"tunnel\"?"))
            try await expectEqual(
                control.post("faults", #"{"name":"tunnel","fixture":"bokking"}"#).status, 404)
            try await expectEqual(control.delete("faults/tunnel")["removed"]?.integer, 2)
            #expect(try await control.delete("faults/tunnel").message.contains("in force are 3 (lost)"))
            try await expectEqual(control.delete("faults")["removed"]?.integer, 1)
        }
    }

    @Test("What a fault does may be a text in the words of fixtures, with all that stands beside it")
    func fixtureWords() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            for words in ["drop: 'connection'", "{ drop: 'connection', }", "drop: 'connection' // once"] {
                let body: JSONValue = .object([
                    "name": .string("mine"), "at": .string("reply 2"), "do": .string(words),
                    "times": .integer(2), "chance": .string("50%"), "tag": .string("checkout"),
                ])
                let added = try await control.post(
                    "faults", String(decoding: JSONWriter.bytes(body), as: UTF8.self))
                expectEqual(added.status, 200, "\(added.message)")
                expectEqual(added["faults", 0, "do", "drop"]?.string, "connection")
                expectEqual(added["faults", 0, "name"]?.string, "mine")
                expectEqual(added["faults", 0, "times"]?.integer, 2)
                expectEqual(added["faults", 0, "chance"], .double(0.5))
                expectEqual(added["faults", 0, "scope"]?.string, "tag:checkout")
            }
            let misspelt = try await control.post("faults", #"{"at":"reply 2","do":"dorp: 'connection'"}"#)
            expectEqual(misspelt.status, 400)
            #expect(misspelt.message.contains("\"drop\""), "\(misspelt.message)")
            try await expectEqual(control.post("faults", #"{"at":"reply 2","do":""}"#).status, 400)
            let quote = #"{"at":"reply \"2","do":"close: 1011"}"#
            try await expectEqual(control.post("faults", quote).status, 400)
        }
    }

    @Test(
        "What is told of a fault can be sent back as it is",
        arguments: [
            ("reply 2 chunk 3", #"{"close":1012}"#), ("token", #"{"refuse":429,"retryAfter":"2s"}"#),
            ("handshake 2", #"{"refuse":503}"#), ("connect 1", #"{"drop":"connection"}"#),
            ("user message 1", #"{"agentError":"high load"}"#),
            ("queue update 1", #"{"handoff":"times out"}"#),
            ("live agent joins", #"{"repeat":"event"}"#), ("heartbeat 3", #"{"stall":"1.5s"}"#),
            ("any event", #"{"garble":"bad JSON"}"#), ("session", #"{"delay":"700ms"}"#),
            ("reply 1", #"{"swap":"event"}"#), ("any event", #"{"stall":"forever"}"#),
        ] as [(String, String)])
    func words(_ at: String, _ effect: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let body = #"{"at":"\#(at)","do":\#(effect),"times":2,"chance":0.5}"#
            let added = try await control.post("faults", body)
            expectEqual(added.status, 200, "\(added.message)")
            expectEqual(added["faults", 0, "at"]?.string, at)
            let sent = try JSONReader.read(Array(effect.utf8))
            expectEqual(added["faults", 0, "do"], sent)
            expectEqual(added["faults", 0, "times"]?.integer, 2)
            expectEqual(added["faults", 0, "chance"], .double(0.5))
        }
    }

    @Test(
        "A fault that cannot be is refused with the way to mend it",
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
        ] as [(String, Int, String)])
    func refusals(_ body: String, _ status: Int, _ sentence: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let refused = try await control.post("faults", body)
            expectEqual(refused.status, status)
            #expect(refused.message.contains(sentence), "\(refused.message)")
            try await expectEqual(control.get("faults").count("faults"), 0)
        }
    }

    @Test(
        "What is before a session or a connection cannot be added for one",
        arguments: [
            (#""at":"token","do":{"refuse":429},"session":"last""#, "\"token\" is before there is a session"),
            (#""at":"session","do":{"refuse":503},"session":"last""#, "add it for a \"tag\", or for all"),
            (#""at":"token","do":{"refuse":429},"connection":N"#, "before there is a connection"),
            (#""at":"handshake 1","do":{"refuse":429},"connection":N"#, "before there is a connection"),
            (
                #""at":"request SendMessage 1","do":{"refuse":429},"connection":N"#,
                "before there is a connection"
            ),
            (#""at":"connect 1","do":{"drop":"connection"},"connection":N"#, "before there is a connection"),
        ] as [(String, String)])
    func tooEarly(_ words: String, _ sentence: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.greeted()
            let socket = try #require(
                try await control.get("sessions/last")["sockets", 0, "connection"]?.integer)
            let body = "{" + words.replacing("N", with: "\(socket)") + "}"
            let refused = try await control.post("faults", body)
            expectEqual(refused.status, 400)
            #expect(refused.message.contains(sentence), "\(refused.message)")
            // A preset has more than what is too early.
            let preset = try await control.post("faults", #"{"name":"bad-deploy","session":"last"}"#)
            expectEqual(preset.status, 200)
        }
    }

    @Test("A fault of one connection leaves the others alone")
    func connection() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.event("POLY_AGENT_MESSAGE")
            let rows = try await control.get("wire?filter=kind:ws%20dir:out")
            let socket = try #require(rows["rows", 0, "socket"]?.integer)
            let added = try await control.post(
                "faults", #"{"at":"any event","do":{"drop":"connection"},"connection":\#(socket)}"#)
            expectEqual(added["faults", 0, "scope"]?.string, "connection:\(socket)")
            _ = try await control.post("sessions/last/events", #"{"as":"agent","text":"Hi"}"#)
            try await expectEqual(first.closeCode, 1006)
            try await expectEqual(second.event("POLY_AGENT_MESSAGE").text, "Hi")
        }
    }
}
