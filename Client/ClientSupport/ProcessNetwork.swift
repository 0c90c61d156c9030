import HTTPClient

/// The network of the system, for all chats of the process without an injected one.
package enum ProcessNetwork {
    /// Unsent bytes of one connection. 4 MiB: a peer that reads nothing must not fill the memory.
    package static let unsentBytes = 4 << 20

    /// The shared transport; one loop carries the sockets of all chats.
    package static let shared: any WebTransport = SchemeTransport(
        HTTPClient(
            label: "ClientSupport.network", clock: SystemTime.clock,
            seed: UInt64.random(in: UInt64.min...UInt64.max), unsentBytes: unsentBytes))

    /// The reachability of the network, on systems with a path monitor.
    package static var monitor: any NetworkMonitor {
        #if canImport(Network)
            PathNetworkMonitor.shared
        #else
            ManualNetworkMonitor()
        #endif
    }

    /// The app's foreground and background transitions; never fires on systems without them.
    package static var lifecycle: any LifecycleMonitor {
        #if canImport(UIKit) && !os(watchOS)
            AppLifecycleMonitor()
        #else
            ManualLifecycleMonitor()
        #endif
    }
}
