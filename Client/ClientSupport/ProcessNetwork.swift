import HTTPClient

/// Network access that the clients of the process share by default.
package enum ProcessNetwork {
    /// Maximum unsent bytes of one connection.
    package static let unsentBytes = 4 << 20

    package static let shared: any WebTransport = SchemeTransport(
        HTTPClient(
            label: "ClientSupport.network", clock: SystemTime.clock,
            seed: UInt64.random(in: UInt64.min...UInt64.max), unsentBytes: unsentBytes))

    /// Without NWPathMonitor, the network always counts as reachable.
    package static var monitor: any NetworkMonitor {
        #if canImport(Network)
            PathNetworkMonitor.shared
        #else
            ManualNetworkMonitor()
        #endif
    }

    /// Without UIKit, no change is ever reported.
    package static var lifecycle: any LifecycleMonitor {
        #if canImport(UIKit) && !os(watchOS)
            AppLifecycleMonitor()
        #else
            ManualLifecycleMonitor()
        #endif
    }
}
