#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Servers of a chat. In files that import SwiftUI, write `SwiftUI.Environment` for the property wrapper.
///
/// ```swift
/// let mock = Environment.custom(
///     restBaseURL: URL(string: "http://127.0.0.1:8787/api/v1")!,
///     wsBaseURL: URL(string: "ws://127.0.0.1:8787/ws")!)
/// let config = Configuration(connectorToken: "mock:webchat", environment: mock)
/// ```
public enum Environment: Sendable, Equatable {
    /// `messaging.poly.ai`.
    case production
    /// `messaging.staging.poly.ai`.
    case staging
    /// `messaging.dev.poly.ai`.
    case dev
    /// The cluster `us-1`: `messaging.us-1.poly.ai`.
    case us
    /// The cluster `uk-1`: `messaging.uk-1.poly.ai`.
    case uk
    /// The cluster `euw-1`: `messaging.euw-1.poly.ai`.
    case euw
    /// A cluster by name: lower-case letters, digits and hyphens, such as `us-1`.
    case cluster(String)
    /// Custom base URLs. Nothing is added: include the paths `/api/v1` and `/ws`. URLs without TLS cause a warning in
    /// the log.
    case custom(restBaseURL: URL, wsBaseURL: URL)
}

package struct Endpoints: Sendable, Equatable {
    package var restBaseURL: URL
    package var socketBaseURL: URL

    package init(restBaseURL: URL, socketBaseURL: URL) {
        self.restBaseURL = restBaseURL
        self.socketBaseURL = socketBaseURL
    }

    package var isUnencrypted: Bool {
        restBaseURL.scheme?.lowercased() != "https" || socketBaseURL.scheme?.lowercased() != "wss"
    }

    package var isLoopback: Bool {
        [restBaseURL, socketBaseURL].allSatisfy { url in
            ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host?.lowercased() ?? "")
        }
    }
}

extension Environment {
    /// Base URLs of the servers, or nil for an invalid cluster name.
    package var endpoints: Endpoints? {
        switch self {
        case .production: Self.endpoints(host: "messaging.poly.ai")
        case .staging: Self.endpoints(cluster: "staging")
        case .dev: Self.endpoints(cluster: "dev")
        case .us: Self.endpoints(cluster: "us-1")
        case .uk: Self.endpoints(cluster: "uk-1")
        case .euw: Self.endpoints(cluster: "euw-1")
        case .cluster(let name): Self.endpoints(cluster: name)
        case .custom(let rest, let socket): Endpoints(restBaseURL: rest, socketBaseURL: socket)
        }
    }

    /// Fixed value of the header `X-Host`, or nil.
    package var fixedHost: String? {
        switch self {
        case .dev: "https://jupiter-api.dev.polyai.app/"
        case .staging: "https://jupiter-api.staging.polyai.app/"
        default: nil
        }
    }

    package static func isClusterName(_ name: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return !name.isEmpty && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                letters.contains(byte) || digits.contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    private static func endpoints(cluster: String) -> Endpoints? {
        isClusterName(cluster) ? endpoints(host: "messaging.\(cluster).poly.ai") : nil
    }

    private static func endpoints(host: String) -> Endpoints? {
        guard let rest = URL(string: "https://\(host)/api/v1"), let socket = URL(string: "wss://\(host)/ws")
        else { return nil }
        return Endpoints(restBaseURL: rest, socketBaseURL: socket)
    }
}
