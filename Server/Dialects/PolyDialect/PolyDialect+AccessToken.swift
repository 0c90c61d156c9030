import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import Texts

extension PolyDialect {
    /// Answers `POST /api/v1/access-token` (protocol.md#token-request, protocol.md#token-check-order).
    func accessToken(_ request: Request, _ reply: ResponseBuilder, host: inout any DialectContext) -> Response
    {
        let token = request.head.headers["X-Token"] ?? ""
        var connectorID = token.isEmpty ? "" : Self.connectorID(of: token)
        let sentOrigin = request.head.headers["X-Host"]
        host.facts = RequestInfo(
            .token, subject: connectorID, origin: sentOrigin, correlation: reply.given)
        guard !token.isEmpty, let origin = sentOrigin, !origin.isEmpty else {
            let missing = [
                token.isEmpty ? "X-Token" : nil,
                request.head.headers["X-Host"]?.isEmpty != false ? "X-Host" : nil,
            ].compactMap { $0 }.joined(separator: " and ")
            let reason = "\(missing) missing or empty"
            return reply.refusal(.missingHeaders, because: reason, detail: reason, &host)
        }

        let scenario: String?
        let life: Interval?
        switch host.scenario(for: token) {
        case .found(let line, let tokenLife): (scenario, life) = (line, tokenLife)
        case .refused(let reason):
            return reply.refusal(
                .unknownConnector, because: "connector token refused: \(reason)", detail: reason, &host)
        }

        if scenario != nil, !options.tokens.acceptsScenarios, !isListed(token) {
            let reason = "this server takes no scenario from clients (tokens.scenarios)"
            return reply.refusal(
                .unknownConnector, because: "connector token refused: \(reason)", detail: reason, &host)
        }
        if !options.connectors.isEmpty {
            if let connector = options.connectors.first(where: { $0.token == token }) {
                if let fault = fault(of: connector, presented: origin) {
                    return reply.refusal(fault.problem, because: fault.reason, &host)
                }
                connectorID = connector.id
            } else if scenario == nil {
                let known = options.connectors.map(\.id).joined(separator: ", ")
                return reply.refusal(
                    .unknownConnector,
                    because: "the X-Token that was sent is that of no connector; \"connectors\" has \(known)",
                    &host)
            }
        }
        if let limit = options.rates.rest?.limit,
            let wait = host.consumeToken(for: "token", of: connectorID, limit: limit)
        {
            return reply.tooFast("connector \(connectorID) asks for more tokens", wait: wait, &host)
        }
        return mint(connectorID: connectorID, scenario: scenario, life: life, reply, host: &host)
    }

    /// Returns why a listed connector does not allow `origin`, or nil.
    private func fault(
        of connector: PolyOptions.Connector, presented origin: String
    ) -> (problem: KnownProblem, reason: String)? {
        guard !connector.hosts.isEmpty else {
            return (.connectorWithoutHost, "connector \(connector.id) has no host; add one to its \"hosts\"")
        }
        guard !connector.hosts.contains(where: { HostName.matches(presented: origin, registered: $0) }) else {
            return nil
        }
        let quoted = origin.prefix(PolyLimits.quotedCharacters).debugDescription
        let hosts = connector.hosts.joined(separator: ", ")
        return (.hostMismatch, "X-Host \(quoted) is none of the hosts of connector \(connector.id): \(hosts)")
    }

    /// Returns an id for an unlisted connector: a hash, because the connector token is a secret.
    private static func connectorID(of token: String) -> String {
        var token = token
        return token.withUTF8 { SHA256.hex(of: UnsafeRawBufferPointer($0), bytes: 8, after: "connector-") }
    }

    private func isListed(_ token: String) -> Bool {
        options.connectors.contains { $0.token == token }
    }

    private func mint(
        connectorID: String, scenario: String?, life: Interval?, _ reply: ResponseBuilder,
        host: inout any DialectContext
    ) -> Response {
        // Tokens expire at whole seconds.
        let seconds = max(1, life?.seconds ?? options.tokens.life.seconds)
        let now = host.now.secondsSince1970
        let (expiresAt, isEndless) = now.addingReportingOverflow(seconds)
        let token = AccessToken(
            issuer: "polymock", subject: host.uniqueID().text, connectorID: connectorID, issuedAt: now,
            expiresAt: isEndless ? .max : expiresAt, tokenID: host.uniqueID().text, scenario: scenario)
        let text = token.signed(with: key)
        host.keepReading(token, of: text)
        return reply.success { body in
            JSONWriter.literal(#"{"access_token":"#, into: &body)
            JSONWriter.string(text, into: &body)
            JSONWriter.literal(#","expires_in":"#, into: &body)
            JSONWriter.integer(seconds, into: &body)
            JSONWriter.literal(#","token_type":"Bearer"}"#, into: &body)
        }
    }
}
