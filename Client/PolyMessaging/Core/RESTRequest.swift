package import HTTPCore

/// One HTTP request the shell has to make: always POST, always JSON.
package struct RESTRequest: Equatable, Sendable {
    package enum Endpoint: String, Sendable {
        case accessToken = "access-token"
        case sessions = "sessions"
    }

    /// Id to return with the answer. Each attempt has its own.
    package var id: Int
    /// Appended to the REST base URL as one more path component.
    package var endpoint: Endpoint
    /// All header fields, the token included; the shell adds `Host` and `Content-Length`. Never log them.
    package var headers: HeaderFields
    package var body: [UInt8]
}

package enum RESTReply: Equatable, Sendable {
    /// A complete response; `retryAfter` is the text of that header.
    case answered(status: Int, retryAfter: String?, body: [UInt8])
    case failed(TransportFault)
}

/// The reason why a connection could not be made, or ended.
package enum TransportFault: Error, Equatable, Sendable {
    /// A fault of the network, as a sentence: no route, no such host, refused, timed out, reset.
    case network(String)
    /// The server answered the upgrade with another status than 101.
    case refused(status: Int, retryAfter: String?)
    /// A violation of HTTP, TLS or RFC 6455 by the peer, as a sentence.
    case protocolViolation(String)
}
