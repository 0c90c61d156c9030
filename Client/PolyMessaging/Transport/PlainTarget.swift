import HTTPClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a plain `http` or `ws` URL leads.
struct PlainTarget: Equatable, Sendable {
    var endpoint: Endpoint
    /// Path and query, as they stand in a request line.
    var path: String

    init(_ url: URL) throws(TransportFault) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.host.map(Self.withoutBrackets), !host.isEmpty
        else { throw .protocolViolation("The address has no host. Use one such as ws://127.0.0.1:8787/ws.") }
        switch parts.scheme?.lowercased() {
        case "http", "ws": break
        case "https", "wss":
            throw .network(
                "Encrypted connections (https, wss) need URLSession, which this platform does not offer. "
                    + "Use http and ws addresses, or a local proxy that encrypts.")
        case let scheme:
            throw .protocolViolation(
                "The address has the scheme \"\(scheme ?? "")\". Use http and ws, or https and wss.")
        }
        guard let port = UInt16(exactly: parts.port ?? 80), port > 0 else {
            throw .protocolViolation("The port of the address is out of range. Use one from 1 to 65535.")
        }
        endpoint = Endpoint(host: host, port: port)
        let path = parts.percentEncodedPath
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        self.path = (path.hasPrefix("/") ? path : "/" + path) + query
    }

    private static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
