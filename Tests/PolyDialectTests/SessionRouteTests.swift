import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import PolyDialect
import Testing
import Texts

/// protocol.md#session-request
@Suite("POST /api/v1/sessions")
struct SessionRouteTests {
    private let exchange = Exchange()

    /// protocol.md#session-answer
    @Test("The answer names the session")
    func success() throws {
        let reply = try exchange.session("Bearer " + exchange.token())
        expectEqual(reply.status, 200)
        expectEqual(reply.json, .object(["session_id": .string("s-1")]))
    }

    /// protocol.md#session-body, protocol.md#session-body-types
    @Test(
        "An absent or empty body means all defaults; unknown members and platforms are taken as they are",
        arguments: [
            ("", false, "web", nil), (" \r\n", false, "web", nil), ("{}", false, "web", nil),
            (#"{"streaming_enabled":true,"platform":"ios","device_type":"mobile"}"#, true, "ios", "mobile"),
            (#"{"platform":"toaster","x":[1]}"#, false, "toaster", nil),
            (#"{"streaming_enabled":null,"platform":null,"device_type":5}"#, false, "web", nil),
        ] as [(String, Bool, String, String?)])
    func wishes(_ body: String, _ isStreaming: Bool, _ platform: String, _ device: String?) throws {
        try expectEqual(exchange.session("bearer " + exchange.token(), body: body).status, 200)
        let wish = try #require(exchange.host.wishes.first)
        expectEqual(wish.isStreaming, isStreaming)
        expectEqual(wish.platform, platform)
        expectEqual(wish.deviceType, device)
        expectEqual(wish.scenario, nil)
    }

    @Test("Missing access token: 400 without an Authorization header")
    func missingToken() throws {
        try expectEqual(exchange.session(nil).row, "400 Missing access token")
    }

    @Test(
        "Missing authentication headers: 401 when the header is not Bearer and one token",
        arguments: ["", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer a b", "Bearerabc"] as [String])
    func malformedAuthorization(_ field: String) throws {
        try expectEqual(exchange.session(field).row, "401 Missing authentication headers")
    }

    @Test("Invalid access token: 401 for nonsense, another server's token, and an expired one")
    func invalidToken() throws {
        try expectEqual(exchange.session("Bearer nonsense", body: "{").row, "401 Invalid access token")
        let foreign = try Exchange(keyByte: 8).token()
        try expectEqual(exchange.session("Bearer " + foreign).row, "401 Invalid access token")
        let token = try exchange.token()
        exchange.host.now = exchange.host.now + .seconds(86_399)
        try expectEqual(exchange.session("Bearer " + token).status, 200)
        exchange.host.now = exchange.host.now + .seconds(1)
        try expectEqual(exchange.session("Bearer " + token).row, "401 Invalid access token")
    }

    /// protocol.md#session-body-types
    @Test(
        "Error parsing request: 400 for a body that is no JSON object, or mistypes what matters",
        arguments: [
            "{", "nonsense", "[]", "null", #"{"streaming_enabled":"true"}"#, #"{"streaming_enabled":1}"#,
            #"{"platform":7}"#, "{} x",
        ] as [String])
    func unreadableRequest(_ body: String) throws {
        try expectEqual(
            exchange.session("Bearer " + exchange.token(), body: body).row, "400 Error parsing request")
        #expect(exchange.host.wishes.isEmpty)
    }

    /// protocol.md#session-body-types
    @Test(
        "What a session keeps of its client's own words is bounded",
        arguments: ["platform", "device_type"] as [String])
    func longWords(member: String) throws {
        func ask(_ count: Int) throws -> Int {
            let body = #"{"\#(member)":"\#(String(repeating: "x", count: count))"}"#
            return try exchange.session("Bearer " + exchange.token(), body: body).status
        }
        try expectEqual(ask(PolyLimits.clientWordBytes), 200)
        try expectEqual(ask(PolyLimits.clientWordBytes + 1), 400)
        expectEqual(exchange.host.wishes.count, 1)
    }

    @Test("Failed to create session: 500 when the server takes no more; the reason stands beside it")
    func sessionFailure() throws {
        exchange.host.refusesSessions = "2,000 sessions are open"
        let reply = try exchange.session("Bearer " + exchange.token())
        expectEqual(reply.row, "500 Failed to create session")
        expectEqual(reply.json["error_message"]?.string, "Failed to create session: 2,000 sessions are open")
    }

    /// protocol.md#session-check-order
    @Test("Above the rate the answer is 429, before the body is read")
    func rate() throws {
        let exchange = Exchange(PolyOptions { $0.rates.rest = .init(burst: 1, perSecond: 1) })
        let token = try exchange.token()
        try expectEqual(exchange.session("Bearer " + token).status, 200)
        let refused = try exchange.session("Bearer " + token, body: "{")
        expectEqual(refused.status, 429)
        expectEqual(refused.headers["Retry-After"], "1")
    }

    /// protocol.md#token-binding
    @Test("The owner of a session is its token's subject or id, never the token itself")
    func owner() throws {
        for binding in PolyOptions.Tokens.Binding.allCases {
            let exchange = Exchange(PolyOptions { $0.tokens.binding = binding })
            let (token, _) = try exchange.opened()
            let owner = try #require(exchange.host.wishes.first?.owner)
            let key = SigningKey([UInt8](repeating: 7, count: 32))
            let claims = try AccessToken(token, key: key, at: exchange.host.now)
            #expect(!owner.contains("."), "a token has dots")
            switch binding {
            case .exactToken: expectEqual(owner, claims.tokenID)
            case .subject: expectEqual(owner, claims.subject)
            // Nothing is compared; a fault may let the token expire.
            case .off: expectEqual(owner, claims.tokenID)
            }
        }
    }

    /// protocol.md#context-id
    @Test("A context id is made for connectors that want one")
    func contextID() throws {
        _ = try exchange.opened()
        expectEqual(exchange.host.wishes.first?.contextID, nil)
        let wanting = Exchange(
            PolyOptions {
                $0.connectors = [.init(token: "ct", id: "c", hosts: ["com.example"], sendsContextID: true)]
            })
        _ = try wanting.opened()
        expectEqual(wanting.host.wishes.first?.contextID?.isEmpty, false)
    }

    @Test("No log line ever holds a token")
    func noSecrets() throws {
        let token = try exchange.token()
        _ = try exchange.session("Bearer " + token + "x")
        _ = try exchange.refusal([("session_id", "s-1"), ("access_token", token + "x")])
        expectEqual(exchange.host.lines.count, 2)
        #expect(exchange.host.lines.allSatisfy { !$0.contains(token.prefix(20)) })
    }

    /// protocol.md#chunks-for-blank-joiners
    @Test(
        "The published SDKs are known to join chunks with a blank, by their User-Agent; ours and others are not",
        arguments: [
            ("PolyMessaging-iOS/0.9.0 (iOS; 17.2)", true),
            ("PolyMessaging-Android/0.4.1 (Android; 14)", true),
            ("PolyMessaging-iOS/0.1.0 (iOS; 17.2.0) polymock", false),
            ("PolyMessaging-Linux/0.1.0 (Linux; 6.1.0) polymock", false),
            ("curl/8.5.0", false), ("Mozilla/5.0 PolyMessaging-iOS/0.9.0", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func joinsWithBlanks(_ userAgent: String?, _ expected: Bool) throws {
        var headers: HeaderFields = ["Authorization": "Bearer \(try exchange.token())"]
        if let userAgent { headers.append("User-Agent", userAgent) }
        _ = exchange.answer(
            "POST", "/api/v1/sessions", headers: headers, body: #"{"streaming_enabled":true}"#)
        expectEqual(exchange.host.wishes.map(\.joinsWithBlanks), [expected])
    }
}
