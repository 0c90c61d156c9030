// Type-checked on Linux (bash .ci/apple); never run yet: UIApplication's notifications. Shared/Docs/on-a-mac.md walks it.
#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    /// What the system says about the app coming to the front.
    package final class AppLifecycleMonitor: LifecycleMonitor {
        package init() {}

        package func subscribe(_ onForeground: @escaping @Sendable () -> Void) -> Subscription {
            let task = Task {
                let name = UIApplication.willEnterForegroundNotification
                for await _ in NotificationCenter.default.notifications(named: name) { onForeground() }
            }
            return Subscription { task.cancel() }
        }
    }
#endif
