import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import PolyDialect
import Testing
import Texts

/// protocol.md#connect-parameters
@Suite("GET /ws")
struct ConnectRouteTests {
    private let exchange = Exchange()

    /// protocol.md#no-subprotocol, protocol.md#cursor-replay
    @Test("The right token connects to its session, from the start or after a cursor")
    func success() throws {
        let (token, session) = try exchange.opened()
        for (text, value) in [(nil, 0), ("12", 12), ("seq:12", 12)] as [(String?, UInt64)] {
            var query = [(name: "access_token", value: token), (name: "session_id", value: session)]
            if let text { query.append((name: "cursor", value: text)) }
            guard case .connect(let handle, let cursor, let note) = exchange.connect(query) else {
                Issue.record("refused")
                continue
            }
            expectEqual(handle, SessionHandle(slot: 1, generation: 1))
            expectEqual(cursor, value)
            expectEqual(note, nil)
        }
    }

    /// protocol.md#cursor-forms
    @Test("An odd cursor connects from the start, with a warning")
    func oddCursor() throws {
        let (token, session) = try exchange.opened()
        let query = [("access_token", token), ("session_id", session), ("cursor", "a\nb")].map {
            (name: $0.0, value: $0.1)
        }
        guard case .connect(_, let cursor, let note) = exchange.connect(query) else {
            Issue.record("refused")
            return
        }
        expectEqual(cursor, 0)
        expectEqual(note, #"poly: cursor "a\nb" is not a number and counts as 0: the whole history is sent"#)
    }

    /// protocol.md#upgrade-required
    @Test(
        "A plain GET is told to upgrade, whatever its parameters",
        arguments: [
            [:], ["Upgrade": "websocket"], ["Connection": "Upgrade"],
            ["Connection": "Upgrade", "Upgrade": "h2c"],
        ] as [HeaderFields])
    func plainGet(_ headers: HeaderFields) throws {
        let reply = try exchange.refusal([], headers: headers)
        expectEqual(reply.status, 426)
        expectEqual(reply.headers["Upgrade"], "websocket")
        expectEqual(reply.headers["Connection"], "Upgrade")
    }

    @Test(
        "invalid connection parameters: 400 when session_id or access_token is missing or empty",
        arguments: [
            [], ["session_id"], ["access_token"], ["session_id", "auth_token"],
            ["session_id", "access_token="],
            ["session_id=", "access_token"],
        ] as [[String]])
    func invalidParameters(_ names: [String]) throws {
        let query = names.map {
            $0.hasSuffix("=") ? (name: String($0.dropLast()), value: "") : (name: $0, value: "x")
        }
        try expectEqual(exchange.refusal(query).row, "400 invalid connection parameters")
    }

    @Test("authentication failed: 401 for a bad or expired token, before the session is looked up")
    func badToken() throws {
        let (token, session) = try exchange.opened()
        try expectEqual(
            exchange.refusal([("session_id", "nowhere"), ("access_token", "x.y.z")]).row,
            "401 authentication failed")
        exchange.host.now = exchange.host.now + .hours(24)
        try expectEqual(
            exchange.refusal([("session_id", session), ("access_token", token)]).row,
            "401 authentication failed")
    }

    /// protocol.md#handshake-order
    @Test("session not found: 404 for a session that never was, or has ended, before its owner is asked")
    func unknownSession() throws {
        let (_, session) = try exchange.opened()
        let other = try exchange.token()
        try expectEqual(
            exchange.refusal([("session_id", "nowhere"), ("access_token", other)]).row,
            "404 session not found")
        exchange.host.sessions[session]?.hasEnded = true
        try expectEqual(
            exchange.refusal([("session_id", session), ("access_token", other)]).row,
            "404 session not found")
    }

    @Test("authentication failed: 401 for another token than the session's, before places are counted")
    func binding() throws {
        let (_, session) = try exchange.opened()
        exchange.host.sessions[session]?.connectionCount = 10
        let other = try exchange.token()
        try expectEqual(
            exchange.refusal([("session_id", session), ("access_token", other)]).row,
            "401 authentication failed")
    }

    /// protocol.md#token-binding
    @Test("With binding off any valid token connects; by subject another user's does not")
    func looserBindings() throws {
        for (binding, isConnected) in [(.off, true), (.subject, false)]
            as [(PolyOptions.Tokens.Binding, Bool)]
        {
            let exchange = Exchange(PolyOptions { $0.tokens.binding = binding })
            let (_, session) = try exchange.opened()
            let answer = exchange.connect([("session_id", session), ("access_token", try exchange.token())])
            if case .connect = answer { #expect(isConnected) } else { #expect(!isConnected) }
        }
    }

    @Test("Bound by subject, a renewed token of the same user connects")
    func renewedToken() throws {
        let exchange = Exchange(PolyOptions { $0.tokens.binding = .subject })
        let key = SigningKey([UInt8](repeating: 7, count: 32))
        let (text, session) = try exchange.opened()
        var token = try AccessToken(text, key: key, at: exchange.host.now)
        token.tokenID = "renewed"
        guard
            case .connect = exchange.connect([
                ("session_id", session), ("access_token", token.signed(with: key)),
            ])
        else {
            Issue.record("refused")
            return
        }
    }

    @Test("connection limit exceeded for session: 429 with Retry-After at the eleventh connection")
    func tooManyConnections() throws {
        let (token, session) = try exchange.opened()
        exchange.host.sessions[session]?.connectionCount = 10
        let reply = try exchange.refusal([("session_id", session), ("access_token", token)])
        expectEqual(reply.row, "429 connection limit exceeded for session")
        expectEqual(reply.headers["Retry-After"], "1")
        exchange.host.sessions[session]?.connectionCount = 9
        guard case .connect = exchange.connect([("session_id", session), ("access_token", token)]) else {
            Issue.record("refused with a free place")
            return
        }
    }

    /// extensions.md#file-request, extensions.md#file-upload
    @Test("The three routes are announced, for pages of every origin, and two of sessions that ask for files")
    func routes() {
        expectEqual(
            exchange.dialect.routes,
            [
                Route(
                    "/api/v1/access-token", methods: ["POST"], operation: "CreateAccessToken",
                    isOpenToPages: true),
                Route(
                    "/api/v1/sessions", methods: ["POST"], operation: "CreateSession", isOpenToPages: true),
                Route(
                    "/api/v1/sessions/{session}/files", methods: ["POST"], operation: "AnnounceFile",
                    isOpenToPages: true, isOfSomeSessions: true),
                Route(
                    "/api/v1/sessions/{session}/files/{link}", methods: ["PUT"], operation: "UploadFile",
                    bodyBytes: AttachmentStore.Limits().fileBytes + 1, isOpenToPages: true, isExact: true,
                    isOfSomeSessions: true),
                Route(
                    "/ws", methods: ["GET"], operation: "Connect", isWebSocket: true, isOpenToPages: true),
            ])
    }
}
