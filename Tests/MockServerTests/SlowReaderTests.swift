import Clocks
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts
import WebSocketCore

@testable import MockServer

/// A client that does not read, under every fault that holds messages back: the others must not notice.
@Suite("Slow readers under faults", .timeLimit(.minutes(5)))
struct SlowReaderTests {
    static let faults = ["delay: '1s'", "stall: '2s'", "swap: 'event'", "repeat: 'event'"]
    private static let messages = 160
    /// Longer than anything but a reply.
    private static let replyBytes = 50_000

    /// Each message is answered with 60 KB: more than kernels keep for a socket.
    private static func settings(_ effect: String) -> (inout Configuration) -> Void {
        { configuration in
            configuration.fixtureText = """
                {
                  fixture: 1, name: "Long", pace: "p", paces: { p: { think: "0ms", every: "0ms" } },
                  greeting: [ { say: "Welcome." } ],
                  anywhere: [ { hears: "*", replies: [ { say: "\(String(repeating: "word ", count: 12_000))" } ] } ],
                  faults: { t: { at: "any event", do: { \(effect) }, times: 1000000 } },
                }
                """
            configuration.limits.stallTime = .seconds(3_600_000)
            configuration.limits.writeBufferBytes = 32 << 20
            configuration.connections.idle = .seconds(3_600_000)
            configuration.sessions.idle = .seconds(3_600_000)
        }
    }

    private static func talk(_ world: World) async throws -> Talk {
        let token = try await world.client.token(connector: "mock:webchat+t")
        return try await world.client.connect(try await world.client.session(token: token))
    }

    private func isServed(_ world: World) async throws {
        try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
    }

    /// The client reads again and gets every reply. No ping asks for that: its answer would wait behind the fault.
    private func readsAll(_ world: World, _ talk: Talk, _ pass: () async throws -> Void) async throws {
        talk.line.resumeReading()
        for _ in 0..<10_000 {
            try await pass()
            try await isServed(world)
            // Counted by their size: reading all of them anew in each round takes minutes.
            let replies = talk.line.items.all.count {
                if case .text(let bytes) = $0 { bytes.count > Self.replyBytes } else { false }
            }
            if replies >= Self.messages { return }
        }
        let types = Dictionary(grouping: talk.events, by: \.type).mapValues(\.count)
        Issue.record("only these events came: \(types)")
    }

    @Test("On a clock that a test moves, time passes and the others are served", arguments: faults)
    func steered(effect: String) async throws {
        try await World.run(Self.settings(effect)) { world in
            let talk = try await Self.talk(world)
            talk.join()
            talk.line.pauseReading()
            for _ in 0..<Self.messages { talk.say("Hi") }
            for _ in 0..<20 {
                await world.pass(.seconds(1))
                try await isServed(world)
            }
            try await readsAll(world, talk) { await world.pass(.seconds(3)) }
        }
    }

    @Test("On the server's own clock, stopped and moved over HTTP, the orders end", arguments: faults)
    func steeredOverHTTP(effect: String) async throws {
        try await World.run { configuration in
            Self.settings(effect)(&configuration)
            configuration.clock = nil
        } _: { world in
            let control = try await ControlClient(world)
            _ = try await control.post("clock", #"{"mode":"frozen"}"#)
            let talk = try await Self.talk(world)
            talk.join()
            talk.line.pauseReading()
            for _ in 0..<Self.messages { talk.say("Hi") }
            var orders = [#"{"advance":"10s"}"#, #"{"untilIdle":true}"#, #"{"advance":"10s"}"#]
            // The others hold nothing back for a time: what comes next is the end of the session.
            if effect.hasPrefix("delay") || effect.hasPrefix("stall") { orders.append(#"{"next":true}"#) }
            for order in orders {
                try await expectEqual(control.post("clock", order).status, 200)
            }
            try await readsAll(world, talk) { _ = try await control.post("clock", #"{"advance":"3s"}"#) }
        }
    }

    @Test(
        "In real time the others are served",
        arguments: ["delay: '5ms'", "stall: '10ms'", "swap: 'event'"] as [String])
    func inRealTime(effect: String) async throws {
        try await World.run { configuration in
            Self.settings(effect)(&configuration)
            configuration.clock = nil
        } _: { world in
            let talk = try await Self.talk(world)
            talk.join()
            talk.line.pauseReading()
            for _ in 0..<Self.messages { talk.say("Hi") }
            for _ in 0..<50 { try await isServed(world) }
            try await readsAll(world, talk) {}
        }
    }

    @Test("The shipped profile of a hotel's network holds up a slow reader, and no one else")
    func hotel() async throws {
        try await World.run {
            $0.fixtureText = "{fixture:1,otherwise:[{replies:[{say:\"{message}\"}]}]}"
            $0.limits.stallTime = .seconds(600)
            $0.limits.writeBufferBytes = 32 << 20
        } _: { world in
            let token = try await world.client.token(connector: "mock:webchat+hotel-wifi@pace=instant")
            let session = try await world.client.session(token: token)
            // The profile delays the first handshake.
            let opened = Locked(false)
            async let opening = {
                defer { opened.withLock { $0 = true } }
                return try await world.client.connect(session)
            }()
            while !opened.withLock({ $0 }) { await world.pass(.seconds(1)) }
            let talk = try await opening
            talk.join()
            talk.line.pauseReading()
            let text = String(repeating: "a", count: 60_000)
            for _ in 0..<Self.messages { talk.say(text) }
            for _ in 0..<30 {
                await world.pass(.seconds(1))
                try await isServed(world)
            }
        }
    }
}
