package import Clocks
package import HTTPClient
import HTTPCore
import SocketTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an agent reaches outside of its own logic. Tests bring their own.
package struct AgentNetwork: Sendable {
    package let clock: any EventClock
    package let client: HTTPClient
    /// Where ids come from.
    package let seed: UInt64

    package init(clock: any EventClock, client: HTTPClient, seed: UInt64) {
        self.clock = clock
        self.client = client
        self.seed = seed
    }

    /// Bytes of requests that wait to be sent: a thread with all its messages.
    package static let unsentBytes = 64 * 1_024 * 1_024

    /// Real time and one loop, for all agents of the process.
    static let shared: AgentNetwork = {
        let clock = SystemClock()
        let seed = UInt64.random(in: UInt64.min...UInt64.max)
        return AgentNetwork(
            clock: clock,
            client: HTTPClient(
                label: "AgentRuns.network", clock: clock, seed: seed, unsentBytes: unsentBytes),
            seed: seed)
    }()
}

extension HTTPClient.Request {
    /// Bytes of a refusal's body that are kept.
    private static let refusalBytes = 64 * 1_024
    /// Bytes of events that may wait to be handed out before the socket is no longer read.
    private static let waitingBytes = 256 * 1_024
    /// What this module says itself, and what the framing says.
    private static let ownFields: Set<String> = ["host", "content-length", "connection", "transfer-encoding"]

    init(
        _ configuration: AGUIConfiguration, pathEnding: String, body: [UInt8]
    ) throws(AgentRunError) {
        guard let parts = URLComponents(url: configuration.url, resolvingAgainstBaseURL: true),
            let host = parts.host, !host.isEmpty
        else {
            throw .invalidInput(
                "The address of the agent has no host. Use one such as http://127.0.0.1:8787/ag-ui.")
        }
        guard parts.scheme?.lowercased() == "http" else {
            throw .invalidInput(
                "The address of the agent has the scheme \"\(parts.scheme ?? "")\". Use http, or a local proxy that encrypts."
            )
        }
        guard let port = UInt16(exactly: parts.port ?? 80), port > 0 else {
            throw .invalidInput("The port of the agent's address is out of range. Use one from 1 to 65535.")
        }
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var path = parts.percentEncodedPath
        while !pathEnding.isEmpty, path.hasSuffix("/") { path.removeLast() }
        path += pathEnding
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        var headers: HeaderFields = ["Content-Type": "application/json", "Accept": "text/event-stream"]
        for (name, value) in configuration.headers.sorted(by: { $0.key < $1.key })
        where !Self.ownFields.contains(name.lowercased()) {
            headers.set(name, value)
        }
        self.init(
            "POST", Endpoint(host: name, port: port), (path.hasPrefix("/") ? path : "/" + path) + query,
            headers: headers, answerBytes: Self.refusalBytes, timeout: .seconds(configuration.connectTimeout))
        self.body = body
        streamedBytes = Self.waitingBytes
    }
}
