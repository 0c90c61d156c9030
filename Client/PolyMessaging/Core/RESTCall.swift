package import Clocks
import HTTPCore
import Texts

/// REST call for a token or a session, with its retries (protocol.md#token-request, protocol.md#session-request).
package struct RESTCall: Equatable, Sendable {
    package var endpoint: RESTRequest.Endpoint
    /// Access token of the session request; a secret.
    package var token = ""
    package var issuedAt = Instant(nanosecondsSince1970: 0)
    package var expiresAt = Instant(nanosecondsSince1970: 0)
    package var correlationID: String
    /// Number of the current attempt from 1, or 0 before the first.
    package var attempt = 0

    package enum Outcome: Equatable, Sendable {
        case token(String, lifetime: Interval)
        case session(id: String)
        /// Repeat after the pause, or fail with the error if no attempt is left.
        case retry(Interval, PolyError)
        case failure(PolyError, code: SessionErrorCode?)
    }

    // MARK: Request

    package func request(id: Int, _ settings: ClientSettings) -> RESTRequest {
        var headers: HeaderFields
        var body: [UInt8] = Array("{}".utf8)
        switch endpoint {
        case .accessToken: headers = ["X-Token": settings.connectorToken, "X-Host": settings.host]
        case .sessions:
            headers = ["Authorization": "Bearer \(token)", "User-Agent": settings.userAgent]
            var wish: JSONObject = [
                "streaming_enabled": .bool(settings.streamingEnabled),
                "platform": .string(Platform.ios.rawValue),
                "device_type": .string(settings.deviceType.rawValue),
            ]
            if !settings.extensions.isEmpty {
                let names = settings.extensions.map(\.rawValue).sorted()
                wish = JSONObject(wish.members + [.init("extensions", .array(names.map { .string($0) }))])
            }
            body = JSONWriter.bytes(.object(wish))
        }
        headers.append("Content-Type", "application/json")
        headers.append("Accept", "application/json")
        headers.append("X-Polyai-Correlation-Id", correlationID)
        return RESTRequest(id: id, endpoint: endpoint, headers: headers, body: body)
    }

    // MARK: Answer

    package func outcome(of reply: RESTReply) -> Outcome {
        switch reply {
        case .failed(.network(let text)):
            return .retry(MessagingLimits.restPause, .transport(.networkError(text)))
        case .failed(.protocolViolation(let text)):
            return .failure(.transport(.protocolError(reason: text)), code: nil)
        case .failed(.refused(let status, let retryAfter)):
            return outcome(of: .answered(status: status, retryAfter: retryAfter, body: []))
        case .answered(let status, let retryAfter, let body):
            switch status {
            case 200..<300: return success(body)
            case 401, 403: return .failure(.auth(.unauthorized), code: Self.code(body))
            case 429: return .retry(RetryAfter.pause(retryAfter), Self.outage(status))
            case 500...: return .retry(MessagingLimits.restPause, Self.outage(status))
            default: return refusal(Self.code(body))
            }
        }
    }

    /// Whether the connector token, or a header sent with it, caused the error.
    package static func blamesKey(_ error: PolyError) -> Bool {
        switch error {
        case .auth(.unauthorized): true
        case .session(.sessionCreationFailed(let code)):
            switch code {
            case .errorParsingRequest, .missingAuthHeaders, .connectorLookupFailed,
                .connectorValidationFailed:
                true
            default: false
            }
        default: false
        }
    }

    private func success(_ body: [UInt8]) -> Outcome {
        guard let answer = Self.object(body) else {
            let reason = "The answer to \(endpoint.rawValue) is not a JSON object."
            return .failure(.transport(.protocolError(reason: reason)), code: nil)
        }
        switch endpoint {
        case .accessToken:
            guard let token = answer["access_token"]?.string, !token.isEmpty else {
                return .failure(.auth(.tokenAcquisitionFailed), code: nil)
            }
            let seconds = answer["expires_in"]?.integer.map { min(max($0, 0), 1_000_000_000) }
            return .token(token, lifetime: seconds.map { .seconds($0) } ?? MessagingLimits.tokenLifetime)
        case .sessions:
            guard let id = answer["session_id"]?.string, !id.isEmpty else {
                return .failure(.session(.sessionCreationFailed(.unknown)), code: nil)
            }
            return .session(id: id)
        }
    }

    private func refusal(_ code: SessionErrorCode?) -> Outcome {
        switch endpoint {
        case .sessions: .failure(.session(.sessionCreationFailed(code ?? .unknown)), code: code)
        case .accessToken:
            .failure(
                code.map { .session(.sessionCreationFailed($0)) } ?? .auth(.tokenAcquisitionFailed),
                code: code)
        }
    }

    private static func outage(_ status: Int) -> PolyError {
        .transport(.networkError("HTTP \(status)"))
    }

    /// Returns the `error_message` of a refusal, shortened, with "…" in place of a token and its quoted parts. Of a
    /// scenario token, the fixture's name stays, and all names of an answer with the likely spelling.
    package static func reason(_ reply: RESTReply, hiding tokens: [String] = []) -> String? {
        guard case .answered(_, _, let body) = reply else { return nil }
        var text = String(
            (object(body)?["error_message"]?.string ?? "").prefix(MessagingLimits.serverMessage))
        for token in tokens where !token.isEmpty {
            var words = token.split { ":+@=".contains($0) }
            if token.hasPrefix("mock:"), text.pieces(between: "did you mean").count < 2 {
                words.removeFirst(min(2, words.count))
            } else if token.hasPrefix("mock:") {
                let options = token.split(separator: "@").dropFirst()
                words = options.filter { $0.hasPrefix("memory.") || $0.hasPrefix("tag=") }
                    .compactMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first }
            }
            for secret in [token] + words.map({ "\"\($0)\"" }) {
                text = text.pieces(between: secret).joined(separator: "…")
            }
        }
        return text.isEmpty ? nil : text
    }

    private static func object(_ body: [UInt8]) -> JSONObject? {
        (try? JSONReader.read(body, manner: .lenient))?.object
    }

    private static func code(_ body: [UInt8]) -> SessionErrorCode? {
        let answer = object(body)
        let text = answer?["message"]?.string ?? answer?["error"]?.string
        return text.flatMap { SessionErrorCode(rawValue: $0) }
    }
}

extension PolyError {
    /// Name of the error for the log, without text of the server or the user.
    package var log: String {
        switch self {
        case .auth(.unauthorized): "unauthorized"
        case .auth(.tokenAcquisitionFailed): "no access token"
        case .session(.sessionCreationFailed(let code)): "session refused (\(code))"
        case .session(.unexpectedDisconnect(let code, _)): "closed with \(code)"
        case .session(.maxReconnectAttemptsExceeded): "too many reconnects"
        case .session(.sessionExpired): "session expired"
        case .session(.sessionEnded): "session ended"
        case .message(.deliveryFailed): "message not delivered"
        case .message(.payloadTooLarge): "message too large"
        case .transport(.networkError): "network error"
        case .transport(.protocolError): "protocol error"
        case .transport(.notConnected): "not connected"
        case .invalidConfiguration: "invalid configuration"
        }
    }
}

package enum RetryAfter {
    /// Returns the pause for `Retry-After`: at most 30 s, and 5 s for no valid number (protocol.md#retry-after-cap).
    package static func pause(_ text: String?) -> Interval {
        let digits = (text ?? "").utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard !digits.isEmpty, let seconds = Double(String(decoding: digits, as: UTF8.self)), seconds >= 0,
            seconds.isFinite
        else { return MessagingLimits.rateLimitPause }
        return min(Interval.seconds(1).scaled(by: min(seconds, 1_000)), MessagingLimits.maxRateLimitPause)
    }
}
