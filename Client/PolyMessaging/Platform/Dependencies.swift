package import ClientSupport
package import Clocks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package struct Dependencies: Sendable {
    package var clock: any EventClock
    package var http: any WebTransport
    package var store: any SessionStore
    package var network: any NetworkMonitor
    package var lifecycle: any LifecycleMonitor
    /// Seed of ids and of the random part of pauses.
    package var seed: UInt64
    /// Receiver of the log's messages up to the configured level.
    package var logger: any PolyLogger
    package var deviceType: DeviceType
    /// Value of `X-Host` if neither the app nor the environment sets one.
    package var bundleIdentifier: String?

    package init(
        clock: any EventClock, http: any WebTransport, store: any SessionStore,
        network: any NetworkMonitor = ManualNetworkMonitor(),
        lifecycle: any LifecycleMonitor = ManualLifecycleMonitor(), seed: UInt64, logger: any PolyLogger,
        deviceType: DeviceType = .desktop, bundleIdentifier: String? = nil
    ) {
        self.clock = clock
        self.http = http
        self.store = store
        self.network = network
        self.lifecycle = lifecycle
        self.seed = seed
        self.logger = logger
        self.deviceType = deviceType
        self.bundleIdentifier = bundleIdentifier
    }
}

extension Dependencies {
    /// Production dependencies. The process name replaces a missing bundle identifier: servers refuse an empty
    /// `X-Host`.
    package static func standard(logger: (any PolyLogger)? = nil) -> Dependencies {
        Dependencies(
            clock: SystemTime.clock, http: ProcessNetwork.shared, store: standardStore,
            network: ProcessNetwork.monitor, lifecycle: ProcessNetwork.lifecycle,
            seed: UInt64.random(in: UInt64.min...UInt64.max), logger: logger ?? ConsoleLogger(),
            deviceType: .detected,
            bundleIdentifier: ownName)
    }

    private static var ownName: String {
        let process = ProcessInfo.processInfo.processName
        #if canImport(FoundationEssentials)
            return process
        #else
            return Bundle.main.bundleIdentifier ?? process
        #endif
    }

    package static var standardStore: any SessionStore {
        #if canImport(Security)
            FallbackSessionStore(KeychainSessionStore(), else: FileSessionStore.usual)
        #else
            FileSessionStore.usual
        #endif
    }
}
