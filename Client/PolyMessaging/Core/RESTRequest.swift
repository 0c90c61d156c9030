package import HTTPCore

/// One HTTP request for the platform layer to send: a POST with a JSON body.
package struct RESTRequest: Equatable, Sendable {
    package enum Endpoint: String, Sendable {
        case accessToken = "access-token"
        case sessions = "sessions"
    }

    /// Id of the request, to be returned with its answer. Each attempt has its own id.
    package var id: Int
    /// Endpoint. The platform layer appends it to the REST base URL as one path component.
    package var endpoint: Endpoint
    /// Header fields. They contain the token, so they must never be logged. The platform layer adds `Host` and
    /// `Content-Length`.
    package var headers: HeaderFields
    package var body: [UInt8]
}

package enum RESTReply: Equatable, Sendable {
    /// A complete response. `retryAfter` is the value of the header `Retry-After`; nil if there is none.
    case answered(status: Int, retryAfter: String?, body: [UInt8])
    case failed(TransportFault)
}

/// A failure of a request, or a failure to open or keep a connection.
package enum TransportFault: Error, Equatable, Sendable {
    /// A network fault, such as no route, an unknown host, a refused connection, a time-out or a reset. The text is a
    /// sentence.
    case network(String)
    /// The server answered the WebSocket upgrade with a status other than 101.
    case refused(status: Int, retryAfter: String?)
    /// The peer violated the rules of HTTP, TLS or WebSocket (RFC 6455). The text is a sentence.
    case protocolViolation(String)
}
