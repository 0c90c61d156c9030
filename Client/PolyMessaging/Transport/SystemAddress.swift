#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which addresses the system's WebSockets are asked for.
enum SystemAddress {
    /// URLSession ends the app for any scheme but `ws` and `wss`
    /// (https://developer.apple.com/documentation/foundation/urlsession/websockettask(with:)-2qe48), so `https` becomes
    /// `wss` and `http` becomes `ws`, as URLs of browsers do (WHATWG WebSockets, "get a URL record").
    ///
    /// - Throws: what is wrong with an address that leads nowhere.
    static func webSocket(_ url: URL) throws(TransportFault) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.host, !host.isEmpty
        else { throw .protocolViolation("The address has no host. Use one such as wss://example.com/ws.") }
        switch parts.scheme?.lowercased() {
        case "wss", "https": parts.scheme = "wss"
        case "ws", "http": parts.scheme = "ws"
        case let scheme:
            throw .protocolViolation(
                "The address has the scheme \"\(scheme ?? "")\". Use http and ws, or https and wss.")
        }
        // WebSocket addresses have no fragment (RFC 6455 §3).
        parts.fragment = nil
        guard let url = parts.url else { throw .protocolViolation("The address makes no URL.") }
        return url
    }
}
