import Clocks
import Expectations
import Foundation
import MockKit
import MockServer
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("Outages", .timeLimit(.minutes(5)))
struct OutageTests {
    @Test("CO-208 A server that restarts knows nothing: another session, another greeting")
    func restart() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "before")
            let (old, port) = (try stage.sessionID(chat), try stage.server.port)
            try await stage.stopServer()
            try await stage.startServer(port: port)
            try await stage.play("the new greeting", chat) { chat in
                chat.messages.lines == ["poly: Welcome."] && chat.isReady
            }
            #expect(try stage.sessionID(chat) != old)
            try await stage.ask(chat, "after")
            try await expectEqual(stage.heard(in: stage.sessionID(chat)), ["after"])
        }
    }

    @Test("A server that restarts with its seed gives the old id again: another session all the same")
    func restartWithTheSameSeed() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.seed = 7
        } _: { stage in
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "before")
            let (old, port) = (try stage.sessionID(chat), try stage.server.port)
            try await stage.stopServer()
            try await stage.startServer(port: port)
            try await chat.send("are you there?")
            try await stage.play("the answer", chat) { chat in
                chat.agentMessages.map(\.text) == ["Welcome.", "You said are you there?."] && chat.isReady
            }
            // Else the seed no longer makes the same ids, and this has to be tested another way.
            try expectEqual(stage.sessionID(chat), old)
            #expect(chat.userMessages.map(\.delivery) == [.sent] && chat.systemMessages.isEmpty)
            try await expectEqual(stage.heard(in: old), ["are you there?"])
            expectEqual(stage.tap.sent("REQUEST_POLY_AGENT_JOIN").count, 2)
        }
    }

    @Test("A stored session of a server that restarted with the same seed is not mixed with the new one")
    func storedBeforeRestart() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.seed = 7
        } _: { stage in
            let first = try await stage.greetedChat()
            let (old, port) = (try stage.sessionID(first), try stage.server.port)
            await first.client.shutdown()
            try await stage.stopServer()
            try await stage.startServer(port: port)
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "hello")
            try expectEqual(stage.sessionID(chat), old)
            expectEqual(chat.messages.lines, ["poly: Welcome.", "me: hello", "poly: You said hello."])
        }
    }

    @Test("CO-205, UI-253 Offline at launch: nothing is dialled; the network's return starts everything once")
    func offlineAtLaunch() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            stage.monitor.set(isReachable: false)
            let chat = try stage.chat()
            await #expect(throws: PolyError.self) { try await stage.during { try await chat.send("hi") } }
            try await stage.pass(.minutes(5))
            await chat.catchUp()
            #expect(stage.tap.requested.isEmpty && stage.tap.dialled.isEmpty)
            #expect(chat.agentMessages.isEmpty && chat.failureReason != nil)
            stage.monitor.set(isReachable: true)
            try await stage.play("the greeting", chat) { $0.agentMessages.count == 1 }
            expectEqual(stage.tap.requested, ["access-token", "sessions"])
            expectEqual(stage.tap.dialled.count, 1)
            expectEqual(chat.failureReason, nil)
            try await chat.send("hi")
            try await stage.play("the answer", chat) { $0.agentMessages.count == 2 }
        }
    }

    @Test("CO-206, CO-207 A network that is lost drops the connection at once; its return heals it")
    func networkLost() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            stage.monitor.set(isReachable: false)
            try await stage.settle()
            await chat.catchUp()
            expectEqual(chat.connection, .reconnecting(attempt: 1))
            try await stage.pass(.minutes(5))
            await chat.catchUp()
            #expect(stage.tap.dialled.count == 1 && !chat.connection.isFailed)
            stage.monitor.set(isReachable: true)
            try await stage.play("the recovery", chat, within: .zero) { $0.isReady }
            expectEqual(stage.tap.dialled.count, 2)
            expectEqual(chat.messages.lines, ["poly: Welcome."])
        }
    }

    @Test("CO-217 The network's return after the end of a chat creates nothing")
    func networkAfterEnd() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.during { try await chat.end() }
            stage.monitor.set(isReachable: false)
            stage.monitor.set(isReachable: true)
            stage.lifecycle.comeToFront()
            try await stage.pass(.minutes(5))
            #expect(stage.tap.requested.count == 2 && stage.tap.dialled.count == 1)
        }
    }

    @Test("UI-270 Ten failed tries end in a failure; resume() returns to the same session and its rows")
    func exhausted() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.sessions.maxReconnectAttempts = 10
            $0.sessions.idle = .seconds(3_600)
        } _: { stage in
            let chat = try await stage.greetedChat()
            let id = try stage.sessionID(chat)
            stage.tap.decide(Array(repeating: .unsent, count: 10))
            stage.tap.cutAll()
            try await stage.play("the failure", chat, within: .minutes(9)) { $0.connection.isFailed }
            expectEqual(chat.failureReason, .session(.maxReconnectAttemptsExceeded))
            expectEqual(stage.tap.dialled.count, 11)
            try await stage.during { try await chat.client.resume() }
            await chat.catchUp()
            #expect(chat.isReady && chat.failureReason == nil)
            #expect(try stage.sessionID(chat) == id && chat.messages.lines == ["poly: Welcome."])
            try await stage.ask(chat, "again")
        }
    }

    @Test("CO-215 A connection older than two hours is made anew with its cursor")
    func recycled() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat { $0.sessionTimeoutSeconds = 100_000 }
            try await stage.pass(.hours(2) - .seconds(1))
            expectEqual(stage.tap.dialled.count, 1)
            try await stage.pass(.seconds(5))
            await chat.catchUp()
            #expect(stage.tap.dialled.count == 2 && chat.isReady)
            expectEqual(stage.tap.dialled.last?.contains("cursor=4"), true)
            expectEqual(chat.messages.lines, ["poly: Welcome."])
        }
    }

    @Test("CO-212, UI-260 An idle chat expires: ended, with a failure, closed; a new chat can follow")
    func idle() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.pass(.seconds(599))
            await chat.catchUp()
            #expect(!chat.hasEnded)
            try await stage.play("the expiry", chat, within: .seconds(5)) { $0.hasEnded }
            expectEqual(chat.failureReason, .session(.sessionExpired))
            try await stage.play("the close", chat, within: .seconds(5)) { !$0.isReady }
            #expect(chat.systemMessages.isEmpty)
            await #expect(throws: PolyError.session(.sessionExpired)) { try await chat.send("late") }
            try await stage.during { try await chat.client.startNewSession() }
            try await stage.play("the new greeting", chat) { $0.messages.lines == ["poly: Welcome."] }
            #expect(chat.failureReason == nil && !chat.hasEnded)
        }
    }

    @Test("SESS-194 The configured timeout is honoured when it is longer")
    func longTimeout() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat { $0.sessionTimeoutSeconds = 3_600 }
            try await stage.pass(.seconds(3_000))
            try await stage.ask(chat, "still here")
            expectEqual(stage.tap.requested.count, 2)
        }
    }

    @Test("CO-218 Coming to the front after a long sleep expires the session")
    func longSleep() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat { $0.heartbeatIntervalSeconds = 0 }
            // A device that sleeps runs no timers: they all fire late, at the same moment.
            stage.clock.advance(by: .seconds(3_000))
            stage.lifecycle.comeToFront()
            try await stage.settle()
            await chat.catchUp()
            #expect(chat.hasEnded)
        }
    }

    @Test("SESS-195 A token is used until it is over, then another session is made")
    func tokenNearExpiry() async throws {
        try await Stage.run(fixture: fixture("")) {
            $0.tokens.life = .seconds(1_000)
        } _: { stage in
            let chat = try await stage.greetedChat { $0.sessionTimeoutSeconds = 100_000 }
            let id = try stage.sessionID(chat)
            // With more than 300 s left, and with fewer.
            for (dials, pause) in [(2, Interval.seconds(690)), (3, .seconds(290))] {
                try await stage.pass(pause)
                stage.tap.cutAll()
                try await stage.play("the recovery", chat) { chat in
                    chat.isReady && stage.tap.dialled.count == dials
                }
                #expect(try stage.sessionID(chat) == id && stage.tap.requested.count == 2)
            }
            try await stage.pass(.seconds(30))
            stage.tap.cutAll()
            try await stage.play("the new greeting", chat) { chat in
                stage.tap.requested.count == 4 && chat.messages.lines == ["poly: Welcome."]
                    && chat.isReady
            }
            #expect(try stage.sessionID(chat) != id)
        }
    }

    @Test("SESS-191 A stored session past its window is not resumed")
    func staleStore() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let first = try await stage.greetedChat()
            let config = first.client.config
            await first.client.shutdown()
            #expect(PolyMessaging.hasResumableSession(config, in: stage.store, at: stage.clock.now))
            try await stage.pass(.seconds(601))
            #expect(!PolyMessaging.hasResumableSession(config, in: stage.store, at: stage.clock.now))
            _ = try await stage.greetedChat()
            expectEqual(stage.tap.requested.count, 4)
        }
    }
}
