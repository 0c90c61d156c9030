package import HTTPClient
import HTTPCore
import WebSocketCore

extension ClientCore.Input {
    package init(_ report: HTTPClient.Report, attempt: Int) {
        switch report {
        case .opened: self = .socketOpened(attempt: attempt)
        case .text(let bytes): self = .socketText(attempt: attempt, bytes)
        // Of these reports, only `binary` comes from a WebSocket.
        case .binary, .part, .sent: self = .socketBinary(attempt: attempt)
        case .answered(let answer), .began(let answer):
            let fault = TransportFault.refused(
                status: answer.status, retryAfter: answer.headers["Retry-After"])
            self = .socketFailed(attempt: attempt, fault)
        case .closed(let code, let reason):
            let event = ConnectionCloseEvent(code: Int(code.rawValue), reason: reason, wasClean: true)
            self = .socketClosed(attempt: attempt, event)
        case .failed(let failure):
            switch failure {
            case .lost, .systemLost, .closeUnanswered:
                let event = ConnectionCloseEvent(
                    code: ConnectionCloseEvent.abnormalCode, reason: failure.description, wasClean: false)
                self = .socketClosed(attempt: attempt, event)
            default: self = .socketFailed(attempt: attempt, TransportFault(failure))
            }
        }
    }
}

extension RESTReply {
    /// Converts a transport's last report about a request. Nil for any other report, such as progress.
    init?(_ report: HTTPClient.Report) {
        switch report {
        case .answered(let answer):
            self = .answered(
                status: answer.status, retryAfter: answer.headers["Retry-After"], body: answer.body)
        case .failed(let failure): self = .failed(TransportFault(failure))
        case .opened, .sent, .text, .binary, .began, .part, .closed: return nil
        }
    }
}

extension TransportFault {
    init(_ failure: HTTPClient.Failure) {
        switch failure {
        case .unreachable, .timedOut, .handshakeEnded, .badAnswer(.noResponse, _), .badAnswer(.incomplete, _),
            .lost, .closeUnanswered, .badFile, .encryptionUnavailable, .system, .systemLost, .shutDown:
            self = .network(failure.description)
        case .tooLong:
            self = .protocolViolation(failure.description + " Is this the address of the Messaging API?")
        case .badAddress, .badAnswer, .onlyInterimAnswers, .badHandshake, .violation:
            self = .protocolViolation(failure.description)
        }
    }
}

extension ConnectionCloseEvent {
    /// Code 1006, for a connection that ended without a close frame. No close frame may contain it (RFC 6455 §7.4.1).
    static let abnormalCode = CloseCode.abnormal.rawValue

    /// Returns `code` if a close frame may contain it (RFC 6455 §7.4.1, §7.4.2), otherwise 1006, for a cut.
    static func sendable(_ code: Int) -> Int {
        let wire = UInt16(exactly: code).map { WebSocketCore.CloseCode(rawValue: $0) }
        return wire?.isValidOnTheWire == true ? code : abnormalCode
    }
}
