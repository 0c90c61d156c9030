// This file was type-checked only: it has never run on an Apple device.
#if canImport(Combine)
    import ClientSupport
    public import Combine

    /// Observable reachability of the network, by the system's path monitor.
    @MainActor
    public final class NetworkMonitor: ObservableObject {
        /// Whether the device has no network. A socket may seem open for minutes afterwards.
        @Published public private(set) var isOffline: Bool
        private var subscription: MonitorSubscription?

        /// Makes a monitor and starts it.
        public init() {
            let monitor = PathNetworkMonitor.shared
            isOffline = !monitor.isReachable
            subscription = monitor.subscribe { [weak self] isReachable in
                Task { @MainActor in self?.isOffline = !isReachable }
            }
        }
    }
#endif
