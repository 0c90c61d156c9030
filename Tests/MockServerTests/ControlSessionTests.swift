import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Sessions in the control API", .timeLimit(.minutes(5)))
struct ControlSessionTests {
    @Test("A session is listed with what it plays, remembers and how to play it again")
    func list() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.get("sessions").count("sessions"), 0)
            let token = try await world.client.token(connector: "mock:webchat@seed=7@tag=checkout")
            let session = try await world.client.session(token: token)
            let talk = try await world.client.connect(session)
            talk.join()
            try await world.reply(talk)
            _ = try await world.client.session()
            let all = try await control.get("sessions")
            expectEqual(all.count("sessions"), 2)
            let tagged = try await control.get("sessions?tag=checkout&state=open")
            expectEqual(tagged.count("sessions"), 1)
            expectEqual(tagged["sessions", 0, "id"]?.string, session.id)
            expectEqual(tagged["sessions", 0, "fixture"]?.string, "webchat")
            expectEqual(tagged["sessions", 0, "tag"]?.string, "checkout")
            expectEqual(tagged["sessions", 0, "connections"]?.integer, 1)
            expectEqual(tagged["sessions", 0, "seed"]?.string, "7")
            expectEqual(
                tagged["sessions", 0, "replay"]?.string,
                "polymock replay 'mock:webchat@tag=checkout@seed=7'")
            try await expectEqual(control.get("sessions?state=ended").count("sessions"), 0)
            try await expectEqual(control.get("sessions?state=over").status, 400)
        }
    }

    @Test("What a client wrote into its token stays one word of the command that plays it again")
    func replayWord() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let token = try await world.client.token(connector: "mock:booking@tag=x'; touch pwn; '@seed=7")
            _ = try await world.client.session(token: token)
            try await expectEqual(
                control.get("sessions/last")["replay"]?.string,
                #"polymock replay 'mock:booking@tag=x'\''; touch pwn; '\''@seed=7'"#)
        }
    }

    @Test("Once the last session is gone, the one before it is the last, also where time stands still")
    func lastLeft() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            var ids: [String] = []
            for _ in 0..<3 { ids.append(try await world.client.session().id) }
            for id in ids.reversed() {
                try await expectEqual(control.get("sessions/last")["id"]?.string, id)
                try await expectEqual(control.delete("sessions/\(id)").status, 200)
            }
            try await expectEqual(control.get("sessions/last").status, 404)
        }
    }

    @Test("A session is found by its id, a beginning of it, or as the last one; else the near id is named")
    func find() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            try await expectEqual(control.get("sessions/last").status, 404)
            let first = try await world.client.session()
            let second = try await world.client.session()
            for (name, id) in [
                (first.id, first.id), (String(first.id.prefix(8)), first.id), ("last", second.id),
            ] {
                let found = try await control.get("sessions/\(name)")
                expectEqual(found["id"]?.string, id)
                expectEqual(found["takeover"], .null)
                expectEqual(found["timers"]?.array?.contains { $0["name"]?.string == "idle timeout" }, true)
            }
            let missing = try await control.get("sessions/\(first.id.dropLast())x")
            expectEqual(missing.status, 404)
            #expect(missing.message.contains("did you mean \(first.id)?"))
            expectEqual(missing["begins"], nil)
            // Neither near in spelling, nor with four characters in common.
            let strange = try await control.get("sessions/nosuch")
            expectEqual(strange.message, "There is no session \"nosuch\"; \"polymock sessions\" lists them.")
        }
    }

    @Test("The beginning of several ids names none of the sessions; two of them are told")
    func ambiguous() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            // Of 17 ids two have one first digit.
            var ids: [Character: [String]] = [:]
            for _ in 0..<17 {
                let id = try await world.client.session().id
                ids[try #require(id.first), default: []].append(id)
            }
            let (digit, several) = try #require(ids.first { $0.value.count > 1 })
            let refused = try await control.get("sessions/\(digit)")
            let begins = several.sorted().prefix(2)
            #expect(refused.status == 404 && refused.message.hasSuffix("write more of it."))
            expectEqual(refused["begins"], .array(begins.map { .string($0) }))
        }
    }

    @Test("The journal tells each event as clients hear it, and who made it")
    func journal() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            talk.say("Hello there")
            try await world.play(talk, through: "USER_MESSAGE")
            try await talk.settle()
            let journal = try await control.get("sessions/last/journal")
            expectEqual(journal["session"]?.string, session.id)
            let entries = try #require(journal["entries"]?.array)
            expectEqual(entries.compactMap { $0["sequence"]?.integer }, (1...Int64(entries.count)).map { $0 })
            expectEqual(journal["last"]?.integer, Int64(entries.count))
            #expect(entries[0]["event"]?["type"]?.string == "EVENT_TYPE_SESSION_START")
            expectEqual(entries[0]["author"]?.string, "script")
            let said = try #require(
                entries.first { $0["event"]?["type"]?.string == "EVENT_TYPE_USER_MESSAGE" })
            expectEqual(said["author"]?.string, "client")
            let heard = try #require(talk.events.first { $0.type == "USER_MESSAGE" })
            expectEqual(said["event"], heard.json)
            let rest = try await control.get("sessions/last/journal?after=\(entries.count - 1)")
            expectEqual(rest.count("entries"), 1)
            try await expectEqual(control.get("sessions/last/journal?after=-1").status, 400)
        }
    }

    @Test("A session is ended with a reason, once")
    func end() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (_, talk) = try await world.greeted()
            try await expectEqual(control.post("sessions/last/end", #"{"reason":"over"}"#).status, 400)
            let ended = try await control.post("sessions/last/end", #"{"reason":"user"}"#)
            expectEqual(ended["reason"]?.string, "user")
            try await talk.event("SESSION_END")
            let again = try await control.post("sessions/last/end")
            expectEqual(again.status, 409)
            let shown = try await control.get("sessions/last")
            expectEqual(shown["state"]?.string, "ended")
            expectEqual(shown["endReason"]?.string, "user")
        }
    }

    @Test("DELETE ends a session, closes its connections and forgets it")
    func delete() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let (session, talk) = try await world.greeted()
            try await expectEqual(control.delete("sessions/\(session.id)")["ended"]?.bool, true)
            try await talk.event("SESSION_END")
            try await expectEqual(talk.closeCode, 1000)
            try await expectEqual(control.get("sessions/\(session.id)").status, 404)
            try await expectEqual(control.delete("sessions/\(session.id)").status, 404)
            try await expectEqual(control.get("health")["sessions"]?.integer, 0)
            // The place is free for another.
            _ = try await world.greeted()
        }
    }
}
