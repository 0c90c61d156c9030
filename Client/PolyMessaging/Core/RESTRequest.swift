package import HTTPCore

/// One HTTP request for the platform layer to send: a POST with a JSON body.
package struct RESTRequest: Equatable, Sendable {
    package enum Endpoint: String, Sendable {
        case accessToken = "access-token"
        case sessions = "sessions"
    }

    /// Id to return with the answer. Each attempt has its own id.
    package var id: Int
    /// Endpoint, appended to the REST base URL as one path component.
    package var endpoint: Endpoint
    /// Header fields, including the token: never log them. The platform layer adds `Host` and `Content-Length`.
    package var headers: HeaderFields
    package var body: [UInt8]
}

package enum RESTReply: Equatable, Sendable {
    /// A complete response; `retryAfter` is the text of the `Retry-After` header.
    case answered(status: Int, retryAfter: String?, body: [UInt8])
    case failed(TransportFault)
}

/// A failure to open or to keep a connection, or to make a request.
package enum TransportFault: Error, Equatable, Sendable {
    /// A network fault, as a sentence: no route, host not found, refused, timed out, reset.
    case network(String)
    /// The server answered the upgrade with a status other than 101.
    case refused(status: Int, retryAfter: String?)
    /// A violation of HTTP, TLS or RFC 6455 by the peer, as a sentence.
    case protocolViolation(String)
}
