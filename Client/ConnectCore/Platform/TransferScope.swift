import Clocks

/// Cancellation scope of a file transfer.
package final class TransferScope: Sendable {
    @TaskLocal package static var current: TransferScope?

    private let state = Locked<(isStopped: Bool, stop: (@Sendable () -> Void)?)>((false, nil))

    package init() {}

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Sets the function that cancels the transfer. If the scope is already stopped, calls the function at once.
    package func stops(by stop: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            state.stop = state.isStopped ? nil : stop
            return state.isStopped
        }
        if isStopped { stop() }
    }

    package func end() { state.withLock { $0.stop = nil } }

    package func stop() {
        let stop = state.withLock { state in
            defer { state = (true, nil) }
            return state.stop
        }
        stop?()
    }
}
