import Clocks
import ConversationEngine
import Expectations
import HTTPClient
import MockServer
import PolyMessaging
import SocketTransport
import TestSupport
import Testing

@testable import LoadTest

@Suite("A load test against a server", .timeLimit(.minutes(5)))
struct LoadRunTests {
    /// Time for server and users that passes faster than real time, so that pauses of the SDK take no time.
    static func clock(_ factor: Double) -> DrivenClock {
        let clock = DrivenClock(SystemClock())
        _ = clock.setMode(.scaled(factor))
        return clock
    }

    static func run(
        _ plan: LoadPlan, url: String, token: String = "mock:hello@pace=instant", clock: any EventClock
    ) async throws -> LoadSummary {
        let network = HTTPClient(
            label: "test.load", clock: SystemClock(), seed: 1, unsentBytes: 4 << 20)
        let run = LoadRun(
            plan, target: try LoadTarget(url), token: token, clock: clock, web: network)
        let summary = try await run.run()
        await network.close()
        return summary
    }

    static func serve(
        _ clock: DrivenClock, _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> MockServer {
        var configuration = ServerConfiguration()
        configuration.clock = clock
        configuration.seed = 1
        configuration.connections.handshakeDelay = .zero
        configuration.connections.firstFrameDelay = .zero
        // A clock that runs twenty times as fast leaves a slow machine half a second of the usual ten.
        configuration.limits.handshakeTime = .seconds(12_000)
        configuration.limits.keepAliveTime = .seconds(12_000)
        change(&configuration)
        return try await MockServer.start(configuration)
    }

    static func plan(_ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        var plan = LoadPlan(talks: [LoadTalk(saying: ["hello", "and again"])])
        plan.sessions = 20
        plan.messages = 100
        plan.duration = .minutes(60)
        plan.patience = .minutes(30)
        change(&plan)
        return plan
    }

    @Test("Twenty sessions get an echo and an answer for each of a hundred messages")
    func counts() async throws {
        let clock = Self.clock(1)
        let server = try await Self.serve(clock)
        let summary = try await Self.run(Self.plan(), url: server.url, clock: clock)
        #expect(summary.tally.opened == 20 && summary.tally.failed == 0)
        #expect(summary.tally.sent == 100 && summary.tally.echoed == 100 && summary.tally.answered == 100)
        #expect(summary.tally.connecting.count == 20 && summary.tally.echo.count == 100)
        #expect(summary.tally.reply.count == 100 && summary.tally.errors == [:] && summary.passes)
        // Everybody has said goodbye.
        let open = await server.inspect { inspection in
            inspection.sessions.count { if case .ended = $0.responder { false } else { true } }
        }
        expectEqual(open, 0)
        await server.stop()
    }

    @Test("At a rate, just as many are sent and answered")
    func rate() async throws {
        let clock = Self.clock(1)
        let server = try await Self.serve(clock)
        let plan = Self.plan { $0.rate = 2_000 }
        let summary = try await Self.run(plan, url: server.url, clock: clock)
        #expect(summary.tally.sent == 100 && summary.tally.answered == 100 && summary.passes)
        await server.stop()
    }

    @Test("A server that admits nobody shows as refused tokens, and the run ends by itself")
    func refused() async throws {
        let clock = Self.clock(20)
        let server = try await Self.serve(clock) {
            $0.connectors = [.init(token: "other", id: "x", hosts: [])]
        }
        let summary = try await Self.run(Self.plan(), url: server.url, token: "demo", clock: clock)
        #expect(summary.tally.failed == 20 && summary.tally.opened == 0 && summary.tally.sent == 0)
        #expect(summary.tally.errors.keys.contains { $0.description.hasPrefix("access-token: HTTP 4") })
        #expect(summary.tally.errors[LoadError.noSession("unauthorized")] == 20 && !summary.passes)
        await server.stop()
    }

    @Test("A server that is not there shows as requests without an answer")
    func absent() async throws {
        let summary = try await TakenPort.with { taken in
            try await Self.run(
                Self.plan { $0.sessions = 3 }, url: "http://127.0.0.1:\(taken.port)", clock: Self.clock(20))
        }
        #expect(summary.tally.failed == 3 && summary.tally.opened == 0)
        let silent = summary.tally.errors.filter { error, _ in
            if case .unanswered("access-token", _) = error { true } else { false }
        }
        // The SDK asks four times before it gives up.
        expectEqual(silent.values.reduce(0, +), 12)
    }

    @Test(
        "A connection that drops in the middle of a reply is an error, and the SDK brings the answer all the same"
    )
    func dropped() async throws {
        // The SDK waits twelve seconds for a message: on a busy machine a twentieth of that may pass unnoticed.
        let clock = Self.clock(4)
        let server = try await Self.serve(clock)
        let plan = Self.plan {
            $0.talks = [LoadTalk(opening: .replies(1), lines: [LoadLine("a table, please")], repeats: false)]
            $0.sessions = 4
            $0.messages = 4
        }
        let summary = try await Self.run(plan, url: server.url, token: "mock:booking+tunnel", clock: clock)
        expectEqual(summary.tally.errors, [LoadError.closed(code: 1006): 4])
        #expect(summary.tally.sent == 4 && summary.tally.answered == 4 && !summary.passes)
        await server.stop()
    }

    @Test("An interrupted run tells what it has measured")
    func interrupted() async throws {
        let clock = Self.clock(1)
        let server = try await Self.serve(clock)
        let network = HTTPClient(
            label: "test.load", clock: SystemClock(), seed: 1, unsentBytes: 4 << 20)
        let (ticks, feed) = AsyncStream.makeStream(of: LoadSnapshot.self)
        let run = LoadRun(
            Self.plan { $0.messages = nil }, target: try LoadTarget(server.url),
            token: "mock:hello@pace=instant", clock: clock, web: network,
            progress: .init(every: .milliseconds(1)) { feed.yield($0) })
        async let result = run.run()
        for await tick in ticks where tick.tally.answered > 10 { break }
        run.interrupt()
        let summary = try await result
        #expect(summary.isInterrupted && summary.passes && summary.tally.answered > 10)
        await network.close()
        await server.stop()
    }

    @Test("Of two servers one is not there: its part of the load fails, and the other's does not")
    func oneOfTwo() async throws {
        let clock = Self.clock(20)
        let server = try await Self.serve(clock)
        let plan = Self.plan { $0.sessions = 6 }
        let report = try await TakenPort.with { taken in
            let urls = [server.url, "http://127.0.0.1:\(taken.port)"]
            async let alive = Self.run(plan.part(0, of: 2), url: urls[0], clock: clock)
            async let dead = Self.run(plan.part(1, of: 2), url: urls[1], clock: clock)
            return LoadReport([(urls[0], try await alive), (urls[1], try await dead)])
        }
        let (alive, dead) = (report.shards[0].summary, report.shards[1].summary)
        #expect(alive.passes && alive.tally.opened == 3 && alive.tally.answered == 50)
        #expect(dead.tally.opened == 0 && dead.tally.failed == 3 && dead.tally.unanswered == 12)
        #expect(report.total.tally.echo == alive.tally.echo && !report.passes)
        expectEqual(report.lines.last, "\(report.shards[1].url) does not answer")
        await server.stop()
    }
}
