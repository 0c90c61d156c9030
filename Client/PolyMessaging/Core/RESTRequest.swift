package import HTTPCore

package struct RESTRequest: Equatable, Sendable {
    package enum Endpoint: String, Sendable {
        case accessToken = "access-token"
        case sessions = "sessions"
    }

    /// Id of the request, to be returned with its answer.
    package var id: Int
    /// Last path component, which the platform layer appends to the REST base URL.
    package var endpoint: Endpoint
    /// Header fields with the token, so never log them.
    package var headers: HeaderFields
    package var body: [UInt8]
}

package enum RESTReply: Equatable, Sendable {
    case answered(status: Int, retryAfter: String?, body: [UInt8])
    case failed(TransportFault)
}

package enum TransportFault: Error, Equatable, Sendable {
    /// A fault of the network or the peer, such as a time-out or a reset. The text is a sentence.
    case network(String)
    /// The server answered the WebSocket upgrade with a status other than 101.
    case refused(status: Int, retryAfter: String?)
    /// The peer violated HTTP, TLS or WebSocket (RFC 6455). The text is a sentence.
    case protocolViolation(String)
}
