import Clocks
import Expectations
import HTTPCore
import MockServer
import SocketTransport
import TestSupport
import Testing

@Suite("Starting and stopping", .timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test("Port 0 picks a free one; the URLs tell it")
    func urls() async throws {
        try await World.run { world in
            #expect(world.server.port != 0)
            expectEqual(world.server.url, "http://127.0.0.1:\(world.server.port)")
            expectEqual(world.server.webSocketURL, "ws://127.0.0.1:\(world.server.port)/ws")
            expectEqual(world.server.seed, 42)
        }
    }

    @Test("localhost listens on IPv4 and on IPv6")
    func localhost() async throws {
        try await World.run {
            $0.host = "localhost"
        } _: { world in
            expectEqual(world.server.url, "http://localhost:\(world.server.port)")
            try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
            guard let other = try? APIClient(port: world.server.port, host: "::1") else { return }
            let line = try await other.open()
            line.send(Line.bytes("GET", "/_mock/health"), requests: ["GET"])
            // A machine without IPv6 refuses; anything else is an answer.
            if let answer = try? await line.answer(0) { expectEqual(answer.status, 200) }
            await other.close()
        }
    }

    /// protocol.md#close-going-away
    @Test("stop() closes open WebSockets with 1001 and leaves nobody; a second call is harmless")
    func stop() async throws {
        try await World.run { world in
            let (_, talk) = try await world.greeted()
            let idle = try await world.client.open()
            try await expectEqual(idle.request("GET", "/_mock/health").status, 200)
            async let first: Void = world.server.stop()
            async let second: Void = world.server.stop()
            _ = await (first, second)
            try await expectEqual(talk.closeCode, 1001)
            _ = try await idle.ended()
            await world.server.stop()
            await world.pass(.minutes(30))
            let (sockets, webSockets) = await world.server.inspect { ($0.openSockets, $0.openWebSockets) }
            #expect(sockets == 0 && webSockets == 0)
        }
    }

    @Test("stop() does not wait for a peer that never answers, even when the clock stands still")
    func stopDespitePeer() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session, Line.Manners(answers: false))
            try await talk.event("SESSION_START")
            await world.server.stop()
            try await expectEqual(talk.closeCode, 1001)
            await expectEqual(world.server.inspect { $0.openSockets }, 0)
        }
    }

    @Test("A handshake that waits when the server stops gets an end, and no server is kept alive by it")
    func stopDuringHandshake() async throws {
        try await World.run {
            $0.connections.handshakeDelay = .seconds(1)
        } _: { world in
            let session = try await world.client.session()
            let line = try await world.client.upgrade(APIClient.target(session))
            try await world.logged("connected with cursor 0")
            await world.server.stop()
            _ = try await line.ended()
            expectEqual(line.answers.count, 0)
        }
    }

    @Test("A stopped server's port can be used again at once")
    func restart() async throws {
        // Somebody else may get the free port in between; then the next one is tried.
        for attempt in 1...5 {
            let port = try await World.run { world in
                _ = try await world.greeted()
                return world.server.port
            }
            do {
                try await World.run {
                    $0.port = port
                } _: { world in
                    expectEqual(world.server.port, port)
                    _ = try await world.greeted()
                }
                return
            } catch ServerError.cannotListen(let reason) where attempt < 5 {
                #expect(reason.contains("is taken"))
            }
        }
    }

    @Test("A taken port is told in one sentence with the fix")
    func portTaken() async throws {
        try await World.run { world in
            var configuration = Configuration()
            configuration.port = world.server.port
            let error = await #expect(throws: ServerError.self) { try await MockServer.start(configuration) }
            expectEqual(
                error?.description,
                "port \(world.server.port) on 127.0.0.1 is taken; choose another with --port, or 0 for any free one"
            )
        }
    }

    @Test("An address that is none is told in one sentence with the fix")
    func badHost() async {
        let error = await Self.error { $0.host = "example.com" }
        expectEqual(
            error, "cannot listen on \"example.com\"; use localhost, 127.0.0.1, ::1, 0.0.0.0 or :: instead")
    }

    @Test("An unreadable fixture, a faulty one and an unknown name each tell what to do")
    func fixtures() async {
        await expectEqual(
            Self.error { $0.fixture = "/nowhere/at-all.json5" },
            "the fixture /nowhere/at-all.json5 cannot be read: No such file or directory")
        let finding = await Self.error {
            $0.fixture = "broken"
            $0.fixtureText = "{\n  fixture: 1,\n  greting: [],\n}"
        }
        expectEqual(finding?.hasPrefix("broken.json5:3:3: error: "), true)
        expectEqual(finding?.contains("greeting"), true)
        let unknown = await Self.error { $0.fixture = "webchatt" }
        expectEqual(unknown, "unknown fixture \"webchatt\": did you mean \"webchat\"?")
    }

    @Test("Fixtures are found in the folder, by path, and inside the binary")
    func fixturePlaces() async throws {
        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/fixtures"
        for (name, place) in [("booking", folder), (folder + "/booking.json5", nil), ("booking", nil)] {
            try await World.run {
                $0.fixture = name
                $0.fixturesFolder = place
            } _: { world in
                let (_, talk) = try await world.greeted()
                #expect(talk.events.types.contains("POLY_AGENT_MESSAGE"))
            }
        }
    }

    @Test("A fixtures folder that is none, and a name that it does not hold, are told")
    func noFolder() async {
        await expectEqual(
            Self.error { $0.fixturesFolder = "/nowhere/at-all" },
            "the fixtures folder /nowhere/at-all is not a folder; name a folder with .json5 files")
        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/fixtures"
        let error = await Self.error {
            $0.fixturesFolder = folder
            $0.fixture = "nosuch"
        }
        expectEqual(error?.hasPrefix("unknown fixture \"nosuch\": there are "), true)
        #expect(error?.contains("\"booking\"") == true && error?.hasSuffix(" more") == true)
    }

    @Test("Settings that make no sense are refused with the fix")
    func nonsense() async {
        await expectEqual(Self.error { $0.limits.sockets = 0 }, "limits.sockets is 0; use 1 or more")
        await expectEqual(
            Self.error { $0.connections.perSession = -1 },
            "connections.perSession is -1; use 1 or more")
        await expectEqual(
            Self.error { $0.sessions.idle = .seconds(-1) },
            "sessions.idle is negative; use zero or more")
        await expectEqual(
            Self.error { $0.rates.rest = .init(burst: 0, perSecond: 1) },
            "rates.rest.burst is 0; use 1 or more")
    }

    @Test("Unknown names in settings are told with the known ones")
    func unknownNames() async {
        let kind = await Self.error { $0.sessions.journaling = ["thinking": true] }
        expectEqual(kind?.hasPrefix("\"thinking\" is no kind of event; use one of: sessionStarted,"), true)
        expectEqual(kind?.contains("liveAgentStatus"), false, "the Messaging API has no event for it")
        let status = await Self.error { $0.sessions.journaling = ["liveAgentStatus": true] }
        expectEqual(
            status,
            "sessions.journaling has liveAgentStatus; take it out: the Messaging API has no event for it"
        )
        let frame = await Self.error { $0.sessions.journaling = ["sessionStarted": false] }
        expectEqual(
            frame,
            "sessions.journaling leaves out sessionStarted; every history begins and ends with its session"
        )
        let problem = await Self.error { $0.replies.agentErrors = [.init(at: .reply(1), problem: "oops")] }
        expectEqual(problem?.hasPrefix("\"oops\" is no known problem; use one of: "), true)
    }

    @Test("The longest of times are no trap")
    func longTimes() async throws {
        try await World.run {
            $0.sessions.idle = .seconds(Int64.max)
            $0.connections.idle = .seconds(Int64.max)
            $0.limits.keepAliveTime = .seconds(Int64.max)
            $0.fixtureText = fixture("")
        } _: { world in
            let (_, talk) = try await world.greeted()
            await world.pass(.hours(10_000))
            talk.heartbeat()
            try await expectEqual(talk.event("HEARTBEAT").sequence, nil)
        }
    }

    @Test("The same seed gives the same ids, another seed others")
    func seeds() async throws {
        func run(_ seed: UInt64) async throws -> [String] {
            try await World.run {
                $0.seed = seed
            } _: { world in
                let (session, talk) = try await world.greeted()
                talk.say("hello")
                try await world.reply(talk)
                return [session.id] + talk.events.map(\.description)
            }
        }
        let first = try await run(7)
        try await expectEqual(run(7), first)
        let other = try await run(8)
        #expect(Set(first).isDisjoint(with: other))
    }

    static func error(_ change: (inout Configuration) -> Void) async -> String? {
        var configuration = Configuration()
        change(&configuration)
        do {
            await (try MockServer.start(configuration)).stop()
            return nil
        } catch {
            return error.description
        }
    }
}
