// Uses NWPathMonitor. Type-checked on Linux (bash .ci/apple), but never run. See Shared/Docs/on-a-mac.md.
#if canImport(Network)
    import Clocks
    import Dispatch
    import Network

    package final class PathNetworkMonitor: NetworkMonitor {
        package static let shared = PathNetworkMonitor()

        private let manual = ManualNetworkMonitor()
        private let monitor = NWPathMonitor()

        private init() {
            monitor.pathUpdateHandler = { [manual] path in
                manual.set(isReachable: path.status != .unsatisfied)
            }
            monitor.start(queue: DispatchQueue(label: "PolyMessaging.path"))
        }

        package var isReachable: Bool { manual.isReachable }

        package func subscribe(_ onChange: @escaping @Sendable (Bool) -> Void) -> MonitorSubscription {
            manual.subscribe(onChange)
        }
    }
#endif
