import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import PolyDialect
import Testing
import Texts

/// protocol.md#token-request
@Suite("POST /api/v1/access-token")
struct AccessTokenRouteTests {
    private let strict = Exchange(
        PolyOptions {
            $0.connectors = [
                .init(token: "ct", id: "c-1", hosts: ["https://yourcompany.com/", "com.yourcompany.app"]),
                .init(token: "homeless", id: "c-2", hosts: []),
            ]
        })

    @Test("A token is answered with its type and lifetime")
    func success() throws {
        let exchange = Exchange()
        let reply = try exchange.accessToken()
        expectEqual(reply.status, 200)
        expectEqual(reply.headers["Content-Type"], "application/json")
        expectEqual(reply.json.object?.members.map(\.name), ["access_token", "expires_in", "token_type"])
        expectEqual(reply.json["expires_in"], .integer(86_400))
        expectEqual(reply.json["token_type"], .string("Bearer"))
        let text = try #require(reply.json["access_token"]?.string)
        let token = try AccessToken(
            text, key: SigningKey([UInt8](repeating: 7, count: 32)), at: exchange.host.now)
        expectEqual(token.expiresAt, token.issuedAt + 86_400)
        expectEqual(token.issuedAt, 1_768_469_400)
        expectEqual(token.issuer, "polymock")
        #expect(!text.contains("ct") && token.connectorID != "ct", "the connector token is a secret")
    }

    @Test("A lifetime beyond the end of time is no accident", arguments: [Int64.max, -5] as [Int64])
    func extremes(_ seconds: Int64) throws {
        let exchange = Exchange(PolyOptions { $0.tokens.life = .seconds(seconds) })
        let token = try exchange.token()
        try expectEqual(exchange.session("Bearer " + token).status, 200)
    }

    /// protocol.md#token-claims
    @Test("Every token is a new user")
    func freshSubject() throws {
        let exchange = Exchange()
        #expect(try exchange.token() != exchange.token())
    }

    /// protocol.md#token-body
    @Test("The body is not looked at", arguments: ["", "{}", "[1]", "nonsense"] as [String])
    func anyBody(_ body: String) throws {
        let answer = Exchange().answer(
            "POST", "/api/v1/access-token/", headers: ["x-token": "ct", "x-host": "h"], body: body)
        try expectEqual(Reply(answer).status, 200)
    }

    @Test(
        "Missing authentication headers: 401 when X-Token or X-Host is absent or empty",
        arguments: [
            [:], ["X-Token": "ct"], ["X-Host": "h"], ["X-Token": "", "X-Host": "h"],
            ["X-Token": "ct", "X-Host": ""],
        ] as [HeaderFields])
    func missingHeaders(_ headers: HeaderFields) throws {
        let reply = try strict.accessToken(headers)
        expectEqual(reply.row, "401 Missing authentication headers")
        let missing = ["X-Token", "X-Host"].filter { headers[$0]?.isEmpty != false }.joined(
            separator: " and ")
        expectEqual(
            reply.json["error_message"]?.string,
            "Missing authentication headers: \(missing) missing or empty")
    }

    @Test("Connector token does not exist: 401 for a connector that is not listed")
    func unknownConnector() throws {
        let reply = try strict.accessToken(["X-Token": "other", "X-Host": "yourcompany.com"])
        expectEqual(reply.row, "401 Connector token does not exist")
    }

    @Test("Connector missing host domain: 401 for a connector without a registered host")
    func connectorWithoutHost() throws {
        let reply = try strict.accessToken(["X-Token": "homeless", "X-Host": "yourcompany.com"])
        expectEqual(reply.row, "401 Connector missing host domain")
    }

    @Test("Failed to validate connector: 401 for a foreign host")
    func hostMismatch() throws {
        let reply = try strict.accessToken(["X-Token": "ct", "X-Host": "https://notyourcompany.com"])
        expectEqual(reply.row, "401 Failed to validate connector")
    }

    @Test("Failed to create access token: 500, by the switch of that name")
    func tokenFailure() throws {
        let request = Request(
            head: RequestHead(method: "POST", target: "/"), path: "/api/v1/access-token", query: [], body: [])
        var host: any DialectContext = strict.host
        let response = strict.dialect.refuse(.problem(.tokenFailure), request: request, host: &host)
        try expectEqual(Reply(response).row, "500 Failed to create access token")
    }

    @Test(
        "Any registered host matches, with its subdomains",
        arguments: ["com.yourcompany.app", "https://app.yourcompany.com:8443/x"] as [String])
    func hosts(_ host: String) throws {
        let reply = try strict.accessToken(["X-Token": "ct", "X-Host": host])
        expectEqual(reply.status, 200)
    }

    @Test("A scenario line is carried on by the token, also past a list of connectors")
    func scenario() throws {
        strict.host.scenarios["mock:booking@seed=7"] = .found(line: "booking@seed=7", tokenLife: .seconds(90))
        let reply = try strict.accessToken(["X-Token": "mock:booking@seed=7", "X-Host": "any"])
        expectEqual(reply.json["expires_in"], .integer(90))
        let token = try #require(reply.json["access_token"]?.string)
        try expectEqual(strict.session("Bearer " + token).status, 200)
        expectEqual(strict.host.wishes.map(\.scenario), ["booking@seed=7"])
    }

    /// protocol.md#error-detail
    @Test("A misspelt scenario line is refused with the likely spelling beside the documented text")
    func misspeltScenario() throws {
        strict.host.scenarios["mock:boking"] = .refused(
            reason: "no fixture \"boking\"; did you mean \"booking\"?")
        let reply = try strict.accessToken(["X-Token": "mock:boking", "X-Host": "any"])
        expectEqual(reply.row, "401 Connector token does not exist")
        let detail = "Connector token does not exist: no fixture \"boking\"; did you mean \"booking\"?"
        expectEqual(reply.json["error_message"], .string(detail))
    }

    /// protocol.md#request-rate, protocol.md#token-check-order
    @Test("Above the rate a connector gets 429 and the seconds to wait; another connector does not")
    func rate() throws {
        let exchange = Exchange(PolyOptions { $0.rates.rest = .init(burst: 2, perSecond: 0.4) })
        try expectEqual(exchange.accessToken().status, 200)
        try expectEqual(exchange.accessToken().status, 200)
        let refused = try exchange.accessToken()
        expectEqual(refused.status, 429)
        expectEqual(refused.headers["Retry-After"], "3")
        try expectEqual(exchange.accessToken(["X-Token": "other", "X-Host": "h"]).status, 200)
        exchange.host.now = exchange.host.now + .seconds(3)
        try expectEqual(exchange.accessToken().status, 200)
    }

    /// protocol.md#error-body
    @Test("An error body answers every key a client looks for, and carries the correlation id")
    func errorBody() throws {
        let reply = try strict.accessToken(["X-POLYAI-CORRELATION-ID": "0B5C-7"])
        expectEqual(reply.headers["X-Polyai-Correlation-Id"], "0B5C-7")
        let text = JSONValue.string("Missing authentication headers")
        expectEqual(
            reply.json,
            .object([
                "success": .bool(false), "message": text, "error": text,
                "error_message": .string(
                    "Missing authentication headers: X-Token and X-Host missing or empty"),
                "error_code": .string("MISSING_AUTHENTICATION_HEADERS"), "error_id": .string("0B5C-7"),
                "data": .null,
            ]))
    }

    /// protocol.md#correlation-id
    @Test(
        "Without a usable correlation id the server makes one",
        arguments: [nil, "", "a b", "é", String(repeating: "x", count: 129)] as [String?])
    func newCorrelation(_ given: String?) throws {
        var headers: HeaderFields = [:]
        if let given { headers.append("X-Polyai-Correlation-Id", given) }
        let reply = try strict.accessToken(headers)
        let id = try #require(reply.headers["X-Polyai-Correlation-Id"])
        #expect(!id.isEmpty && id != given)
        expectEqual(reply.json["error_id"], .string(id))
    }

    @Test("A success echoes the correlation id too")
    func correlationOfSuccess() throws {
        let reply = try strict.accessToken([
            "X-Token": "ct", "X-Host": "yourcompany.com", "X-Polyai-Correlation-Id": "abc",
        ])
        expectEqual(reply.status, 200)
        expectEqual(reply.headers["X-Polyai-Correlation-Id"], "abc")
    }
}
