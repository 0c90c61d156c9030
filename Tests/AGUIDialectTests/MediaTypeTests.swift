import AGUIDialect
import Clocks
import ConversationEngine
import DialectKit
import Expectations
import HTTPCore
import Testing

/// A server without sockets and sessions.
private struct EmptyHost: DialectContext {
    let now = Instant(secondsSince1970: 1_790_000_000)
    var facts: RequestInfo?
    var shelf = AttachmentStore(key: SigningKey([UInt8](repeating: 1, count: 32)))
    private var generator = SeededGenerator(seed: 1)

    mutating func uniqueID() -> UniqueID { .version4(from: &generator) }
    func scenario(for connectorToken: String) -> ScenarioAnswer { .found(line: nil, tokenLife: nil) }
    func openSession(_ wish: SessionRequest) -> OpenedSession { .refused(reason: "there are none") }
    func session(id: String) -> SessionView? { nil }
    func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval? { nil }
    func expiry(of owner: String) -> Instant? { nil }
    func enter(_ session: SessionHandle) -> Bool { true }
    func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult { .recorded([]) }
    func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult {
        .recorded([])
    }
    var agents: [(name: String, about: String)] { [] }
    func journal(of session: SessionHandle) -> [JournalEntry] { [] }
    func log(_ line: String) {}
}

@Suite("Media types of requests for runs")
struct MediaTypeTests {
    @Test(
        "A body of JSON is read, in whatever spelling its type comes and with parameters",
        arguments: [
            (nil, 400), ("application/json", 400), ("application/json; charset=utf-8", 400),
            ("Application/JSON ;charset=utf-8", 400), ("text/plain", 415),
            ("text/plain; application/json", 415), ("", 415),
        ] as [(String?, Int)])
    func contentType(_ type: String?, _ status: Int) {
        var headers: HeaderFields = [:]
        if let type { headers.append("Content-Type", type) }
        let request = Request(
            head: RequestHead(method: "POST", target: "/ag-ui", headers: headers), path: "/ag-ui", query: [],
            body: Array("{}".utf8), operation: "Run")
        var host: any DialectContext = EmptyHost()
        // One that is read is refused for what it lacks.
        guard case .response(let response) = AGUIDialect().answer(request, host: &host) else {
            Issue.record("no response")
            return
        }
        expectEqual(response.status, status)
    }
}
