import Clocks

/// A switch that a test shares with its loop.
final class Flag: Sendable {
    private let state: Locked<Bool>

    init(_ isOn: Bool) { state = Locked(isOn) }

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
