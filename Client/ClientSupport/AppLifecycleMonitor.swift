// Uses UIApplication. Type-checked on Linux (bash .ci/apple), but never run. See Shared/Docs/on-a-mac.md.
#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    package final class AppLifecycleMonitor: LifecycleMonitor {
        package init() {}

        package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription {
            let front = Task {
                let name = UIApplication.willEnterForegroundNotification
                for await _ in NotificationCenter.default.notifications(named: name) { onChange(true) }
            }
            let back = Task {
                let name = UIApplication.didEnterBackgroundNotification
                for await _ in NotificationCenter.default.notifications(named: name) { onChange(false) }
            }
            return MonitorSubscription {
                front.cancel()
                back.cancel()
            }
        }
    }
#endif
