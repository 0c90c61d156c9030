#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Plain connections over our own sockets; encrypted ones over URLSession where it has WebSockets.
package final class BySchemeTransport: HTTPTransport, SocketDialing {
    package static let shared = BySchemeTransport()

    private let plain = PlainNetwork.shared

    package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        #if canImport(Darwin)
            if Self.isEncrypted(call.url) {
                return SystemTransport.shared.post(call, completion: completion)
            }
        #endif
        plain.post(call, completion: completion)
    }

    package func dial(
        _ url: URL, report: @escaping @Sendable (SocketReport) -> Void
    ) -> any DialledSocket {
        #if canImport(Darwin)
            if Self.isEncrypted(url) { return SystemTransport.shared.dial(url, report: report) }
        #endif
        return plain.dial(url, report: report)
    }

    private static func isEncrypted(_ url: URL) -> Bool {
        ["https", "wss"].contains(url.scheme?.lowercased() ?? "")
    }
}
