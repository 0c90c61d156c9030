import HTTPClient

/// Network shared by all chats of the process that have no injected network.
package enum ProcessNetwork {
    /// Maximum unsent bytes of one connection. The limit bounds the memory if the peer stops reading.
    package static let unsentBytes = 4 << 20

    /// The shared transport. One loop serves the sockets of all chats.
    package static let shared: any WebTransport = SchemeTransport(
        HTTPClient(
            label: "ClientSupport.network", clock: SystemTime.clock,
            seed: UInt64.random(in: UInt64.min...UInt64.max), unsentBytes: unsentBytes))

    /// The reachability monitor. On platforms without NWPathMonitor, the network always counts as reachable.
    package static var monitor: any NetworkMonitor {
        #if canImport(Network)
            PathNetworkMonitor.shared
        #else
            ManualNetworkMonitor()
        #endif
    }

    /// The life cycle monitor. On platforms without UIKit, it never reports a change.
    package static var lifecycle: any LifecycleMonitor {
        #if canImport(UIKit) && !os(watchOS)
            AppLifecycleMonitor()
        #else
            ManualLifecycleMonitor()
        #endif
    }
}
