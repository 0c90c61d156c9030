package import HTTPClient

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct WebAddress: Equatable, Sendable {
    package enum Flaw: Error, Equatable, Sendable, CustomStringConvertible {
        case noHost
        case scheme(String)
        case port

        package var description: String {
            switch self {
            case .noHost: "The address has no host. Use one such as http://127.0.0.1:8787."
            case .scheme(let scheme):
                "The address has the scheme \"\(scheme)\". Use http and ws, or https and wss."
            case .port: "The port of the address is out of range. Use one from 1 to 65535."
            }
        }
    }

    package var endpoint: Endpoint
    /// Path with a leading slash.
    package var path: String
    /// Query with its question mark, or empty.
    package var query: String

    /// Nil, the result of parsing an invalid URL, throws ``Flaw/noHost``.
    package init(_ parts: URLComponents?) throws(Flaw) {
        guard let parts, let host = parts.host, !host.isEmpty else { throw .noHost }
        let isEncrypted: Bool
        switch parts.scheme?.lowercased() {
        case "http", "ws": isEncrypted = false
        case "https", "wss": isEncrypted = true
        case let scheme: throw .scheme(scheme ?? "")
        }
        guard let port = UInt16(exactly: parts.port ?? (isEncrypted ? 443 : 80)), port > 0 else {
            throw .port
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        endpoint = Endpoint(
            host: isBracketed ? String(host.dropFirst().dropLast()) : host, port: port,
            isEncrypted: isEncrypted)
        path = parts.percentEncodedPath
        if !path.hasPrefix("/") { path = "/" + path }
        query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
    }

    package init(_ url: URL) throws(Flaw) {
        try self.init(URLComponents(url: url, resolvingAgainstBaseURL: true))
    }

    package var target: String { path + query }
}
