package import ClientSupport
package import Clocks

package struct Dependencies: Sendable {
    package var clock: any EventClock
    package var http: any WebTransport
    package var network: any NetworkMonitor
    package var lifecycle: any LifecycleMonitor
    /// Seed of the ids and of the jitter of pauses.
    package var seed: UInt64

    package init(
        clock: any EventClock, http: any WebTransport, network: any NetworkMonitor = ManualNetworkMonitor(),
        lifecycle: any LifecycleMonitor = ManualLifecycleMonitor(), seed: UInt64
    ) {
        self.clock = clock
        self.http = http
        self.network = network
        self.lifecycle = lifecycle
        self.seed = seed
    }

    package static var standard: Dependencies {
        Dependencies(
            clock: SystemTime.clock, http: ProcessNetwork.shared, network: ProcessNetwork.monitor,
            lifecycle: ProcessNetwork.lifecycle, seed: UInt64.random(in: UInt64.min...UInt64.max))
    }
}

package enum FreshID {
    package static func make() -> String {
        var generator = SeededGenerator(seed: UInt64.random(in: UInt64.min...UInt64.max))
        return UniqueID.version4(from: &generator).text
    }
}
