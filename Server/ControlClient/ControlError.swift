import HTTPClient
import HTTPCore
import SocketTransport
import WebSocketCore

/// Error of a control API call, with a sentence that includes the fix.
package enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
    case badAddress(String)
    /// No server listens at the address.
    case nothingAnswers(url: String)
    case unreachable(url: String, reason: String)
    /// The connection ended, or the answer was invalid.
    case broken(url: String, reason: String)
    case tooLate(url: String, seconds: Int64)
    case refused(status: Int, message: String, body: [UInt8])

    package var description: String {
        switch self {
        case .badAddress(let text):
            "\"\(text)\" is not the address of a server; write one such as http://127.0.0.1:8787"
        case .nothingAnswers(let url): "nothing answers at \(url); start one with \"polymock\""
        case .unreachable(let url, let reason): "\(url) cannot be reached: \(reason)"
        case .broken(let url, let reason): "\(url) gave no usable answer: \(reason)"
        case .tooLate(let url, let seconds): "\(url) did not answer in \(seconds) seconds"
        case .refused(_, let message, _): message
        }
    }
}

extension ControlError {
    init(_ failure: HTTPClient.Failure, url: String) {
        switch failure {
        case .unreachable(let error) where error.isRefused: self = .nothingAnswers(url: url)
        case .unreachable(let error): self = .unreachable(url: url, reason: error.description)
        case .timedOut(_, let seconds): self = .tooLate(url: url, seconds: seconds)
        case .handshakeEnded(let error):
            self.init(url, error?.description ?? "the connection ended during the handshake")
        case .badAnswer(let cause, let error): self.init(url, error?.description ?? cause.description)
        case .onlyInterimAnswers: self.init(url, "it sends interim responses and no answer")
        case .tooLong(let limit): self.init(url, "it is larger than \(limit >> 20) MiB; ask for less")
        case .badHandshake(let error): self.init(url, "\(error)")
        case .lost(let error): self.init(url, error?.description ?? "the feed ended without a Close frame")
        case .violation(let code): self.init(url, "the feed was closed with \(code.rawValue)")
        case .closeUnanswered, .badAddress, .badFile, .encryptionUnavailable, .system, .systemLost, .shutDown:
            self.init(url, failure.description)
        }
    }

    private init(_ url: String, _ reason: String) { self = .broken(url: url, reason: reason) }
}
