import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import PolyDialect
import Testing
import Texts

@Suite("Error catalogue")
struct ErrorCatalogTests {
    /// Typed from the documentation, not from the code.
    static let documented: [(problem: KnownProblem, status: Int?, text: String)] = [
        (.missingHeaders, 401, "Missing authentication headers"),
        (.unknownConnector, 401, "Connector token does not exist"),
        (.connectorWithoutHost, 401, "Connector missing host domain"),
        (.hostMismatch, 401, "Failed to validate connector"),
        (.tokenFailure, 500, "Failed to create access token"),
        (.missingToken, 400, "Missing access token"),
        (.malformedAuthorization, 401, "Missing authentication headers"),
        (.invalidToken, 401, "Invalid access token"),
        (.unreadableRequest, 400, "Error parsing request"),
        (.sessionFailure, 500, "Failed to create session"),
        (.invalidParameters, 400, "invalid connection parameters"),
        (.authenticationFailed, 401, "authentication failed"),
        (.unknownSession, 404, "session not found"),
        (.tooManyConnections, 429, "connection limit exceeded for session"),
        (.unknownEvent, nil, "Unknown event type or invalid message format"),
        (.eventNotAllowed, nil, "Event type not allowed: EVENT_TYPE_POLY_AGENT_MESSAGE"),
        (.highLoad, nil, "Our system is experiencing high load. Please try again in a moment."),
        (.cannotStart, nil, "Sorry, I'm unable to start a conversation right now. Please try again later."),
        (.cannotRespond, nil, "Sorry, I'm having trouble responding right now. Please try again."),
        (.agentFailure, nil, "Sorry, I encountered an error. Please try again."),
        (.sessionGone, nil, "Error: Session not found"),
        (.sessionUnavailable, nil, "Error: Unable to retrieve session"),
        (.connectorGone, nil, "Error: Connector not found"),
        (.noConversation, nil, "Error: Conversation not found"),
        (.conversationNotReady, nil, "Error: Conversation ID not found in session"),
        (.noLiveSession, nil, "Sorry, we could not connect you to an agent. Please try again."),
        (.notForwarded, nil, "Failed to forward message to live agent"),
        (.handoffMisconfigured, nil, "Sorry, handoff could not be initiated."),
    ]

    @Test("All 28 problems are listed once")
    func complete() {
        expectEqual(Self.documented.count, 28)
        expectEqual(Set(Self.documented.map(\.problem)), Set(KnownProblem.allCases))
    }

    /// protocol.md#error-missing-headers, protocol.md#error-unknown-connector,
    /// protocol.md#error-connector-without-host, protocol.md#error-host-mismatch,
    /// protocol.md#error-token-failure, protocol.md#error-missing-token,
    /// protocol.md#error-malformed-authorization, protocol.md#error-invalid-token,
    /// protocol.md#error-unreadable-request, protocol.md#error-session-failure,
    /// protocol.md#error-invalid-parameters, protocol.md#error-authentication-failed,
    /// protocol.md#error-unknown-session, protocol.md#error-too-many-connections
    @Test("Every text is the documented one, letter for letter, with its status", arguments: documented)
    func texts(_ problem: KnownProblem, _ status: Int?, _ text: String) {
        expectEqual(ErrorCatalog.notice(problem, detail: "EVENT_TYPE_POLY_AGENT_MESSAGE"), text)
        expectEqual(ErrorCatalog.entry(problem).status, status)
    }

    /// protocol.md#error-code
    @Test("Every problem has an error code of its own")
    func codes() {
        expectEqual(Set(KnownProblem.allCases.map { ErrorCatalog.entry($0).code }).count, 28)
    }

    /// protocol.md#error-unknown-event, protocol.md#error-event-not-allowed, protocol.md#error-high-load,
    /// protocol.md#error-cannot-start, protocol.md#error-cannot-respond, protocol.md#error-agent-failure,
    /// protocol.md#error-session-gone, protocol.md#error-session-unavailable,
    /// protocol.md#error-connector-gone, protocol.md#error-no-conversation,
    /// protocol.md#error-conversation-not-ready, protocol.md#error-no-live-session,
    /// protocol.md#error-not-forwarded, protocol.md#error-handoff-misconfigured
    @Test("A notice puts the text on the wire", arguments: documented.filter { $0.status == nil })
    func notices(_ problem: KnownProblem, _ status: Int?, _ text: String) throws {
        var bytes: [UInt8] = []
        let notice = Event.notice(.error, .known(problem, detail: "EVENT_TYPE_POLY_AGENT_MESSAGE"))
        let entry = JournalEntry(
            sequence: nil, id: UniqueID(high: 1, low: 2), time: Instant(secondsSince1970: 0), event: notice)
        Exchange().dialect.encoder.encode(entry, into: &bytes)
        let payload = try JSONReader.read(bytes)["payload"]
        #expect(payload?["message"] == .string(text))
        #expect(payload?["level"] == .string("SYSTEM_MESSAGE_LEVEL_ERROR"))
    }

    static let usualWords: [(status: Int, text: String)] = [
        (400, "Bad request"), (401, "Unauthorized"), (403, "Forbidden"), (404, "Not found"),
        (405, "Method not allowed"), (408, "Request timeout"), (413, "Content too large"),
        (414, "URI too long"), (418, "Request refused"), (426, "WebSocket upgrade required"),
        (429, "Too many requests"), (431, "Request header fields too large"),
        (500, "Internal server error"), (501, "Not implemented"), (503, "Service unavailable"),
        (505, "HTTP version not supported"),
    ]

    /// protocol.md#plain-status
    @Test("A refusal that the pages do not name has the usual words of its status", arguments: usualWords)
    func plain(_ status: Int, _ text: String) throws {
        let exchange = Exchange()
        let head = RequestHead(method: "GET", target: "/ws")
        let request = Request(head: head, path: "/ws", query: [], body: [])
        var host: any DialectContext = exchange.host
        let reply = try Reply(exchange.dialect.refuse(.status(status), request: request, host: &host))
        expectEqual(reply.row, "\(status) \(text)")
    }

    @Test(
        "The shell can have every refusal in the dialect's words",
        arguments: documented.filter { $0.status != nil })
    func refusals(_ problem: KnownProblem, _ status: Int?, _ text: String) throws {
        let exchange = Exchange()
        let request = Request(
            head: RequestHead(method: "GET", target: "/ws", headers: ["X-Polyai-Correlation-Id": "c"]),
            path: "/ws",
            query: [], body: [])
        var host: any DialectContext = exchange.host
        let refusal = Rejection.problem(problem, retryAfter: .milliseconds(1_500))
        let reply = try Reply(exchange.dialect.refuse(refusal, request: request, host: &host))
        expectEqual(reply.row, "\(status ?? 0) \(text)")
        expectEqual(reply.json["error_id"], .string("c"))
        expectEqual(reply.headers["Retry-After"], "2")
        let plain = try Reply(exchange.dialect.refuse(.status(503), request: request, host: &host))
        expectEqual(plain.row, "503 Service unavailable")
        expectEqual(plain.headers["Retry-After"], nil)
        let busy = try Reply(exchange.dialect.refuse(.status(429), request: request, host: &host))
        expectEqual(busy.headers["Retry-After"], "1", "a 429 always says when to come back")
    }
}
