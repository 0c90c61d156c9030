import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// What a client without manners of its own sees of each fault.
@Suite("Faults on the wire", .timeLimit(.minutes(5)))
struct FaultWireTests {
    private func run(
        at moment: String, do effect: String, rest: String = "", messageBytes: Int = 131_072,
        _ body: (World, APIClient.Session) async throws -> Void
    ) async throws {
        try await World.run { configuration in
            configuration.fixtureText = fixture(
                "", rest: "faults: { t: { at: \"\(moment)\", do: { \(effect) } \(rest) } },")
            configuration.limits.messageBytes = messageBytes
        } _: { world in
            let token = try await world.client.token(connector: "mock:webchat+t")
            try await body(world, try await world.client.session(token: token))
        }
    }

    /// A talk that has joined and said "Hi"; nothing is waited for.
    private func speak(_ world: World, _ session: APIClient.Session) async throws -> Talk {
        let talk = try await world.client.connect(session)
        talk.join()
        try await world.play(talk, through: "POLY_AGENT_MESSAGE")
        talk.say("Hi", localID: "1")
        return talk
    }

    @Test(
        "A close fault closes with its code",
        arguments: [1_000, 1_001, 1_008, 1_011, 1_012, 4_000, 4_001] as [Int])
    func closes(code: Int) async throws {
        try await run(at: "reply 2", do: "close: \(code)") { world, session in
            let talk = try await speak(world, session)
            try await expectEqual(talk.closeCode, UInt16(code))
            #expect(!talk.events.contains { $0.text == "I heard you." })
        }
    }

    @Test("A drop ends the connection without a close frame: clients see 1006")
    func drops() async throws {
        try await run(at: "reply 2", do: "drop: 'connection'") { world, session in
            let talk = try await speak(world, session)
            try await expectEqual(talk.closeCode, 1_006)
            // Journaled, so the next connection hears it.
            let again = try await world.client.connect(session, cursor: "5")
            let batch = try await again.events(through: "POLY_AGENT_MESSAGE")
            expectEqual(batch.last?.text, "I heard you.")
        }
    }

    @Test(
        "A handshake is refused with the status asked for and the API's own words",
        arguments: [400, 401, 404, 429, 500, 503] as [Int])
    func refusesHandshake(status: Int) async throws {
        try await run(at: "handshake 1", do: "refuse: \(status), retryAfter: '2s'") { world, session in
            let answer = try await world.client.upgrade(APIClient.target(session)).answer(0)
            expectEqual(answer.status, status)
            #expect(answer.message != nil)
            if status == 429 || status == 503 { expectEqual(answer.headers["Retry-After"], "2") }
            // The second one is let in: fail once, then recover.
            _ = try await world.client.connect(session)
        }
    }

    @Test(
        "Token and session requests fail as often as `times` says, then recover",
        arguments: [true, false] as [Bool])
    func refusesRequests(isToken: Bool) async throws {
        try await World.run { configuration in
            let moment = isToken ? "token" : "session"
            configuration.fixtureText = fixture(
                "", rest: "faults: { t: { at: \"\(moment)\", do: { refuse: 503 }, times: 2 } },")
        } _: { world in
            var statuses: [Int] = []
            var token = ""
            if !isToken { token = try await world.client.token(connector: "mock:webchat+t") }
            for _ in 0..<3 {
                let answer =
                    isToken
                    ? try await world.client.request(
                        "POST", "/api/v1/access-token", ["X-Token": "mock:webchat+t", "X-Host": "a.example"],
                        body: "{}")
                    : try await world.client.request(
                        "POST", "/api/v1/sessions", ["Authorization": "Bearer \(token)"], body: "{}")
                statuses.append(answer.status)
            }
            expectEqual(statuses, [503, 503, 200])
            // A refused session was never opened.
            await expectEqual(world.server.inspect { $0.sessions.count }, isToken ? 0 : 1)
        }
    }

    @Test("A stalled handshake answers when its time is over", arguments: ["stall", "delay"] as [String])
    func slowHandshake(effect: String) async throws {
        try await run(at: "handshake 1", do: "\(effect): '3s'") { world, session in
            let line = try await world.client.upgrade(APIClient.target(session))
            _ = try await world.log.wait(for: "the handshake") { lines in
                lines.first { $0.contains("fault t fired") }
            }
            await world.pass(.milliseconds(2_900))
            #expect(line.items.all.isEmpty)
            await world.pass(.milliseconds(200))
            try await expectEqual(line.answer(0).status, 101)
        }
    }

    @Test("A stalled stream keeps everything, in order")
    func stalls() async throws {
        try await run(at: "user message 1", do: "stall: '5s'") { world, session in
            let talk = try await speak(world, session)
            talk.say("And?")
            try await world.logged("\"And?\"")
            let before = talk.events.count
            await world.pass(.milliseconds(4_900))
            expectEqual(talk.events.count, before)
            await world.pass(.milliseconds(200))
            try await talk.settle()
            let types = talk.events.dropFirst(before).map(\.type)
            expectEqual(types.filter { $0 == "USER_MESSAGE" }.count, 2)
            expectEqual(types.filter { $0 == "POLY_AGENT_MESSAGE" }.count, 2)
            let sequences = talk.events.compactMap(\.sequence)
            expectEqual(sequences, sequences.sorted())
        }
    }

    @Test("A stall that is taken away at once loses nothing")
    func removes() async throws {
        try await World.run { configuration in
            configuration.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            let id = await world.server.inspect { server in
                server.inject(
                    Fault(name: "jam", moment: .userMessage(1), effect: .stall(nil)), session: session.id,
                    by: "test")
            }
            talk.say("Hi")
            try await world.logged("\"Hi\"")
            await world.pass(.minutes(1))
            #expect(!talk.events.contains { $0.type == "USER_MESSAGE" })
            let fault = try #require(id)
            #expect(await world.server.inspect { $0.remove(fault) })
            #expect(await !world.server.inspect { $0.remove(fault) })
            try await talk.settle()
            expectEqual(
                talk.events.suffix(3).map(\.type),
                [
                    "USER_MESSAGE", "POLY_AGENT_THINKING", "POLY_AGENT_MESSAGE",
                ])
        }
    }

    @Test("Lose, repeat and swap do what they say to one event")
    func eventEffects() async throws {
        try await run(at: "reply 2", do: "lose: 'event'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            #expect(!talk.events.contains { $0.text == "I heard you." })
        }
        try await run(at: "reply 2", do: "repeat: 'event'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            let replies = talk.events.filter { $0.text == "I heard you." }
            #expect(replies.count == 2 && replies[0].id == replies[1].id)
        }
        try await run(at: "user message 1", do: "swap: 'event'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            expectEqual(
                talk.events.suffix(3).map(\.type),
                [
                    "POLY_AGENT_THINKING", "USER_MESSAGE", "POLY_AGENT_MESSAGE",
                ])
        }
    }

    @Test("What is swapped with nothing comes after a second")
    func swapAlone() async throws {
        try await run(at: "heartbeat 1", do: "swap: 'event'") { world, session in
            let talk = try await world.client.connect(session)
            talk.heartbeat()
            try await talk.settle()
            #expect(!talk.events.contains { $0.type == "HEARTBEAT" })
            await world.pass(.seconds(1))
            try await talk.settle()
            expectEqual(talk.events.last?.type, "HEARTBEAT")
        }
    }

    @Test("Damage: JSON that breaks off, an unknown event, too much, a wrong sequence")
    func garbles() async throws {
        try await run(at: "reply 2", do: "garble: 'bad JSON'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            #expect(
                talk.line.items.all.contains { item in
                    guard case .text(let bytes) = item else { return false }
                    return (try? JSONReader.read(bytes)) == nil
                })
        }
        try await run(at: "reply 2", do: "garble: 'unknown event'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            expectEqual(talk.events.suffix(2).map(\.type), ["NOBODY_KNOWS", "POLY_AGENT_MESSAGE"])
        }
        try await run(at: "reply 2", do: "garble: 'oversized'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            expectEqual(talk.events.last?.text, "I heard you.")
            expectEqual(talk.events.last?.description.utf8.count, 131_073)
        }
        try await run(at: "reply 2", do: "garble: 'oversized'", messageBytes: 300_000) { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            expectEqual(talk.events.last?.description.utf8.count, 300_001)
        }
        try await run(at: "reply 2", do: "garble: 'wrong sequence'") { world, session in
            let talk = try await speak(world, session)
            try await talk.settle()
            expectEqual(talk.events.last?.sequence, 1_006)
        }
    }

    @Test("A fault of the token is added before the first byte, on each of very many connections")
    func armedFirst() async throws {
        let rest = ", per: 'session'"
        try await run(at: "connect 1", do: "close: 1011", rest: rest) { world, first in
            let token = first.token
            for _ in 0..<Strength.of(3, full: 20) {
                var talks: [Talk] = []
                for _ in 0..<50 {
                    let session = try await world.client.session(token: token)
                    talks.append(try await world.client.connect(session))
                }
                for talk in talks {
                    try await expectEqual(talk.closeCode, 1_011)
                    #expect(talk.events.isEmpty)
                }
            }
        }
    }

    /// Whether the handshakes of sessions that follow one another are refused, each with a token of its own.
    private func refusals(_ world: World, connector: String, _ count: Int) async throws -> [Bool] {
        var refusals: [Bool] = []
        for _ in 0..<count {
            let token = try await world.client.token(connector: connector)
            let session = try await world.client.session(token: token)
            refusals.append(try await world.client.upgrade(APIClient.target(session)).answer(0).status != 101)
        }
        return refusals
    }

    @Test(
        "A new session heals a handshake that is refused so often, unless the fault counts per session",
        arguments: [
            ("", [true, false, false]), ("times: 2,", [true, true, false]),
            ("per: 'session',", [true, true, true]),
        ] as [(String, [Bool])])
    func newSessionHeals(rest: String, expected: [Bool]) async throws {
        try await run(at: "handshake 1", do: "refuse: 401", rest: ", \(rest)") { world, _ in
            try await expectEqual(refusals(world, connector: "mock:webchat+t@tag=a", 3), expected)
            // Another line has a count of its own.
            try await expectEqual(refusals(world, connector: "mock:webchat+t@tag=b", 3), expected)
            let control = try await ControlClient(world)
            _ = try await control.post("reset", #"{"faults":true}"#)
            try await expectEqual(refusals(world, connector: "mock:webchat+t@tag=a", 3), expected)
        }
    }

    @Test(
        "An added fault fires no more often than it is listed with, however many sessions there are",
        arguments: [
            ("handshake 1", #"{"refuse":503}"#, 1), ("handshake 1", #"{"refuse":503}"#, 2),
            ("connect 1", #"{"drop":"connection"}"#, 1),
        ] as [(String, String, Int)])
    func armedOnce(moment: String, effect: String, times: Int) async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            // One session is there already, and may be hit as well.
            let early = try await world.client.session()
            let added = try await control.post(
                "faults", #"{"at":"\#(moment)","do":\#(effect),"times":\#(times)}"#)
            expectEqual(added["faults", 0, "per"]?.string, "token")
            var sessions = [early]
            for _ in 0..<3 { sessions.append(try await world.client.session()) }
            var failures = 0
            for session in sessions {
                let line = try await world.client.upgrade(APIClient.target(session))
                guard try await line.answer(0).status == 101 else {
                    failures += 1
                    continue
                }
                let talk = Talk(line)
                talk.join()
                if moment == "connect 1", try await isCut(talk) { failures += 1 }
            }
            expectEqual(failures, times)
            try await expectEqual(control.get("faults")["faults", 0, "fired"]?.integer, Int64(times))
        }
    }

    /// Whether the connection breaks in place of a history.
    private func isCut(_ talk: Talk) async throws -> Bool {
        try await talk.line.items.wait(for: "a history or a cut") { items in
            items.last.map { if case .closed = $0 { true } else { false } }
        }
    }

    @Test("A deployment happens once: a new session behind the restart is served, its first answer included")
    func oneDeployment() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
        } _: { world in
            let line = "mock:webchat+bad-deploy"
            let token = try await world.client.token(connector: line)
            await #expect(throws: APIClient.Unexpected.self) { try await world.client.session(token: token) }
            let first = try await world.client.session(token: token)
            let talk = try await world.client.connect(first)
            talk.join()
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            talk.say("Hi")
            try await talk.settle()
            while try await !closed(talk), let next = await world.nextDeadline {
                await world.pass(next - world.clock.now)
            }
            try await expectEqual(talk.closeCode, 1012)
            try await expectEqual(world.client.upgrade(APIClient.target(first)).answer(0).status, 503)
            let second = try await world.client.session(token: world.client.token(connector: line))
            let again = try await world.client.connect(second)
            again.join()
            try await world.play(again, through: "POLY_AGENT_MESSAGE")
            again.say("Hi")
            try await expectEqual(world.play(again, through: "POLY_AGENT_MESSAGE").last?.text, "I heard you.")
        }
    }

    private func closed(_ talk: Talk) async throws -> Bool {
        try await talk.settle()
        return talk.isClosed
    }
}
