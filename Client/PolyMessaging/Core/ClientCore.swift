package import Clocks
import Foundation

/// The whole client without a socket, a timer or a store: inputs in, one ordered list of outputs out.
package struct ClientCore: Sendable {
    package init(_ settings: ClientSettings, seed: UInt64) {
    }

    /// When the core next wants ``advance(to:)``; nil when nothing is pending.
    package var nextDeadline: Instant? { nil }

    /// Takes one input. What falls due by `now` has to be taken first, with ``advance(to:)``.
    package mutating func handle(_ input: Input, at now: Instant) -> [Output] { [] }

    /// Does everything due at or before `now`, in the order of the deadlines.
    package mutating func advance(to now: Instant) -> [Output] { [] }
}
