@_exported public import Clocks
import ConversationEngine
import MockServer

/// Moves the time of one ``Mock``: server, chats and network together.
///
/// ```swift
/// mock.clock.advance(by: .minutes(5))      // takes milliseconds
/// try await mock.expect(.heartbeat, exactly: 10)
/// ```
public struct MockClock: Sendable {
    /// A timer that is armed.
    public struct PendingTimer: Sendable, Equatable, CustomStringConvertible {
        /// The pending step, such as `next chunk of reply 2`, or the owner of the timer: `chat 1`, `network`,
        /// `server`.
        public let name: String
        /// Time until the timer is due.
        public let delay: Interval

        /// `chat 1 in 30 s`.
        public var description: String { "\(name) in \(delay)" }
    }

    let mock: Mock

    /// The running time of the mock by its own clock, including all calls of ``advance(by:)``.
    public var elapsed: Interval { max(mock.base.now, mock.target.withLock { $0 }) - mock.start }

    /// Lets time pass; negative lengths do nothing. On a virtual clock the time passes, deadline by deadline,
    /// before the next awaited call of the mock or its chats returns. Other clocks jump at once, and
    /// everything that falls due on the way is handled late.
    public func advance(by duration: Interval) {
        mock.note(.time)
        let interval = max(duration, .zero)
        guard let virtual = mock.virtual else { return mock.base.advance(to: mock.base.now + interval) }
        mock.target.withLock { $0 = max($0, virtual.now) + interval }
    }

    /// Returns when the time of all calls of ``advance(by:)`` has passed, and nothing is under way.
    ///
    /// - Throws: ``MockError`` when the mock never comes to rest.
    public func catchUp() async throws { try await mock.catchUp() }

    /// Lets time pass until no scripted step is left. Heartbeats, idle times and the end of tokens do not count.
    ///
    /// - Throws: ``MockError`` when that takes longer than an hour of mock time.
    public func untilIdle() async throws { try await mock.untilIdle() }

    /// Moves time to the timer that is due next, and runs it; false when no timer is armed, or when this clock moves
    /// automatically.
    ///
    /// - Throws: ``MockError`` when the mock never comes to rest.
    @discardableResult
    public func runNextTimer() async throws -> Bool { try await mock.runNextTimer() }

    /// Armed timers, the next one first: pending steps of sessions, by name, and the timers of the chats and of the
    /// network. Empty for clocks that move automatically.
    public var pendingTimers: [PendingTimer] {
        get async throws {
            guard let virtual = mock.virtual else { return [] }
            try await mock.catchUp()
            let now = virtual.now
            let scripted = await mock.server.inspect { server in
                server.pendingTimers.map { (name: $0.name, deadline: $0.deadline) }
            }
            // The server has one timer for everything, connections included.
            let others = virtual.pendingTimers.filter { timer in
                timer.name != Self.serverName || !scripted.contains { $0.deadline == timer.deadline }
            }
            let all = (scripted + others).enumerated().sorted { left, right in
                (left.element.deadline, left.offset) < (right.element.deadline, right.offset)
            }
            return all.map { PendingTimer(name: $0.element.name, delay: $0.element.deadline - now) }
        }
    }

    /// Name of the timer of the server.
    static let serverName = "server"
}
