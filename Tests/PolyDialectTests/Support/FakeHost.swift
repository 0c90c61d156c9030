import Clocks
import ConversationEngine
import DialectKit

/// A server without sockets: remembers what the dialect asked for.
final class FakeHost: DialectContext {
    /// 2026-01-15T09:30:00Z
    var now = Instant(secondsSince1970: 1_768_469_400)
    var sessions: [String: SessionView] = [:]
    var wishes: [SessionRequest] = []
    var scenarios: [String: ScenarioAnswer] = [:]
    var refusesSessions: String?
    var lines: [String] = []
    var facts: RequestInfo?
    private var generator = SeededGenerator(seed: 1)
    private var buckets = TokenBuckets<BucketName>()

    func uniqueID() -> UniqueID { .version4(from: &generator) }

    func scenario(for connectorToken: String) -> ScenarioAnswer {
        scenarios[connectorToken] ?? .found(line: nil, tokenLife: nil)
    }

    func openSession(_ wish: SessionRequest) -> OpenedSession {
        if let refusesSessions { return .refused(reason: refusesSessions) }
        wishes.append(wish)
        let id = "s-\(wishes.count)"
        sessions[id] = SessionView(
            handle: SessionHandle(slot: Int32(wishes.count), generation: 1), id: id, owner: wish.owner,
            hasEnded: false, connectionCount: 0, connectionLimit: 10)
        return .opened(id: id)
    }

    func session(id: String) -> SessionView? { sessions[id] }

    func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval? {
        buckets.consume(
            from: .requests(dialect: 0, operation: operation, subject: subject), limit: limit, at: now)
    }

    // What the Messaging API has no use for.
    var shelf = AttachmentStore(key: SigningKey([UInt8](repeating: 1, count: 32)))
    func expiry(of owner: String) -> Instant? { nil }
    func enter(_ session: SessionHandle) -> Bool { true }
    var inputs: [ClientInput] = []
    func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult {
        inputs.append(input)
        return .recorded([])
    }
    func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult {
        .recorded([])
    }
    var agents: [(name: String, about: String)] { [] }

    func journal(of session: SessionHandle) -> [JournalEntry] { [] }

    func log(_ line: String) { lines.append(line) }
}
