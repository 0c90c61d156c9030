import Clocks

/// Something that happens once and is remembered.
package final class Flag: Sendable {
    private let state = Locked(false)

    package init() {}

    package var isRaised: Bool { state.withLock { $0 } }

    package func raise() { state.withLock { $0 = true } }
}
