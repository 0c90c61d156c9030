package import ClientSupport
package import HTTPClient
import HTTPCore
import WebSocketCore

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The requests and WebSockets of a ``ClientCore``, over any network.
extension WebTransport {
    /// Makes a request and returns at once; `completion` is called once, on any thread. Only redirects of the same
    /// request to the same host are followed: credentials stay there.
    package func post(
        _ request: RESTRequest, to base: URL, completion: @escaping @Sendable (RESTReply) -> Void
    ) {
        post(request, at: base.appendingPathComponent(request.endpoint.rawValue), completion: completion)
    }

    func post(
        _ request: RESTRequest, at url: URL, redirectsLeft: Int = Limits.maxRedirects,
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

    /// Begins to dial a WebSocket and returns at once. `report` is called in order, on any thread.
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

    /// Ends a WebSocket; code 1006, which no frame may carry (RFC 6455 §7.4.1), cuts it without a word. True
    /// when more is reported, its end at last.
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
            answerBytes: Limits.responseBytes, timeout: Limits.exchangeTimeout)
        body = request.body
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
