import ClientSupport
import HTTPClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Parsed address of the service, or of a URL that it returned.
struct ServiceAddress: Equatable, Sendable {
    var endpoint: Endpoint
    /// Path and query, as they stand in a request line.
    var target: String

    init(_ text: String) throws(ConnectChatError) {
        do throws(WebAddress.Flaw) {
            let address = try WebAddress(URLComponents(string: text))
            (endpoint, target) = (address.endpoint, address.target)
        } catch {
            throw .invalidArgument(error.description)
        }
    }

    /// Scheme, host and port: the rest may hold secrets.
    static func origin(_ text: String) -> String {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count)
        guard rest.hasPrefix("://") else { return scheme.prefix(20) + ":" }
        let host = rest.dropFirst(3).prefix { !"/?#".contains($0) }
        let bare = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
        return scheme.prefix(20) + "://" + bare.prefix(260)
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
