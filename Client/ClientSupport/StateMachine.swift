package import Clocks

/// State machine of a client, from inputs and time to outputs, without timer, socket or thread.
package protocol StateMachine: SendableMetatype {
    associatedtype Input
    associatedtype Output

    /// Time of the next call of ``advance(to:)``. Nil if nothing is pending.
    var nextDeadline: Instant? { get }

    /// Handles all work due by `now`.
    mutating func advance(to now: Instant) -> [Output]

    /// Handles one input. The caller must first call ``advance(to:)`` with the same `now`.
    mutating func handle(_ input: Input, at now: Instant) -> [Output]
}

/// An optional machine is a machine too. Nil ignores every input.
extension Optional: StateMachine where Wrapped: StateMachine {
    package var nextDeadline: Instant? { self?.nextDeadline }

    package mutating func advance(to now: Instant) -> [Wrapped.Output] { self?.advance(to: now) ?? [] }

    package mutating func handle(_ input: Wrapped.Input, at now: Instant) -> [Wrapped.Output] {
        self?.handle(input, at: now) ?? []
    }
}
