import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import MessagingWire

extension PolyDialect {
    /// `POST /api/v1/access-token` (poly-messaging 1.2). The checks run in the order of table 1.4; the body is
    /// not looked at.
    func accessToken(_ request: Request, _ reply: Reply, host: inout any DialectHost) -> Response {
        let token = request.head.headers["X-Token"] ?? ""
        var connectorID = token.isEmpty ? "" : Connector.id(for: token)
        var facts = RequestFacts(.token)
        facts.subject = connectorID
        facts.origin = request.head.headers["X-Host"]
        facts.correlation = request.head.headers["X-Polyai-Correlation-Id"]
        host.facts = facts
        guard !token.isEmpty, let origin = request.head.headers["X-Host"], !origin.isEmpty else {
            return reply.problem(.missingHeaders)
        }

        let scenario: String?
        let life: Interval?
        switch host.scenario(for: token) {
        case .found(let line, let tokenLife): (scenario, life) = (line, tokenLife)
        case .refused(let reason):
            host.log("poly: connector token refused: \(reason)")
            return reply.problem(.unknownConnector, detail: reason)
        }

        if case .listed(let connectors) = options.connectors {
            if let connector = connectors.first(where: { $0.token == token }) {
                if connector.hosts.isEmpty { return reply.problem(.connectorWithoutHost) }
                guard connector.hosts.contains(where: { HostName.matches(presented: origin, registered: $0) })
                else { return reply.problem(.hostMismatch) }
                connectorID = connector.id
            } else if scenario == nil {
                return reply.problem(.unknownConnector)
            }
        }
        if let limit = options.accessTokenRate,
            let wait = host.take(from: "poly access-token " + connectorID, limit: limit)
        {
            return reply.status(429, retryAfter: wait)
        }
        return mint(connectorID: connectorID, scenario: scenario, life: life, reply, host: &host)
    }

    private func mint(
        connectorID: String, scenario: String?, life: Interval?, _ reply: Reply,
        host: inout any DialectHost
    ) -> Response {
        // A life below a second is over before it can be told.
        let seconds = max(1, life?.seconds ?? options.accessTokenSeconds)
        let now = host.now.secondsSince1970
        let (expiresAt, isEndless) = now.addingReportingOverflow(seconds)
        let token = AccessToken(
            issuer: options.issuer, subject: host.uniqueID().text, connectorID: connectorID, issuedAt: now,
            expiresAt: isEndless ? .max : expiresAt, tokenID: host.uniqueID().text, scenario: scenario)
        return reply.success([
            "access_token": .string(token.signed(with: key)), "expires_in": .integer(seconds),
            "token_type": .string("Bearer"),
        ])
    }
}
