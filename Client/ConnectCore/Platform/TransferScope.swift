import Clocks

/// The transfer of a file that a task waits for: stopped with the task. The calls with a completion have no task, so that
/// what stops them comes from around the call.
package final class TransferScope: Sendable {
    @TaskLocal package static var current: TransferScope?

    private let state = Locked<(isStopped: Bool, stop: (@Sendable () -> Void)?)>((false, nil))

    package init() {}

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Says how the transfer is stopped from here on; at once where the task is cancelled already.
    package func stops(by stop: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            state.stop = state.isStopped ? nil : stop
            return state.isStopped
        }
        if isStopped { stop() }
    }

    /// The transfer is over: nothing holds what would have stopped it.
    package func end() { state.withLock { $0.stop = nil } }

    package func stop() {
        let stop = state.withLock { state in
            defer { state = (true, nil) }
            return state.stop
        }
        stop?()
    }
}
