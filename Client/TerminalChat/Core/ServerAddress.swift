import PolyMessaging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The two addresses of a server, made of the one that people type.
struct ServerAddress: Equatable {
    var rest: URL
    var socket: URL
    /// What a page of this server would present in `X-Host`.
    var origin: String

    /// `http` or `https`, a host, a port, and a path that may end with `/api/v1`.
    init?(_ text: String) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host,
            !host.isEmpty, url.query == nil, url.fragment == nil, url.user == nil, url.password == nil
        else { return nil }
        let socketScheme: String
        switch scheme {
        case "http": socketScheme = "ws"
        case "https": socketScheme = "wss"
        default: return nil
        }
        var base = text
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasSuffix("/api/v1") { base.removeLast("/api/v1".count) }
        guard let rest = URL(string: base + "/api/v1"),
            let socket = URL(string: socketScheme + base.dropFirst(scheme.count) + "/ws")
        else { return nil }
        origin = scheme + "://" + host + (url.port.map { ":\($0)" } ?? "")
        self.rest = rest
        self.socket = socket
    }

    var environment: Environment { .custom(restBaseURL: rest, wsBaseURL: socket) }
}
