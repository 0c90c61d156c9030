package import HTTPCore
package import SocketTransport
package import WebSocketCore

extension HTTPClient {
    package enum Failure: Error, Equatable, Sendable {
        /// The host name is unknown, or no address of the host can be reached.
        case unreachable(SocketError)
        case timedOut(host: String, seconds: Int64)
        /// The connection ended before the response to a WebSocket handshake.
        case handshakeEnded(because: SocketError?)
        /// The response is invalid or incomplete. The socket error is the cause, if known.
        case badAnswer(ResponseError, because: SocketError?)
        case onlyInterimAnswers
        case tooLong(limitBytes: Int)
        /// The server sent a 101 response that fails the checks of the handshake.
        case badHandshake(ClientHandshakeError)
        /// An open WebSocket ended without a close frame.
        case lost(because: SocketError?)
        /// The peer did not answer our close frame in time.
        case closeUnanswered
        /// The peer violated RFC 6455. The code is that of our close frame.
        case violation(CloseCode)
        /// The body file cannot be read, or its length differs from ``BodyFile/byteCount``.
        case badFile
        case badAddress(String)
        /// The endpoint requires TLS, which this client's own sockets do not support.
        case encryptionUnavailable
        /// Failure of URLSession, with the system's error message.
        case system(String)
        /// A WebSocket of URLSession ended without a close frame. The text is the reason for the user.
        case systemLost(String)
        case shutDown
    }
}

extension HTTPClient.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let error): "\(error)"
        case .timedOut(let host, let seconds): "\(host) did not answer in \(seconds) seconds."
        case .handshakeEnded(let error):
            error.map { "\($0)" } ?? "The server ended the connection during the handshake."
        case .badAnswer(let error, _): "\(error)"
        case .onlyInterimAnswers: "The server sends interim responses and no answer."
        case .tooLong(let limitBytes): "The server's answer is larger than \(limitBytes >> 10) KiB."
        case .badHandshake(let error): "\(error)"
        case .lost: "The connection ended without a Close frame."
        case .closeUnanswered: "The server did not answer the Close frame."
        case .violation(let code): "The server broke the WebSocket protocol (closed with \(code))."
        case .badFile: "The file to send cannot be read, or has changed meanwhile."
        case .encryptionUnavailable:
            "Encrypted connections (https, wss) need URLSession, which this platform does not offer. "
                + "Use http and ws addresses, or a local proxy that encrypts."
        case .badAddress(let text), .system(let text), .systemLost(let text): text
        case .shutDown: "The network was shut down."
        }
    }
}
