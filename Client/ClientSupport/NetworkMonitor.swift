import Clocks

/// Monitor of network reachability.
package protocol NetworkMonitor: Sendable {
    /// Whether the network is reachable; true if this is unknown.
    var isReachable: Bool { get }

    /// Calls `onChange` at every change, on any thread, until the returned subscription is released.
    func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> Subscription
}

/// Monitor that reports when the app moves to the foreground or to the background.
package protocol LifecycleMonitor: Sendable {
    /// Calls `onChange` at every change, on any thread, until the returned subscription is released.
    func subscribe(_ onChange: @escaping @Sendable (_ isAtFront: Bool) -> Void) -> Subscription
}

/// A subscription. It ends when this object is released.
package final class Subscription: Sendable {
    private let onEnd: @Sendable () -> Void

    package init(_ onEnd: @escaping @Sendable () -> Void = {}) {
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}

/// Network monitor whose state the program sets, for tests and custom hosts.
package final class ManualNetworkMonitor: NetworkMonitor {
    private struct State {
        var isReachable: Bool
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
        var nextID = 0
    }

    private let state: Locked<State>

    package init(isReachable: Bool = true) {
        state = Locked(State(isReachable: isReachable))
    }

    package var isReachable: Bool { state.withLock { $0.isReachable } }

    package func set(isReachable: Bool) {
        let observers = state.withLock { state -> [@Sendable (Bool) -> Void] in
            guard state.isReachable != isReachable else { return [] }
            state.isReachable = isReachable
            return Array(state.observers.values)
        }
        for observer in observers { observer(isReachable) }
    }

    package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> Subscription {
        let id = state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = onChange
            return state.nextID
        }
        return Subscription { [state] in state.withLock { $0.observers[id] = nil } }
    }
}

/// Life cycle monitor whose state the program sets, for tests and custom hosts.
package final class ManualLifecycleMonitor: LifecycleMonitor {
    private struct State {
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
        var nextID = 0
    }

    private let state = Locked(State())

    package init() {}

    package func comeToFront() { notify(true) }

    package func goToBack() { notify(false) }

    private func notify(_ isAtFront: Bool) {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers { observer(isAtFront) }
    }

    package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> Subscription {
        let id = state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = onChange
            return state.nextID
        }
        return Subscription { [state] in state.withLock { $0.observers[id] = nil } }
    }
}
