package import ClientGround
import Clocks
import HTTPClient
import HTTPCore
import WebSocketCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The words of this module over what carries requests and WebSockets.
package struct WebNetwork: HTTPTransport, SocketDialing {
    /// Plain connections over our own sockets, encrypted ones over the system's.
    package static let shared = WebNetwork(BySchemeWeb(PlainNetwork.shared.client))

    private let web: any WebTransport

    package init(_ web: any WebTransport) {
        self.web = web
    }

    package func post(_ call: HTTPCall, completion: @escaping @Sendable (RESTReply) -> Void) {
        post(call, redirectsLeft: Limits.maxRedirects, completion)
    }

    private func post(
        _ call: HTTPCall, redirectsLeft: Int, _ completion: @escaping @Sendable (RESTReply) -> Void
    ) {
        do throws(WebAddress.Flaw) {
            web.begin(try HTTPClient.Request(call)) { report in
                if case .answered(let answer) = report, let redirect = Redirect(answer, of: call.url) {
                    guard redirectsLeft > 0, let url = redirect.next else {
                        return completion(.failed(.protocolViolation(redirect.refusal)))
                    }
                    var next = call
                    next.url = url
                    post(next, redirectsLeft: redirectsLeft - 1, completion)
                } else if let reply = RESTReply(report) {
                    completion(reply)
                }
            }
        } catch {
            completion(.failed(.protocolViolation(error.description)))
        }
    }

    package func dial(
        _ url: URL, report: @escaping @Sendable (SocketReport) -> Void
    ) -> any DialledSocket {
        do throws(WebAddress.Flaw) {
            return ExchangeSocket(
                exchange: web.begin(try HTTPClient.Request(dialling: url)) { report(SocketReport($0)) })
        } catch {
            report(.failed(.protocolViolation(error.description)))
            return UndialledSocket()
        }
    }
}

/// An answer that names another address (RFC 9110 §15.4).
private struct Redirect {
    /// The address to repeat the request at: 307 and 308 keep method and body, and credentials stay on one
    /// host, never less encrypted than before.
    let next: URL?
    /// The status and the address, in words.
    let refusal: String

    /// Nil for any other answer.
    init?(_ answer: HTTPClient.Answer, of url: URL) {
        guard [301, 302, 303, 307, 308].contains(answer.status) else { return nil }
        let location = answer.headers["Location"] ?? ""
        let target = location.isEmpty ? nil : URL(string: location, relativeTo: url)?.absoluteURL
        let scheme = target?.scheme?.lowercased()
        let isSafe =
            target?.host?.lowercased() == url.host?.lowercased()
            && (scheme == "https" || scheme == "http" && url.scheme?.lowercased() == "http")
        next = answer.status >= 307 && isSafe ? target : nil
        let shown = location.prefix(Limits.shownLocation)
        refusal =
            "\(url.absoluteString) answered with HTTP \(answer.status), a redirect"
            + (location.isEmpty ? " without an address." : " to \(shown), which is not followed.")
            + " Is it the address of the Messaging API?"
    }
}

private struct ExchangeSocket: DialledSocket {
    let exchange: any WebExchange

    func send(_ text: [UInt8]) { exchange.send(.text, text) }
    func sendBinary(_ bytes: [UInt8]) { exchange.send(.binary, bytes) }
    func taken(_ byteCount: Int) { exchange.taken(byteCount) }

    func close(code: Int, reason: String) {
        if code == ConnectionCloseEvent.abnormalCode { return exchange.cut() }
        exchange.close(
            UInt16(exactly: code).map { WebSocketCore.CloseCode(rawValue: $0) } ?? .normal, reason: reason)
    }
}

// MARK: - Translation

extension HTTPClient.Request {
    init(_ call: HTTPCall) throws(WebAddress.Flaw) {
        let address = try WebAddress(call.url)
        self.init(
            "POST", address.endpoint, address.target, headers: call.headers,
            answerBytes: Limits.responseBytes,
            timeout: Limits.exchangeTimeout)
        body = call.body
    }

    init(dialling url: URL) throws(WebAddress.Flaw) {
        let address = try WebAddress(url)
        self.init(
            "GET", address.endpoint, address.target, headers: ["User-Agent": UserAgent.text], answerBytes: 0,
            timeout: Limits.exchangeTimeout)
        webSocket = HTTPClient.WebSocketTerms(
            messageBytes: Limits.incomingMessageBytes, unhandledBytes: Limits.unhandledBytes)
    }
}

extension RESTReply {
    /// Nil for what happens to WebSockets alone.
    init?(_ report: HTTPClient.Report) {
        switch report {
        case .answered(let answer):
            self = .answered(
                status: answer.status, retryAfter: answer.headers["Retry-After"], body: answer.body)
        case .failed(let failure): self = .failed(TransportFault(failure))
        case .opened, .text, .binary, .began, .part, .closed: return nil
        }
    }
}

extension SocketReport {
    init(_ report: HTTPClient.Report) {
        switch report {
        case .opened: self = .opened
        case .text(let bytes): self = .text(bytes)
        case .binary(let bytes), .part(let bytes): self = .binary(bytes)
        case .answered(let answer), .began(let answer):
            self = .failed(.refused(status: answer.status, retryAfter: answer.headers["Retry-After"]))
        case .closed(let code, let reason):
            self = .closed(ConnectionCloseEvent(code: Int(code.rawValue), reason: reason, wasClean: true))
        case .failed(let failure):
            switch failure {
            case .lost, .systemLost, .closeUnanswered:
                self = .closed(
                    ConnectionCloseEvent(
                        code: ConnectionCloseEvent.abnormalCode, reason: failure.description, wasClean: false)
                )
            default: self = .failed(TransportFault(failure))
            }
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
        case .badAnswer, .onlyInterimAnswers, .badHandshake, .violation:
            self = .protocolViolation(failure.description)
        }
    }
}

extension ConnectionCloseEvent {
    /// No Close frame may carry it: the connection ended without one (RFC 6455 §7.4.1).
    static let abnormalCode = CloseCode.abnormal.rawValue
}
