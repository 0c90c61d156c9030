package import Clocks

/// The decisions of a client: inputs and time in, outputs out; no timer, socket or thread.
package protocol StateMachine: SendableMetatype {
    associatedtype Input
    associatedtype Output

    /// The next time at which ``advance(to:)`` is due; nil when nothing is pending.
    var nextDeadline: Instant? { get }

    /// Handles everything that is due by `now`.
    mutating func advance(to now: Instant) -> [Output]

    /// Handles one input. The caller runs work due by `now` first, with ``advance(to:)``.
    mutating func handle(_ input: Input, at now: Instant) -> [Output]
}

/// A machine that is nil, for a client that cannot start: it ignores every input.
extension Optional: StateMachine where Wrapped: StateMachine {
    package var nextDeadline: Instant? { self?.nextDeadline }

    package mutating func advance(to now: Instant) -> [Wrapped.Output] { self?.advance(to: now) ?? [] }

    package mutating func handle(_ input: Wrapped.Input, at now: Instant) -> [Wrapped.Output] {
        self?.handle(input, at: now) ?? []
    }
}
