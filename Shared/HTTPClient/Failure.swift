package import HTTPCore
package import SocketTransport
package import WebSocketCore

extension HTTPClient {
    /// Failure of a request, or end of a WebSocket by a fault.
    package enum Failure: Error, Equatable, Sendable {
        /// There is no connection: the name is unknown, or none of its addresses can be reached.
        case unreachable(SocketError)
        /// ``Request/timeout`` has passed.
        case timedOut(host: String, seconds: Int64)
        /// The connection ended before the answer to a WebSocket's handshake; the error says why, if it is known.
        case handshakeEnded(because: SocketError?)
        /// An invalid or incomplete response; the error says why it ended, if that is known.
        case badAnswer(ResponseError, because: SocketError?)
        case onlyInterimAnswers
        case tooLong(limitBytes: Int)
        /// A 101 response that fails the handshake checks.
        case badHandshake(ClientHandshakeError)
        /// An open WebSocket ended without a Close frame.
        case lost(because: SocketError?)
        /// The peer did not answer our Close frame.
        case closeUnanswered
        /// The peer broke RFC 6455; the code is that of our Close frame.
        case violation(CloseCode)
        /// The file to send cannot be read, or its length differs from the announced one.
        case badFile
        /// The address is invalid; the text says why.
        case badAddress(String)
        /// The endpoint asks for TLS, which sockets of our own do not speak.
        case encryptionUnavailable
        /// The system's TLS stack reported no answer, or no WebSocket; the text is the system's.
        case system(String)
        /// An open WebSocket of the system's ended without a Close frame; the text is the system's.
        case systemLost(String)
        /// ``HTTPClient/close()`` came first.
        case shutDown
    }
}

extension HTTPClient.Failure: CustomStringConvertible {
    /// One sentence for people.
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
