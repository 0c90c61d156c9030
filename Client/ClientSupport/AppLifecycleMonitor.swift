// Type-checked on Linux (bash .ci/apple); never run yet: UIApplication's notifications. Shared/Docs/on-a-mac.md walks it.
#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    /// Life cycle monitor based on the notifications of UIApplication.
    package final class AppLifecycleMonitor: LifecycleMonitor {
        package init() {}

        package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> Subscription {
            let front = Task {
                let name = UIApplication.willEnterForegroundNotification
                for await _ in NotificationCenter.default.notifications(named: name) { onChange(true) }
            }
            let back = Task {
                let name = UIApplication.didEnterBackgroundNotification
                for await _ in NotificationCenter.default.notifications(named: name) { onChange(false) }
            }
            return Subscription {
                front.cancel()
                back.cancel()
            }
        }
    }
#endif
