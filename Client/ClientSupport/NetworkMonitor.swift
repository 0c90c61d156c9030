import Clocks

/// Reports whether a network is available.
package protocol NetworkMonitor: Sendable {
    /// The present state; true when it is unknown.
    var isReachable: Bool { get }

    /// Calls `onChange` with every change, on any thread, until the subscription is released.
    func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> Subscription
}

/// Reports when the app enters the foreground or background.
package protocol LifecycleMonitor: Sendable {
    /// Calls `onChange` at each change, true for the foreground, on any thread, until the subscription is
    /// released.
    func subscribe(_ onChange: @escaping @Sendable (_ isAtFront: Bool) -> Void) -> Subscription
}

/// A subscription, which ends when it is released.
package final class Subscription: Sendable {
    private let onEnd: @Sendable () -> Void

    package init(_ onEnd: @escaping @Sendable () -> Void = {}) {
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}

/// A network whose state a program sets: for tests, and for hosts with their own source.
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

/// An app that a program brings to the front and back: for tests, and for hosts with their own source.
package final class ManualLifecycleMonitor: LifecycleMonitor {
    private struct State {
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
        var nextID = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Notifies all observers that the app is in the foreground.
    package func comeToFront() { notify(true) }

    /// Notifies all observers that the app is in the background.
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
