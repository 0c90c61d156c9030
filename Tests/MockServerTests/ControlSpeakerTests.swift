import Clocks
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("What sessions say of themselves in the control API", .timeLimit(.minutes(5)))
struct ControlSpeakerTests {
    private static let desk = fixture(
        """
        { hears: ["human"], replies: [ { handoff: "desk" } ] },
        { hears: ["bye"], replies: [ { end: "natural" } ] },
        """,
        rest: """
            handoffs: { desk: {
              queue: { name: "Front", positions: [2, 1], every: "5s" }, liveAgent: { name: "Marta" },
              rules: [ { hears: ["back"], replies: [ { giveBack: "done" } ] } ],
            } },
            """)

    private func run(_ body: (World, ControlClient) async throws -> Void) async throws {
        try await World.run {
            $0.fixtureText = Self.desk
        } _: { world in
            try await body(world, try await ControlClient(world))
        }
    }

    /// Current speaker and name of the newest session, in its list and by itself.
    private func speaker(_ control: ControlClient) async throws -> [String?] {
        let alone = try await control.get("sessions/last")
        let listed = try await control.get("sessions")["sessions"]?.array?.last
        for name in [
            "currentSpeaker", "speaker", "lastActivity", "idleEnds", "unmatched", "fired", "userAgent",
        ] {
            #expect(listed?[name] == alone[name], "\(name)")
        }
        return [alone["currentSpeaker"]?.string, alone["speaker"]?.string]
    }

    @Test(
        "The current speaker goes from nobody to the agent, a queue, a live agent and back, and stays as it was at the end"
    )
    func speakers() async throws {
        try await run { world, control in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session)
            try await expectEqual(speaker(control), ["nobody", nil])
            talk.join()
            try await world.reply(talk)
            try await expectEqual(speaker(control), ["agent", "Ada"])
            talk.say("a human")
            try await world.play(talk, through: "HANDOFF_ACCEPTED")
            try await expectEqual(speaker(control), ["queue", nil])
            try await world.play(talk, through: "LIVE_AGENT_JOINED")
            try await expectEqual(speaker(control), ["live-agent", "Marta"])
            talk.say("back")
            try await world.play(talk, through: "LIVE_AGENT_LEFT")
            try await expectEqual(speaker(control), ["agent", "Ada"])
            _ = try await control.post("sessions/last/takeover", #"{"action":"join","by":"Mira"}"#)
            try await expectEqual(speaker(control), ["live-agent", "Mira"])
            _ = try await control.post("sessions/last/end")
            try await expectEqual(speaker(control), ["live-agent", "Mira"])
        }
    }

    @Test("Who joined in place of the queue's person is whom a tool speaks for, also after handing back")
    func standIn() async throws {
        try await run { world, control in
            let (_, talk) = try await world.greeted()
            talk.say("a human")
            try await world.play(talk, through: "HANDOFF_ACCEPTED")
            for action in ["join", "handBack"] {
                _ = try await control.post("sessions/last/takeover", #"{"action":"\#(action)","by":"Mira"}"#)
                try await expectEqual(speaker(control), ["live-agent", "Mira"])
            }
            _ = try await control.post(
                "sessions/last/events", #"{"as":"live-agent","by":"tool","text":"Hi"}"#)
            let said = try await talk.event("LIVE_AGENT_MESSAGE")
            #expect(said.text == "Hi" && said.payload["agent_name"]?.string == "Mira")
        }
    }

    @Test("Activity moves with what is sent and told, and the end by silence with what is sent")
    func times() async throws {
        try await run { world, control in
            let (_, talk) = try await world.greeted()
            let before = try await control.get("sessions/last")
            expectEqual(before["lastActivity"], before["openedAt"])
            await world.pass(.seconds(90))
            talk.say("nonsense")
            try await world.play(talk, through: "USER_MESSAGE")
            try await talk.settle()
            let after = try await control.get("sessions/last")
            let now = try await control.get("clock")["now"]
            expectEqual(after["lastActivity"], now)
            let idle = after["timers"]?.array?.first { $0["name"]?.string == "idle timeout" }
            #expect(after["idleEnds"] == idle?["due"] && after["idleEnds"] != before["idleEnds"])
            _ = try await control.post("sessions/last/end")
            try await expectEqual(control.get("sessions/last")["idleEnds"], .null)
        }
    }

    @Test("What went wrong is counted for each session, and forgotten with it")
    func counts() async throws {
        try await run { world, control in
            _ = try await control.post(
                "faults", #"{"at":"user message 1","do":{"split":2}}"#)
            let (session, talk) = try await world.greeted()
            let (other, _) = try await world.greeted()
            for _ in 0..<2 { talk.say("nonsense") }
            talk.send("SESSION_START")
            try await talk.settle()
            let list = try await control.get("sessions")["sessions"]?.array ?? []
            for (id, counts) in [(session.id, [2, 1, 1]), (other.id, [0, 0, 0])] as [(String, [Int64])] {
                let listed = list.first { $0["id"]?.string == id }
                expectEqual(["unmatched", "fired", "violations"].map { listed?[$0]?.integer }, counts)
            }
            _ = try await control.post("reset", #"{"sessions":true}"#)
            let isEmpty = await world.server.inspect { $0.tally.isEmpty }
            #expect(isEmpty)
        }
    }

    @Test("Sockets are listed with what each was told, and capabilities as clients hear them")
    func sockets() async throws {
        try await run { world, control in
            let session = try await world.client.session()
            let first = try await world.client.connect(session)
            first.join()
            try await world.reply(first)
            let second = try await world.client.connect(session)
            try await second.settle()
            let shown = try await control.get("sessions/last")
            expectEqual(shown["connectionLimit"]?.integer, 10)
            let sockets = try #require(shown["sockets"]?.array)
            expectEqual(sockets.count, 2)
            let entries = shown["entries"]?.integer
            #expect(sockets.allSatisfy { $0["cursor"]?.integer == entries })
            #expect(sockets.allSatisfy { $0["address"]?.string?.hasPrefix("127.0.0.1:") == true })
            let journal = try await control.get("sessions/last/journal")
            let start = journal["entries", 0, "event"]?["payload"]?["capabilities"]
            #expect(start != nil && shown["capabilities"] == start)
            first.line.drop()
            while try await control.get("sessions/last").count("sockets") > 1 { await Task.yield() }
        }
    }

    @Test("The program that made the session, and that opened the socket, are named as they name themselves")
    func userAgents() async throws {
        try await run { world, control in
            let token = try await world.client.token()
            let made = try await world.client.request(
                "POST", "/api/v1/sessions",
                [
                    "Authorization": "Bearer \(token)", "User-Agent": "Made/1.0",
                    "Content-Type": "application/json",
                ],
                body: "{}")
            #expect(made.status < 300, "\(made.text)")
            let shown = try await control.get("sessions/last")
            expectEqual(shown["userAgent"]?.string, "Made/1.0")
            _ = try await world.client.session()
            try await expectEqual(control.get("sessions/last")["userAgent"], .null)
        }
    }
}
