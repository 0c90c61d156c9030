import Expectations
import MockKit
import MockServer
import PolyMessaging
import Testing

@Suite("Time of the test kit", .timeLimit(.minutes(5)))
struct TimeTests {
    @Test("A session that nobody is in any more ends after ten minutes of mock time")
    func idleEnd() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            try await chat.leave()
            mock.clock.advance(by: .minutes(10))
            try await mock.expect(.sessionEnded(.abandoned), exactly: 1)
            #expect(mock.clock.elapsed >= .minutes(10))
        }
    }

    @Test("Time that was let pass last passes before the mock stops")
    func trailing() async throws {
        let mock = try await withMock { mock in
            _ = try await mock.chat()
            mock.clock.advance(by: .minutes(10))
            return mock
        }
        expectEqual(mock.observedEvents.count { Pattern.heartbeat.matches($0) }, 20)
    }

    @Test(
        "A lost connection heals while the token lives; after its 24 hours another session begins",
        arguments: [23, 24] as [Int])
    func tokenExpiry(hours: Int) async throws {
        try await withMock {
            $0.changes.append { settings in
                settings.sessions.heartbeatInterval = .zero
                settings.sessions.idle = .hours(48)
                settings.connections.idle = .hours(48)
            }
        } _: { mock in
            let chat = try await mock.chat { $0.sessionTimeoutSeconds = 200_000 }
            mock.clock.advance(by: .hours(hours))
            try await mock.clock.catchUp()
            mock.network.cut()
            try await mock.clock.untilIdle()
            try await expectEqual(chat.messages.isEmpty, false)
            // The SDK asks for another token, and a token opens its own session only (protocol.md#token-binding).
            try await mock.expect(.sessionStarted, exactly: hours == 23 ? 1 : 2)
        }
    }

    @Test("Four refused tries and the fifth that heals take as long as the SDK says, in mock time")
    func backOff() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            let before = mock.clock.elapsed
            mock.network.refuse(4)
            mock.network.cut()
            try await mock.expect(.reconnect, within: .minutes(5))
            try await mock.expect(.join, exactly: 1)
            #expect(mock.clock.elapsed - before > .seconds(5))
            try await expectEqual(chat.messages.isEmpty, false)
        }
    }

    @Test(
        "Armed timers have names, the next one first; each runs at its own instant"
    )
    func timers() async throws {
        try await withMock(fixture("", pace: #"{ think: "700ms", every: "0ms" }"#)) { mock in
            _ = try await mock.chat()
            let timers = try await mock.clock.pendingTimers
            expectEqual(timers.first?.delay, .milliseconds(700))
            expectEqual(timers.first?.name, "thinking before reply 1")
            #expect(timers.map(\.name).contains("chat 1"))
            try await mock.expect(never: .reply)
            #expect(try await mock.clock.runNextTimer())
            try await mock.expect(.reply("Welcome"), exactly: 1)
            expectEqual(mock.clock.elapsed, .milliseconds(700))
        }
    }

    @Test("Until quiet lets a reply end and waits for nothing else")
    func untilIdle() async throws {
        try await withMock(fixture("", pace: #"{ think: "3s", every: "0ms" }"#)) { mock in
            let chat = try await mock.chat()
            try await chat.say("hello")
            try await mock.clock.untilIdle()
            try await expectEqual(chat.replies, ["Welcome.", "You said hello."])
            expectEqual(mock.clock.elapsed, .seconds(6))
        }
    }

    @Test("A check that already holds moves no time")
    func holdsAlready() async throws {
        try await withMock(fixture("")) { mock in
            let chat = try await mock.chat()
            try await chat.say("hello")
            try await mock.expect(.reply("you said HELLO"))
            let before = mock.clock.elapsed
            try await mock.expect(.reply("you said HELLO"), within: .hours(1))
            try await mock.expect(.join, exactly: 1, within: .hours(1))
            try await mock.expectInOrder([.join, .userMessage("hello"), .reply], within: .hours(1))
            expectEqual(mock.clock.elapsed, before)
        }
    }

    @Test("What never comes costs all the time that was given, and no more")
    func never() async throws {
        try await withMock(fixture("")) { mock in
            _ = try await mock.chat()
            try await mock.expect(never: .reconnect, within: .minutes(2))
            expectEqual(mock.clock.elapsed, .minutes(2))
            await #expect(throws: ExpectationFailure.self) {
                try await mock.expect(.queue, within: .seconds(5))
            }
            expectEqual(mock.clock.elapsed, .seconds(125))
        }
    }

    @Test("The same talk goes on a clock that runs five times as fast")
    func scaled() async throws {
        try await withMock(fixture("", pace: #"{ think: "2s", every: "0ms" }"#)) {
            $0.time = .scaled(5)
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("hello")
            try await mock.expect(.reply("You said hello"), within: .minutes(10))
            #expect(try await mock.clock.pendingTimers.isEmpty)
        }
    }

    @Test(
        "A clock that is far too fast or too slow is refused with the range",
        arguments: [0, -1, 0.000_9, 1_001, 1e300, .infinity, .nan] as [Double])
    func badScale(factor: Double) async {
        let plan: MockPlan = {
            var plan = MockPlan("booking")
            plan.time = .scaled(factor)
            return plan
        }()
        let error = await #expect(throws: ServerError.self) { try await Mock.start(plan) }
        expectEqual(error?.description, "the clock is scaled by \(factor); use a number from 0.001 to 1000")
    }

    @Test("Clocks that move by themselves can jump ahead")
    func jump() async throws {
        try await withMock(fixture("")) {
            $0.time = .real
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.leave()
            mock.clock.advance(by: .minutes(10))
            try await mock.expect(.sessionEnded(.abandoned), within: .seconds(30))
        }
    }

    @Test("The same talk in real time gives the same journal, but for its stamps")
    func sameJournal() async throws {
        func journal(_ time: MockPlan.Time) async throws -> [String] {
            try await withMock(fixture("")) {
                $0.time = time
            } _: { mock in
                let chat = try await mock.chat()
                try await mock.expect(.reply("Welcome"))
                for text in ["one", "two"] {
                    try await chat.say(text)
                    try await mock.expect(.reply("You said \(text)"))
                }
                try await chat.end()
                try await mock.expect(.sessionEnded(.user))
                return mock.observedEvents.compactMap { observed in
                    observed.sequence.map { "\($0) \(observed.session) \(observed.type) \(observed.text)" }
                }
            }
        }
        let still = try await journal(.virtual)
        #expect(still.count > 6)
        try await expectEqual(journal(.real), still)
    }

    @Test("Two tasks that wait on one mock move its time together")
    func twoWaiters() async throws {
        try await withMock(fixture("", pace: #"{ think: "1s", every: "0ms" }"#)) { mock in
            let (one, other) = (try await mock.chat(), try await mock.chat())
            async let left: Void = one.say("left")
            async let right: Void = other.say("right")
            _ = try await (left, right)
            async let first: Void = mock.expect(.reply("You said left"), within: .minutes(1))
            async let second: Void = mock.expect(.reply("You said right"), within: .minutes(1))
            _ = try await (first, second)
            try await mock.expect(.userMessage, exactly: 1, in: one)
            try await mock.expect(never: .reply("left"), in: other)
            try await mock.expect(.join, exactly: 2)
        }
    }
}

@Suite("What a missed deadline tells", .timeLimit(.minutes(5)))
struct MissedDeadlineTests {
    @Test("The next step of the script is named, with how much later it was due, and the last message")
    func dueNext() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            try await mock.expect(.reply("For how many people?"))
            try await chat.say("twelve")
            try await mock.expect(.queue(3), within: .minutes(1))
            let failure = await #expect(throws: ExpectationFailure.self) {
                try await mock.expectInOrder([.queue(3), .queue(2)], within: .seconds(6))
            }
            let text = failure?.text ?? ""
            #expect(text.hasPrefix("Expected 2 things in order within 6 s for all of them; number 2, "))
            #expect(text.contains("\nLast said: message 2, \"twelve\" (TimeTests.swift:"), "\(text)")
            #expect(text.contains("\nDue next: queue update 2, 2 s after the deadline.\n"), "\(text)")
        }
    }

    @Test("A mock that moves by steps says that the test runs the timers")
    func steps() async throws {
        try await withMock {
            $0.movement = .step
        } _: { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            let failure = await #expect(throws: ExpectationFailure.self) {
                try await mock.expect(.reply("For how many people?"))
            }
            let text = failure?.text ?? ""
            #expect(text.hasPrefix("Expected a reply with \"For how many people?\", saw none."), "\(text)")
            #expect(text.contains("this mock moves by steps, clock.runNextTimer() runs it."), "\(text)")
        }
    }

    @Test("Idleness of a client that is still there never comes, and the text says what to do")
    func idle() async throws {
        try await withMock { mock in
            let chat = try await mock.chat()
            // The SDK itself closes a connection on which nothing is said for ten minutes.
            mock.clock.advance(by: .minutes(5))
            let failure = await #expect(throws: ExpectationFailure.self) {
                try await mock.expect(.sessionEnded(.abandoned))
            }
            let text = failure?.text ?? ""
            #expect(text.contains("chat.leave() lets the idle time begin."), "\(text)")
            try await chat.leave()
            let early = await #expect(throws: ExpectationFailure.self) {
                try await mock.expect(.sessionEnded(.abandoned), within: .seconds(1))
            }
            expectEqual(early?.text.contains("\nDue next: idle timeout, "), true, "\(early?.text ?? "")")
            try await mock.expect(.sessionEnded(.abandoned), within: .hours(1))
        }
    }
}

@Suite("How the world moves", .timeLimit(.minutes(5)))
struct MovementTests {
    /// The second example of the booking fixture: a dozen meet Marta.
    @Test(
        "The handoff of the booking fixture passes under time, step and at once",
        arguments: MockPlan.Movement.allCases)
    func handoff(_ movement: MockPlan.Movement) async throws {
        try await withMock {
            $0.movement = movement
        } _: { mock in
            func reach(_ pattern: Pattern) async throws {
                if movement == .step {
                    while !mock.observedEvents.contains(where: pattern.matches) {
                        try #require(try await mock.clock.runNextTimer(), "nothing more happens")
                    }
                }
                try await mock.expect(pattern, within: movement == .time ? .minutes(2) : .zero)
            }
            let chat = try await mock.chat()
            for (said, heard) in [("a table", "For how many people?"), ("twelve", "fetch my colleague")] {
                try await chat.say(said)
                try await reach(.reply(heard))
            }
            for position in [3, 2, 1] { try await reach(.queue(position)) }
            try await reach(.liveAgentMessage("a table for 12"))
            try await chat.say("thanks")
            try await reach(.liveAgentMessage("See you soon"))
            try await reach(.sessionEnded(.natural))
            try await mock.expectInOrder([
                .handoff(.accepted), .queue(3), .queue(2), .queue(1), .liveAgentJoined, .liveAgentLeft,
                .sessionEnded,
            ])
        }
    }
}
