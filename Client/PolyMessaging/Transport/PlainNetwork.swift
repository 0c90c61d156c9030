package import Clocks
package import HTTPClient
import SocketTransport

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The plain transport: `http` and `ws` over sockets of the system.
///
/// One instance serves any number of clients; ``shared`` is the one of the process.
package final class PlainNetwork: HTTPTransport, SocketDialing {
    /// Real time, one loop for the whole process.
    package static let shared = PlainNetwork(
        clock: SystemClock(), seed: UInt64.random(in: UInt64.min...UInt64.max))

    /// The loop below, for other protocols between the same two ends.
    package let client: HTTPClient

    /// - Parameters:
    ///   - clock: what deadlines are measured with.
    ///   - seed: where handshake keys and masks come from; random outside tests (RFC 6455 §10.3).
    package init(clock: any EventClock, seed: UInt64) {
        client = HTTPClient(
            label: "PolyMessaging.network", clock: clock, seed: seed, unsentBytes: Limits.unsentBytes)
    }

    package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        WebNetwork(client).post(call, completion: completion)
    }

    package func dial(
        _ url: URL, report: @escaping @Sendable (SocketReport) -> Void
    ) -> any DialledSocket {
        WebNetwork(client).dial(url, report: report)
    }

    /// Closes everything; returns when no descriptor is left.
    package func close() async { await client.close() }

    /// Reads what has arrived, and tells what went through each connection, for tests.
    package func traffic() async -> HTTPClient.Traffic { await client.traffic() }

    /// The same on the caller's thread, which waits; for tests and tools.
    package func trafficHere() -> HTTPClient.Traffic { client.trafficHere() }
}
