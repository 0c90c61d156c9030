import Clocks

package protocol NetworkMonitor: Sendable {
    /// Whether the network is reachable. True if this is unknown.
    var isReachable: Bool { get }

    /// Calls `onChange` at every change, on any thread, until the returned subscription is released.
    func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription
}

/// Monitor that reports when the app moves to the foreground or the background.
package protocol LifecycleMonitor: Sendable {
    func subscribe(_ onChange: @escaping @Sendable (_ isAtFront: Bool) -> Void) -> MonitorSubscription
}

/// Subscription that ends when this object is released. The name differs from Combine's `Subscription`.
package final class MonitorSubscription: Sendable {
    private let onEnd: @Sendable () -> Void

    package init(_ onEnd: @escaping @Sendable () -> Void = {}) {
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}

/// Observers of a Boolean value, called in the order of subscription.
private final class ObserverList: Sendable {
    private struct State {
        var value: Bool
        var observers: [Int: @Sendable (Bool) -> Void] = [:]
        var nextID = 0
    }

    private let state: Locked<State>

    init(_ value: Bool) { state = Locked(State(value: value)) }

    var value: Bool { state.withLock { $0.value } }

    /// Sets the value and calls the observers. If `onlyChanges` is true, an unchanged value calls no observers.
    func set(_ value: Bool, onlyChanges: Bool) {
        let observers = state.withLock { state -> [@Sendable (Bool) -> Void] in
            guard !onlyChanges || state.value != value else { return [] }
            state.value = value
            return state.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in observers { observer(value) }
    }

    func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription {
        let id = state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = onChange
            return state.nextID
        }
        return MonitorSubscription { [state] in state.withLock { $0.observers[id] = nil } }
    }
}

/// Network monitor whose state the program sets.
package final class ManualNetworkMonitor: NetworkMonitor {
    private let observers: ObserverList

    package init(isReachable: Bool = true) { observers = ObserverList(isReachable) }

    package var isReachable: Bool { observers.value }

    package func set(isReachable: Bool) { observers.set(isReachable, onlyChanges: true) }

    package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription {
        observers.subscribe(onChange)
    }
}

package final class ManualLifecycleMonitor: LifecycleMonitor {
    private let observers = ObserverList(true)

    package init() {}

    package func comeToFront() { observers.set(true, onlyChanges: false) }

    package func goToBack() { observers.set(false, onlyChanges: false) }

    package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription {
        observers.subscribe(onChange)
    }
}
