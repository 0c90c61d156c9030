package import Clocks

/// State machine of a client. It receives inputs and the time, and returns outputs. It has no timer, socket or thread.
package protocol StateMachine: SendableMetatype {
    associatedtype Input
    associatedtype Output

    /// The next time at which to call ``advance(to:)``; nil if nothing is pending.
    var nextDeadline: Instant? { get }

    /// Handles all work that is due by `now`.
    mutating func advance(to now: Instant) -> [Output]

    /// Handles one input. The caller must call ``advance(to:)`` with the same `now` first.
    mutating func handle(_ input: Input, at now: Instant) -> [Output]
}

/// An optional machine is also a machine. A nil machine, for a client that cannot start, ignores every input.
extension Optional: StateMachine where Wrapped: StateMachine {
    package var nextDeadline: Instant? { self?.nextDeadline }

    package mutating func advance(to now: Instant) -> [Wrapped.Output] { self?.advance(to: now) ?? [] }

    package mutating func handle(_ input: Wrapped.Input, at now: Instant) -> [Wrapped.Output] {
        self?.handle(input, at: now) ?? []
    }
}
