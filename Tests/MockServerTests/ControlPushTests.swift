import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Pushing and taking over, over HTTP", .timeLimit(.minutes(5)))
struct ControlPushTests {
    @Test("A push reaches both connections of a session and is journalled with who pushed it")
    func push() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.event("POLY_AGENT_MESSAGE")
            let pushed = try await control.post(
                "sessions/last/events",
                #"""
                {"as":"agent","by":"Marta","text":"Shall I?","suggestions":["Yes",{"text":"No","payload":"n"}],
                 "attachments":[{"link":"https://a.example","title":"A"}],
                 "calls":[{"title":"Call","number":"+44"}]}
                """#)
            expectEqual(pushed["connections"]?.integer, 2)
            let sequence = try #require(pushed["sequences", 0]?.integer)
            let heard = [
                try await first.event("POLY_AGENT_MESSAGE"), try await second.event("POLY_AGENT_MESSAGE"),
            ]
            for event in heard {
                expectEqual(event.text, "Shall I?")
                expectEqual(event.sequence, sequence)
            }
            expectEqual(heard[0].json, heard[1].json)
            let entry = try await control.get("sessions/last/journal?after=\(sequence - 1)")["entries", 0]
            #expect(entry?["author"]?.string == "pushed")
            #expect(entry?["by"]?.string == "Marta")
            #expect(entry?["event"] == heard[0].json)
        }
    }

    /// extensions.md#event-ext-message-changed
    @Test("A change reaches the client of a session with changes; any other is refused with its reason")
    func changes() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted(extensions: ["changes"])
            let changed = try await control.post(
                "sessions/last/changes", #"{"message":"last","by":"Marta","text":"Welcome back."}"#)
            let event = try await talk.event("EXT_MESSAGE_CHANGED")
            expectEqual(event.sequence, changed["sequences", 0]?.integer)
            expectEqual(event.payload["by"]?.string, "agent")
            #expect(event.payload["change"]?["text"]?.string == "Welcome back.")
            let id = try #require(event.payload["message_id"]?.string)
            let user = #"{"as":"user","message":"\#(id)","reaction":"👍""#
            _ = try await control.post("sessions/last/changes", user + "}")
            try await expectEqual(talk.event("EXT_MESSAGE_CHANGED").payload["by"]?.string, "user")
            // The reaction is there.
            try await expectEqual(control.post("sessions/last/changes", user + "}").count("sequences"), 0)
            _ = try await control.post("sessions/last/changes", user + #","on":false}"#)
            let off = try await talk.event("EXT_MESSAGE_CHANGED").payload["change"]
            #expect(off?["on"]?.bool == false)
            _ = try await control.post("sessions/last/changes", #"{"deleted":true}"#)
            #expect(try await talk.event("EXT_MESSAGE_CHANGED").payload["change"]?["deleted"]?.bool == true)
            for (body, status, words) in [
                (#"{"deleted":true}"#, 409, "the message was withdrawn"),
                (#"{"message":"m-9","deleted":true}"#, 409, "no message has this id"),
                (#"{"as":"user","message":"\#(id)","text":"x"}"#, 409, "was withdrawn"),
                (#"{"text":"a","deleted":true}"#, 400, "one of"), ("{}", 400, "one of"),
                (#"{"text":"a","on":true}"#, 400, "one of"), (#"{"words":"a"}"#, 400, "is not known here"),
            ] as [(String, Int, String)] {
                let refused = try await control.post("sessions/last/changes", body)
                #expect(refused.status == status && refused.message.contains(words), "\(refused.message)")
            }
            _ = try await world.greeted()
            let refused = try await control.post("sessions/last/changes", #"{"deleted":true}"#)
            #expect(refused.status == 409 && refused.message.contains("did not ask for changes"))
        }
    }

    @Test("In a session that streams, a push comes as one complete chunk")
    func streamed() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted(streaming: true)
            _ = try await control.post("sessions/last/events", #"{"as":"agent","text":"Hello"}"#)
            let chunk = try await talk.event("POLY_AGENT_MESSAGE_CHUNK")
            expectEqual(chunk.payload["is_complete"]?.bool, true)
        }
    }

    @Test("A live agent's words, any event, and exact text can be pushed; the latter is not journalled")
    func kinds() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            _ = try await control.post(
                "sessions/last/events", #"{"as":"live-agent","by":"Marta","text":"Hi"}"#)
            let person = try await talk.event("LIVE_AGENT_MESSAGE")
            expectEqual(person.text, "Hi")
            let raw = try await control.post(
                "sessions/last/events", #"{"as":"raw","type":"EVENT_TYPE_NEW_THING","payload":{"a":1}}"#)
            expectEqual(raw.count("sequences"), 1)
            try await expectEqual(talk.event("NEW_THING").payload["a"]?.integer, 1)
            let before = try await control.get("sessions/last/journal")["last"]
            let frame = try await control.post("sessions/last/events", #"{"as":"raw","frame":"not { JSON"}"#)
            expectEqual(frame["sequences"], .array([]))
            try await expectEqual(talk.next().json, .string("not { JSON"))
            try await expectEqual(control.get("sessions/last/journal")["last"], before)
        }
    }

    @Test(
        "What is said for a client has a row, which is the cause of what comes of it; a frame says who sent it"
    )
    func rowsOfPushes() async throws {
        try await World.run {
            $0.fixtureText = fixture(#"{ name: "book", hears: ["book"], replies: [ { say: "Booked." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            _ = try await control.post("sessions/last/events", #"{"as":"user","text":"book","by":"Marta"}"#)
            try await talk.event("USER_MESSAGE")
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            let rows = try await control.get("wire?filter=session:\(session.id)")["rows"]?.array ?? []
            let said = try #require(
                rows.last { $0["dir"]?.string == "in" && $0["type"]?.string == "USER_MESSAGE" })
            #expect(said["by"]?.string == "Marta" && said["raw"]?.string?.contains("book") == true)
            for (type, direction) in [
                ("USER_MESSAGE", "out"), ("book", "int"), ("POLY_AGENT_MESSAGE", "out"),
            ] {
                let row = rows.last { $0["type"]?.string == type && $0["dir"]?.string == direction }
                #expect(row?["cause"] == said["n"], "\(type)")
            }
            _ = try await control.post("sessions/last/events", #"{"as":"raw","frame":"x","by":"Marta"}"#)
            try await expectEqual(control.get("wire?filter=type:FRAME")["rows", 0, "by"]?.string, "Marta")
            for more in [#""type":"NEW""#, #""payload":{}"#] {
                let refused = try await control.post(
                    "sessions/last/events", #"{"as":"raw","frame":"x",\#(more)}"#)
                #expect(refused.status == 400 && refused.message.contains("is the whole text"))
            }
        }
    }

    @Test("What a client said before is not overtaken by what the controls say for it, nor lost by an end")
    func spokenBehindDelays() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.replies.echoDelay = .milliseconds(500)
        } _: { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            talk.say("first")
            try await talk.settle()
            _ = try await control.post("sessions/last/events", #"{"as":"user","text":"second"}"#)
            try await expectEqual(talk.event("USER_MESSAGE").text, "first")
            try await expectEqual(talk.event("USER_MESSAGE").text, "second")
            talk.say("last")
            try await talk.settle()
            _ = try await control.post("sessions/last/events", #"{"as":"user","type":"USER_END_SESSION"}"#)
            try await expectEqual(talk.event("USER_MESSAGE").text, "last")
            try await talk.event("SESSION_END")
        }
    }

    @Test("Words of the user are echoed to all, answered by the script, and break no protocol rule")
    func asUser() async throws {
        try await World.run {
            $0.fixtureText = fixture(#"{ hears: ["book"], replies: [ { say: "Booked." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (session, first) = try await world.greeted()
            let second = try await world.client.connect(session)
            try await second.event("POLY_AGENT_MESSAGE")
            let said = try await control.post(
                "sessions/last/events", #"{"as":"user","by":"Marta","text":"book"}"#)
            #expect(said["connections"]?.integer == 2 && said.count("sequences") == 1)
            let sequence = try #require(said["sequences", 0]?.integer)
            for talk in [first, second] {
                let echo = try await talk.event("USER_MESSAGE")
                #expect(echo.text == "book" && echo.sequence == sequence)
            }
            try await expectEqual(world.reply(first).last?.text, "Booked.")
            let entries = try await control.get("sessions/last/journal?after=\(sequence - 1)")
            expectEqual(entries["entries", 0, "by"]?.string, "Marta")
            let answer = entries["entries"]?.array?.last
            #expect(
                answer?["author"]?.string == "script"
                    && answer?["event"]?["payload"]?["text"]?.string == "Booked.")
            try await expectEqual(control.get("violations")["violations"], .array([]))
            try await expectEqual(control.get("sessions/last")["userMessages"]?.integer, 1)
            let ended = try await control.post(
                "sessions/last/events", #"{"as":"user","type":"USER_END_SESSION"}"#)
            expectEqual(ended.count("sequences"), 2)
            try await expectEqual(
                first.event("SESSION_END").payload["reason"]?.string?.contains("USER"), true)
            try await expectEqual(
                control.post("sessions/last/events", #"{"as":"user","text":"x"}"#).status, 409)
        }
    }

    @Test(
        "A push that says nothing, or in unknown words, is refused with the way to mend it",
        arguments: [
            (#"{}"#, "\"as\" is missing"), (#"{"as":"agnet","text":"x"}"#, "Did you mean \"agent\"?"),
            (#"{"as":"agent"}"#, "Nothing is said"), (#"{"as":"agent","txt":"x"}"#, "did you mean \"text\"?"),
            (#"{"as":"agent","text":1}"#, "\"text\" must be a text, not a number."),
            (#"{"as":"agent","attachments":[{"link":"a","image":"b"}]}"#, "not both"),
            (#"{"as":"user","text":"x","suggestions":[]}"#, "\"suggestions\" is not known here"),
            (#"{"as":"user"}"#, "\"text\" is missing"),
            (#"{"as":"user","text":"x","type":"y"}"#, "choose one"),
            (#"{"as":"user","type":"SESSION_START"}"#, "nothing that a client can say"),
            (#"{"as":"raw","payload":[]}"#, "\"type\" is missing"), (#"[]"#, "not an object"),
            (#"{"as":"agent","#, "not JSON"), ("{as:'agent'}", "not JSON"),
        ] as [(String, String)])
    func refusals(_ body: String, _ sentence: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.client.session()
            let refused = try await control.post("sessions/last/events", body)
            expectEqual(refused.status, 400)
            #expect(refused.message.contains(sentence), "\(refused.message)")
        }
    }

    @Test("Nothing is pushed into a session that has ended, or that is not there")
    func ended() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            try await expectEqual(
                control.post("sessions/x/events", #"{"as":"agent","text":"x"}"#).status, 404)
            _ = try await world.client.session()
            _ = try await control.post("sessions/last/end")
            let refused = try await control.post("sessions/last/events", #"{"as":"agent","text":"x"}"#)
            expectEqual(refused.status, 409)
        }
    }

    // MARK: - Takeover

    @Test("Taking over and handing back over HTTP loses and doubles no event")
    func takeOver() async throws {
        try await World.run {
            $0.fixtureText = fixture(#"{ hears: ["book"], replies: [ { say: "Booked." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            let taken = try await control.post(
                "sessions/last/takeover", #"{"action":"takeOver","by":"Marta"}"#)
            expectEqual(taken["takeover", "by"]?.string, "Marta")
            expectEqual(taken["takeover", "seat"]?.string, "agent")
            talk.say("book")
            try await talk.event("USER_MESSAGE")
            try await talk.settle()
            #expect(talk.rest().isEmpty)
            let shown = try await control.get("sessions/last")
            expectEqual(shown["takeover", "unanswered"]?.string, "book")
            let second = try await control.post(
                "sessions/last/takeover", #"{"action":"takeOver","by":"Ada"}"#)
            expectEqual(second.status, 409)
            #expect(second.message.contains("Marta"))
            _ = try await control.post(
                "sessions/last/takeover", #"{"action":"send","by":"Marta","text":"One moment."}"#)
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "One moment.")
            let back = try await control.post(
                "sessions/last/takeover", #"{"action":"handBack","by":"Marta"}"#)
            expectEqual(back["takeover"], .null)
            talk.say("book")
            try await expectEqual(world.reply(talk).last?.text, "Booked.")
            let sequences = talk.events.compactMap(\.sequence)
            expectEqual(sequences, (1...Int64(sequences.count)).map { $0 })
            expectEqual(Set(talk.events.compactMap(\.id)).count, talk.events.count)
        }
    }

    @Test("A live agent joins, types, speaks and leaves; a handoff is moved along")
    func person() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            for body in [
                #"{"action":"triggerHandoff"}"#, #"{"action":"accept","queue":"Support"}"#,
                #"{"action":"updateQueue","queue":"Support","position":2,"waitSeconds":60}"#,
                #"{"action":"join","by":"Marta","name":"Marta","avatar":"https://a.example/m.png"}"#,
                #"{"action":"typing","state":"started","by":"Marta"}"#,
                #"{"action":"send","text":"Hi","by":"Marta"}"#, #"{"action":"leave","by":"Marta"}"#,
            ] {
                let reply = try await control.post("sessions/last/takeover", body)
                expectEqual(reply.status, 200, "\(body): \(reply.message)")
            }
            let events = try await talk.events(through: "LIVE_AGENT_LEFT").types
            for type in [
                "HANDOFF_ACCEPTED", "HANDOFF_QUEUE_STATUS", "LIVE_AGENT_JOINED", "LIVE_AGENT_TYPING",
                "LIVE_AGENT_MESSAGE",
            ] {
                #expect(events.contains(type), "\(type) in \(events)")
            }
        }
    }

    @Test(
        "An unknown action, or what belongs to another one, is refused",
        arguments: [
            (#"{"action":"takeover"}"#, "Did you mean \"takeOver\"?"), (#"{}"#, "\"action\" is missing"),
            (#"{"action":"takeOver","text":"x"}"#, "\"text\" is not known here"),
            (#"{"action":"updateQueue","position":0}"#, "whole number from 1"),
        ] as [(String, String)])
    func badActions(_ body: String, _ sentence: String) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.client.session()
            let refused = try await control.post("sessions/last/takeover", body)
            expectEqual(refused.status, 400)
            #expect(refused.message.contains(sentence), "\(refused.message)")
            try await expectEqual(
                control.post("sessions/last/takeover", #"{"action":"handBack"}"#).status, 409)
        }
    }
}
