package import ClientSupport
package import HTTPClient
import HTTPCore
import WebSocketCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension WebTransport {
    /// Sends a request and returns at once. `completion` is called once, on any thread. Credentials are sent, so a
    /// redirect is followed only with the same method and host.
    package func post(
        _ request: RESTRequest, to base: URL, completion: @escaping @Sendable (RESTReply) -> Void
    ) {
        post(request, at: base.appendingPathComponent(request.endpoint.rawValue), completion: completion)
    }

    func post(
        _ request: RESTRequest, at url: URL, redirectsLeft: Int = MessagingLimits.maxRedirects,
        completion: @escaping @Sendable (RESTReply) -> Void
    ) {
        do throws(WebAddress.Flaw) {
            begin(try HTTPClient.Request(request, at: url)) { report in
                if case .answered(let answer) = report, let redirect = Redirect(answer, of: url) {
                    guard redirectsLeft > 0, let next = redirect.next else {
                        return completion(.failed(.protocolViolation(redirect.refusal)))
                    }
                    post(request, at: next, redirectsLeft: redirectsLeft - 1, completion: completion)
                } else if let reply = RESTReply(report) {
                    completion(reply)
                }
            }
        } catch {
            completion(.failed(TransportFault(.badAddress(error.description))))
        }
    }

    /// Begins to open a WebSocket and returns at once. Calls `report` in order, on any thread.
    package func dial(
        _ url: URL, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        do throws(WebAddress.Flaw) {
            return begin(try HTTPClient.Request(dialling: url), report: report)
        } catch {
            report(.failed(.badAddress(error.description)))
            return NoExchange()
        }
    }
}

extension WebExchange {
    package func send(_ text: [UInt8]) { send(.text, text) }

    /// Closes a WebSocket, or cuts the connection for code 1006 (RFC 6455 §7.4.1). Returns whether more reports follow.
    package func close(_ code: Int, reason: String) -> Bool {
        if code == ConnectionCloseEvent.abnormalCode {
            cut()
            return false
        }
        close(
            UInt16(exactly: code).map { WebSocketCore.CloseCode(rawValue: $0) } ?? .normal, reason: reason)
        return true
    }
}

extension HTTPClient.Request {
    init(_ request: RESTRequest, at url: URL) throws(WebAddress.Flaw) {
        let address = try WebAddress(url)
        self.init(
            "POST", address.endpoint, address.target, headers: request.headers,
            answerBytes: MessagingLimits.responseBytes, timeout: MessagingLimits.exchangeTimeout)
        body = request.body
    }

    init(dialling url: URL) throws(WebAddress.Flaw) {
        let address = try WebAddress(url)
        self.init(
            "GET", address.endpoint, address.target, headers: ["User-Agent": UserAgent.text], answerBytes: 0,
            timeout: MessagingLimits.exchangeTimeout)
        webSocket = HTTPClient.WebSocketTerms(
            messageBytes: MessagingLimits.incomingMessageBytes, unhandledBytes: MessagingLimits.unhandledBytes
        )
    }
}

private struct Redirect {
    /// Address for the repeated request. Nil unless the status is 307 or 308, which keep method and body (RFC 9110
    /// §15.4), and the host is the same. Never unencrypted after an encrypted request.
    let next: URL?
    let refusal: String

    init?(_ answer: HTTPClient.Answer, of url: URL) {
        guard [301, 302, 303, 307, 308].contains(answer.status) else { return nil }
        let location = answer.headers["Location"] ?? ""
        let target = location.isEmpty ? nil : URL(string: location, relativeTo: url)?.absoluteURL
        let scheme = target?.scheme?.lowercased()
        let isSafe =
            target?.host?.lowercased() == url.host?.lowercased()
            && (scheme == "https" || scheme == "http" && url.scheme?.lowercased() == "http")
        next = answer.status >= 307 && isSafe ? target : nil
        let shown = location.prefix(MessagingLimits.shownLocation)
        refusal =
            "\(url.absoluteString) answered with HTTP \(answer.status), a redirect"
            + (location.isEmpty ? " without an address." : " to \(shown), which is not followed.")
            + " Is it the address of the Messaging API?"
    }
}
