@_exported public import Clocks
import ConversationEngine
import MockServer

/// The controls of a ``Mock``'s clock, which server, chats and network share.
///
/// ```swift
/// mock.clock.advance(by: .minutes(5))      // takes milliseconds
/// try await mock.clock.catchUp()
/// try await mock.expect(.heartbeat, exactly: 10)
/// try await mock.clock.untilIdle()         // no scripted step is left
/// try await mock.clock.runNextTimer()      // the next heartbeat
/// ```
public struct MockClock: Sendable {
    /// A timer that is armed.
    public struct PendingTimer: Sendable, Equatable, CustomStringConvertible {
        /// The pending step, such as `next chunk of reply 2`, or the timer's owner, such as `chat 1`, `network` or
        /// `server`.
        public let name: String
        /// Time until the timer is due.
        public let delay: Interval

        /// For example `chat 1 in 30 s`.
        public var description: String { "\(name) in \(delay)" }
    }

    let mock: Mock

    /// The mock time since the start, including all calls of ``advance(by:)``.
    public var elapsed: Interval { max(mock.base.now, mock.target.withLock { $0 }) - mock.start }

    /// Lets time pass; negative durations do nothing. A virtual clock moves from deadline to deadline during the next
    /// awaited call of the mock or its chats. Other clocks jump at once, so timers due in between fire late.
    public func advance(by duration: Interval) {
        mock.note(.time)
        let interval = max(duration, .zero)
        guard let virtual = mock.virtual else { return mock.base.advance(to: mock.base.now + interval) }
        mock.target.withLock { $0 = max($0, virtual.now) + interval }
    }

    /// Lets the time of all calls of ``advance(by:)`` pass, and waits until the mock is idle.
    /// - Throws: ``MockError`` when the mock does not become idle.
    public func catchUp() async throws { try await mock.catchUp() }

    /// Lets time pass until no scripted step is left. Heartbeats, idle timeouts and token expiry do not count.
    /// - Throws: ``MockError`` when that takes longer than an hour of mock time.
    public func untilIdle() async throws { try await mock.untilIdle() }

    /// Moves time to the next timer and runs it. Returns false without a timer or a virtual clock.
    /// - Throws: ``MockError`` when the mock does not become idle.
    @discardableResult
    public func runNextTimer() async throws -> Bool { try await mock.runNextTimer() }

    /// Armed timers of sessions, chats and the network, soonest first. Empty unless the clock is virtual.
    public var pendingTimers: [PendingTimer] {
        get async throws {
            guard let virtual = mock.virtual else { return [] }
            try await mock.catchUp()
            let now = virtual.now
            let scripted = await mock.server.inspect { server in
                server.pendingTimers.map { (name: $0.name, deadline: $0.deadline) }
            }
            // The server's only timer is left out if a scripted step has the same deadline.
            let others = virtual.pendingTimers.filter { timer in
                timer.name != Self.serverName || !scripted.contains { $0.deadline == timer.deadline }
            }
            let all = (scripted + others).enumerated().sorted { left, right in
                (left.element.deadline, left.offset) < (right.element.deadline, right.offset)
            }
            return all.map { PendingTimer(name: $0.element.name, delay: $0.element.deadline - now) }
        }
    }

    static let serverName = "server"
}
