import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Frames held back for a person, over HTTP", .timeLimit(.minutes(5)))
struct ControlInterceptTests {
    /// Holds the newest session and has `text` echoed and answered: two frames and a sign of thinking wait.
    private func held(_ control: ControlClient, _ talk: Talk, _ more: String = "") async throws -> [JSONValue]
    {
        try await expectEqual(
            control.post("sessions/last/intercept", #"{"intercept":true\#(more)}"#).status, 200)
        talk.say("book")
        while true {
            let frames = try await control.get("intercepted?session=last")["intercepted"]?.array ?? []
            if frames.contains(where: { $0["type"]?.string == "POLY_AGENT_MESSAGE" }) { return frames }
            try Task.checkCancellation()
        }
    }

    private func run(_ body: (World, ControlClient, APIClient.Session, Talk) async throws -> Void)
        async throws
    {
        try await World.run {
            $0.fixtureText = fixture(#"{ hears: ["book"], replies: [ { say: "Booked." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            try await body(world, control, session, talk)
        }
    }

    private func id(_ frames: [JSONValue], _ type: String) throws -> Int64 {
        try #require(frames.first { $0["type"]?.string == type }?["id"]?.integer)
    }

    @Test("Frames wait in order, leave as they are or changed, and their rows say so")
    func release() async throws {
        try await run { world, control, session, talk in
            let frames = try await held(control, talk)
            #expect(talk.rest().isEmpty)
            try await expectEqual(control.get("sessions/last")["intercepts"]?.bool, true)
            #expect(frames.allSatisfy { $0["session"]?.string == session.id })
            let echo = try id(frames, "USER_MESSAGE")
            let answer = try id(frames, "POLY_AGENT_MESSAGE")
            let early = try await control.post("intercepted/\(answer)")
            #expect(early.status == 409 && early.message.contains("Frame \(echo) waits before it"))
            try await expectEqual(control.post("intercepted/\(echo)")["released"]?.integer, 1)
            try await expectEqual(talk.next().type, "USER_MESSAGE")
            for frame in frames.dropFirst() where frame["id"]?.integer != answer {
                let number = frame["id"]?.integer ?? 0
                try await expectEqual(control.delete("intercepted/\(number)")["removed"]?.integer, 1)
            }
            let text = try #require(frames.last?["text"]?.string).replacing("Booked.", with: "Booked twice.")
            let body = String(decoding: JSONWriter.bytes(.object(["text": .string(text)])), as: UTF8.self)
            try await expectEqual(control.post("intercepted/\(answer)", body)["released"]?.integer, 1)
            let heard = try await talk.next()
            #expect(heard.type == "POLY_AGENT_MESSAGE" && heard.text == "Booked twice.")
            let row = try await control.get("wire?filter=type:POLY_AGENT_MESSAGE&last=1")["rows", 0]
            #expect(row?["flags"] == .array([.string("intercepted")]))
            #expect(row?["by"]?.string == "controls")
            #expect(row?["mod"]?.string?.contains("Booked.") == true)
            #expect(row?["raw"]?.string?.contains("Booked twice.") == true)
            try await expectEqual(control.get("intercepted")["intercepted"], .array([]))
            let gone = try await control.post("intercepted/\(answer)")
            #expect(gone.status == 404 && gone.message.contains("GET /_mock/intercepted"))
        }
    }

    @Test("A message that a swap hits waits for the person, too, and leaves behind the next one")
    func swapped() async throws {
        try await World.run {
            $0.fixtureText = fixture(
                #"{ hears: ["book"], replies: [ { say: "One." }, { say: "Two." }, { say: "Three." } ] }"#)
        } _: { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            _ = try await control.post(
                "faults", #"{"name":"turn","at":"reply 2","do":{"swap":"event"}}"#)
            _ = try await control.post("sessions/last/intercept", #"{"intercept":true}"#)
            talk.say("book")
            func frames() async throws -> [JSONValue] {
                try await control.get("intercepted")["intercepted"]?.array ?? []
            }
            func place(of said: String, in frames: [JSONValue]) -> Int? {
                frames.firstIndex { $0["text"]?.string?.contains("\"\(said)\"") == true }
            }
            while place(of: "Three.", in: try await frames()) == nil { try Task.checkCancellation() }
            await world.pass(.seconds(5))
            #expect(talk.rest().isEmpty)
            let held = try await frames()
            let fired = try #require(place(of: "One.", in: held))
            #expect(try #require(place(of: "Two.", in: held)) > fired)
            // Frames are numbered as they are told: the one that came behind it stands before it.
            let ids = held.compactMap { $0["id"]?.integer }
            #expect(fired > 0 && ids[fired - 1] == ids[fired] + 1)
            expectEqual(ids.filter { $0 != ids[fired] }, ids.filter { $0 != ids[fired] }.sorted())
            try await expectEqual(control.post("intercepted/\(ids[fired])").status, 409)
            try await expectEqual(
                control.post("sessions/last/intercept", #"{"intercept":false}"#).status, 200)
            let types = held.compactMap { $0["type"]?.string }
            var told: [String] = []
            while told.count < types.count { told.append(try await talk.next().type) }
            expectEqual(told, types)
            try await expectEqual(control.get("intercepted")["intercepted"], .array([]))
        }
    }

    @Test("A frame that is taken away is never sent; those behind it leave in their order, each once")
    func dropped() async throws {
        try await run { world, control, session, talk in
            let frames = try await held(control, talk)
            let types = frames.compactMap { $0["type"]?.string }
            #expect(types.first == "USER_MESSAGE" && types.last == "POLY_AGENT_MESSAGE")
            expectEqual(frames.map { $0["id"]?.integer ?? 0 }, frames.map { $0["id"]?.integer ?? 0 }.sorted())
            let answer = try id(frames, "POLY_AGENT_MESSAGE")
            let dropped = try await control.ask(
                "DELETE", "intercepted/\(answer)", ["Content-Type": "application/json"],
                body: #"{"by":"Marta"}"#)
            expectEqual(dropped["removed"]?.integer, 1)
            let row = try await control.get("wire?filter=kind:fault&last=1")["rows", 0]
            #expect(row?["type"]?.string == "dropped POLY_AGENT_MESSAGE")
            #expect(row?["by"]?.string == "Marta" && row?["session"]?.string == session.id)
            #expect(row?["seq"] == frames.last?["seq"] && row?["raw"] == frames.last?["text"])
            #expect(row?["flags"] == .array([.string("intercepted")]))
            #expect(row?["rule"]?.string?.isEmpty == false && row?["place"]?.string?.isEmpty == false)
            try await expectEqual(control.delete("intercepted/\(answer)").status, 404)
            for frame in frames.dropLast() {
                try await expectEqual(control.post("intercepted/\(frame["id"]?.integer ?? 0)").status, 200)
            }
            try await expectEqual(
                control.post("sessions/last/intercept", #"{"intercept":false}"#).status, 200)
            talk.say("book")
            var told: [String] = []
            while told.last != "POLY_AGENT_MESSAGE" { told.append(try await talk.next().type) }
            let once = told.filter { $0 == "USER_MESSAGE" }
            #expect(once.count == 2 && told.filter { $0 == "POLY_AGENT_MESSAGE" }.count == 1)
            // The journal has what the client never got.
            let journal = try await control.get("sessions/\(session.id)/journal")["entries"]?.array ?? []
            let said = journal.filter { $0["event"]?["type"]?.string == "EVENT_TYPE_POLY_AGENT_MESSAGE" }
            expectEqual(said.count { $0["event"]?["payload"]?["text"]?.string == "Booked." }, 2)
        }
    }

    @Test("A frame leaves by itself when its time is over, by the server's clock")
    func time() async throws {
        try await run { world, control, _, talk in
            let frames = try await held(control, talk, #","release":"5s""#)
            let due = frames.first?["releaseAt"]?.string
            expectEqual(due, TimeStamp.text(nanoseconds: (world.clock.now + .seconds(5)).nanoseconds))
            await world.pass(.seconds(4))
            #expect(
                try await control.get("intercepted").count("intercepted") == frames.count
                    && talk.rest().isEmpty)
            await world.pass(.seconds(1))
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Booked.")
        }
    }

    @Test(
        "No longer holding, and resetting the faults, lets all go; connections that open meanwhile are held"
    )
    func ends() async throws {
        for (path, body) in [
            ("sessions/last/intercept", #"{"intercept":false}"#), ("reset", #"{"faults":true}"#),
        ] {
            try await run { world, control, session, talk in
                _ = try await held(control, talk)
                let second = try await world.client.connect(session)
                try await control.until(pending: "intercepted frame")
                #expect(second.rest().isEmpty)
                try await expectEqual(control.post(path, body).status, 200)
                try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Booked.")
                try await second.event("POLY_AGENT_MESSAGE")
                try await expectEqual(control.get("sessions/last")["intercepts"]?.bool, false)
                try await expectEqual(control.get("intercepted")["intercepted"], .array([]))
            }
        }
    }

    @Test("The end of a session comes behind what is held; a session that is forgotten lets all go")
    func sessionEnds() async throws {
        try await run { world, control, session, talk in
            _ = try await held(control, talk)
            _ = try await control.delete("sessions/" + session.id)
            try await expectEqual(talk.event("POLY_AGENT_MESSAGE").text, "Booked.")
            try await talk.event("SESSION_END")
            try await expectEqual(control.get("intercepted")["intercepted"], .array([]))
        }
    }

    @Test("Former routes and members are taken as they were meant, and answered with both names")
    func formerNames() async throws {
        try await run { world, control, _, _ in
            let hold = try await world.client.request(
                "POST", "/_mock/sessions/last/hold", ["Content-Type": "application/json"],
                body: #"{"hold":true}"#)
            #expect(hold.status == 200 && hold.text.contains(#""hold":true"#))
            #expect(hold.text.contains(#""intercept":true"#))
            let held = try await world.client.request("GET", "/_mock/held")
            #expect(held.text.contains(#""held":["#) && held.text.contains(#""intercepted":["#))
            try await expectEqual(control.get("sessions/last")["intercepts"]?.bool, true)
            let push = try await world.client.request(
                "POST", "/_mock/sessions/last/events", ["Content-Type": "application/json"],
                body: #"{"as":"person","by":"Marta","text":"Hi"}"#)
            expectEqual(push.status, 200, "\(push.text)")
            let clock = try await world.client.request(
                "POST", "/_mock/clock", ["Content-Type": "application/json"],
                body: #"{"untilQuiet":true,"limit":"1s"}"#)
            expectEqual(clock.status, 200, "\(clock.text)")
        }
    }

    @Test("A hold of nothing, for ever, or in a session that is over, is refused")
    func refusals() async throws {
        try await run { world, control, session, talk in
            #expect(
                try await control.post("sessions/last/intercept").message.contains("\"intercept\" is missing")
            )
            let long = try await control.post(
                "sessions/last/intercept", #"{"intercept":true,"release":"2h"}"#)
            #expect(long.status == 400 && long.message.contains("too long"))
            let wrong = try await control.post(
                "sessions/last/intercept", #"{"intercept":true,"release":"soon"}"#)
            #expect(wrong.message.hasPrefix(#""release": "soon" is not a length of time."#))
            try await expectEqual(
                control.post("sessions/last/intercept", #"{"intercept":false,"release":"2s"}"#)
                    .status, 400)
            try await expectEqual(
                control.post("sessions/nobody/intercept", #"{"intercept":true}"#).status, 404)
            try await expectEqual(control.get("intercepted?session=nobody").status, 404)
            try await expectEqual(control.delete("intercepted/x").status, 404)
            _ = try await control.post("sessions/last/end")
            try await expectEqual(control.post("sessions/last/intercept", #"{"intercept":true}"#).status, 409)
        }
    }
}
