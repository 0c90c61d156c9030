package import HTTPCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Makes HTTP requests.
package protocol HTTPTransport: Sendable {
    /// Sends a POST and returns at once. `completion` is called exactly once, on a thread of the transport's.
    /// Only redirects of the same request to the same host are followed: credentials stay there.
    func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void)
}

/// One POST.
package struct HTTPCall: Equatable, Sendable {
    package var url: URL
    /// All but `Host` and `Content-Length`.
    package var headers: HeaderFields
    package var body: [UInt8]

    package init(url: URL, headers: HeaderFields = [:], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// `base` is the REST base URL.
    package init(_ request: RESTRequest, to base: URL) {
        self.init(
            url: base.appendingPathComponent(request.endpoint.rawValue), headers: request.headers,
            body: request.body)
    }
}
