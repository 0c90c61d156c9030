import HTTPClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a plain `http` or `ws` address leads.
struct ServiceAddress: Equatable, Sendable {
    var endpoint: Endpoint
    /// Path and query, as they stand in a request line.
    var target: String

    init(_ text: String) throws(ConnectChatError) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty else {
            throw .invalidArgument("The address has no host. Use one such as http://127.0.0.1:8787.")
        }
        switch parts.scheme?.lowercased() {
        case "http", "ws": break
        case "https", "wss": throw .encryptionUnavailable
        default: throw .invalidArgument("The address has another scheme than http and ws.")
        }
        guard let port = UInt16(exactly: parts.port ?? 80), port > 0 else {
            throw .invalidArgument("The port of the address is out of range. Use one from 1 to 65535.")
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        endpoint = Endpoint(host: isBracketed ? String(host.dropFirst().dropLast()) : host, port: port)
        let path = parts.percentEncodedPath
        target =
            (path.hasPrefix("/") ? path : "/" + path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// The base address of the participant service.
    init(_ config: GlobalConfig) throws(ConnectChatError) {
        if let url = config.endpoint {
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            guard parts?.query == nil, parts?.fragment == nil else {
                throw .invalidArgument("The endpoint has a query or a fragment. Leave them out.")
            }
            try self.init(url.absoluteString)
        } else {
            guard config.region != .Unknown else {
                throw .invalidArgument("The configuration names no region. Set region or endpoint.")
            }
            try self.init("https://" + Self.host(of: config.region))
        }
        while target.hasSuffix("/") { target.removeLast() }
    }

    static func host(of region: AWSRegionType) -> String {
        let isChinese = region == .CNNorth1 || region == .CNNorthWest1
        return "participant.connect.\(region.name).amazonaws.com" + (isChinese ? ".cn" : "")
    }
}
