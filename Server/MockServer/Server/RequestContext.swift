import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import ServerCore
import SocketTransport

/// The server's interface for a dialect that answers a request. Its accesses are not checked (decision record 0001),
/// which saves 1,800 instructions of a token and a session.
final class RequestContext: DialectContext {
    let server: Server
    var dialect: Int
    @exclusivity(unchecked) var operation: String
    var peer: SocketAddress?
    let head: RequestHead?
    @exclusivity(unchecked) var firings: [FiredFault]
    /// Faults of the session that fired at this request and are already recorded.
    @exclusivity(unchecked) var entered: [FiredFault] = []
    @exclusivity(unchecked) var facts: RequestInfo?
    @exclusivity(unchecked) var party = 0
    /// Whether the request was counted for the faults of its scenario line.
    @exclusivity(unchecked) private var isCounted = false

    init(
        _ server: Server, dialect: Int = 0, operation: String = "", peer: SocketAddress? = nil,
        head: RequestHead? = nil, firings: [FiredFault] = []
    ) {
        self.server = server
        self.dialect = dialect
        self.operation = operation
        self.peer = peer
        self.head = head
        self.firings = firings
    }

    var now: Instant { server.clock.now }

    func takeFacts() -> RequestInfo? { facts.take() }

    func hasRoom(for bytes: Int) -> Bool {
        let hasRoom = server.makeRoom(for: bytes)
        server.executeEffects()
        return hasRoom
    }

    func uniqueID() -> UniqueID { UniqueID.version4(from: &server.identities) }

    func scenario(for connectorToken: String) -> ScenarioAnswer {
        do throws(ScenarioProblem) {
            let scenario = try server.fixtures.scenario(connectorToken)
            fire(at: .token, scenario == nil ? nil : connectorToken, scenario?.faults ?? [])
            guard let scenario else {
                return .found(line: nil, tokenLife: server.fixtures.standard.tokenLife)
            }
            return .found(line: connectorToken, tokenLife: scenario.shared.tokenLife)
        } catch {
            return .refused(reason: error.sentence)
        }
    }

    func problem(inScenario line: String) -> String? { server.problem(inScenario: line) }

    func script(inScenario line: String?) -> Script? {
        guard let line else { return server.fixtures.standard.value }
        return try? server.fixtures.scenario(line)?.script
    }

    func openSession(_ wish: SessionRequest) -> OpenedSession {
        let scenario: Scenario
        do throws(ScenarioProblem) {
            let named = try wish.scenario.flatMap { line throws(ScenarioProblem) in
                try server.fixtures.scenario(line)
            }
            scenario = named ?? Scenario(script: server.fixtures.standard)
        } catch {
            // The fixture may have got errors after the token was issued.
            remark("refused session", error.sentence)
            return .refused(reason: error.sentence)
        }
        let fired = fire(at: .session, wish.scenario, scenario.faults)
        if fired.contains(where: { $0.refusal != nil }) { return .refused(reason: "a fault refuses it") }
        let chunks = chunks(of: scenario, for: wish)
        let opening = ConversationEngine.Opening(
            owner: wish.owner, script: scenario.shared, isStreaming: wish.isStreaming,
            platform: wish.platform, deviceType: wish.deviceType, contextID: wish.contextID,
            seed: scenario.seed, pace: scenario.pace, chunks: chunks, scenario: wish.scenario,
            faults: Self.lend(&server.faults) { $0.left(of: scenario.faults, line: wish.scenario) },
            memory: scenario.memory, localTime: scenario.localTime, terms: wish.terms,
            extensions: wish.extensions)
        let userAgent = server.userAgent(of: head)
        let opened = server.openSession(opening, dialect: dialect, userAgent: userAgent, bytes: wish.bytes)
        if opening.isStreaming, case .opened(let id) = opened { logChunks(chunks, of: scenario, id) }
        return opened
    }

    @discardableResult
    private func fire(at moment: Fault.Moment, _ line: String?, _ faults: [Fault]) -> [FiredFault] {
        let fired = server.faults.firings(
            at: moment, operation: isCounted ? "" : operation, line: line, faults: faults)
        isCounted = true
        firings += fired
        return fired
    }

    /// Chunk size of replies; nil: the fixture decides.
    private func chunks(of scenario: Scenario, for wish: SessionRequest) -> Pace.Unit? {
        if let asked = scenario.chunks { return asked.unit }
        let usual = server.configuration.poly.replies.chunks
        guard usual == .auto else { return ChunkWish(word: usual.rawValue)?.unit }
        return wish.joinsWithBlanks ? .whole : nil
    }

    private func logChunks(_ chunks: Pace.Unit?, of scenario: Scenario, _ session: String) {
        guard let chunks else { return }
        let how = chunks == .whole ? "come whole" : "are cut by \(chunks.rawValue)"
        let isAutomatic = scenario.chunks == nil && server.configuration.poly.replies.chunks == .auto
        let why =
            isAutomatic ? ": its SDK puts a blank between chunks (@chunks=lines reads well there)" : ""
        server.remark("session", "its replies \(how)\(why)", session: session)
    }

    func session(id: String) -> SessionView? {
        Self.lend(&server.engine) { $0.handle(of: id) }.flatMap { own($0) }
    }

    func session(named name: SessionName) -> SessionView? {
        Self.lend(&server.engine) { $0.handle(of: name) }.flatMap { own($0) }
    }

    /// Reads a part of the server in place. A read of its own copies the part: 700 instructions for the engine.
    private static func lend<Part, Result>(_ part: inout Part, _ body: (inout Part) -> Result) -> Result {
        body(&part)
    }

    private func own(_ session: SessionHandle) -> SessionView? {
        server.outbox(of: session)?.dialect == dialect ? server.view(of: session) : nil
    }

    func reading<Value: Sendable>(of bearer: String, isLast: Bool, _ read: () -> Value?) -> Value? {
        server.tokens.reading(of: bearer, isLast: isLast, read)
    }

    func keepReading<Value: Sendable>(_ value: Value, of bearer: String) {
        server.tokens.keep(value, of: bearer)
    }

    func expiry(of owner: String) -> Instant? {
        Self.lend(&server.faults) { [dialect] in $0.expiry(of: owner, dialect: dialect) }
    }

    func enter(_ session: SessionHandle) -> Bool {
        if facts == nil { facts = RequestInfo(.other) }
        let id = server.sessionID(of: session)
        facts?.session = id
        let fired = server.engine.request(operation, in: session)
        for firing in fired {
            server.noteFiring(firing, in: session)
            server.record(.fired(firing.name, session: id))
        }
        entered += fired
        return !fired.contains { $0.refusal != nil }
    }

    private func isOpen(_ session: SessionHandle) -> Bool {
        Self.lend(&server.engine) { $0.hasEnded(session) } == false
    }

    func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult {
        guard isOpen(session) else { return .refused(reason: "the session is over") }
        let now = now
        var input = input
        input.mark = Self.lend(&server.events) { $0.recorder.requestRow }
        return .recorded(
            server.entries { engine, effects in
                engine.handle(input, from: .none, in: session, at: now, into: &effects)
            })
    }

    func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult {
        let now = now
        var refusal: OperatorRefusal?
        let entries = server.entries { engine, effects in
            refusal = engine.apply(action, in: session, by: name, at: now, into: &effects)
        }
        return refusal.map { .refused(reason: "\($0)") } ?? .recorded(entries)
    }

    func push(_ event: Event, in session: SessionHandle, by name: String) -> ActionResult {
        guard isOpen(session) else { return .refused(reason: "the session is over") }
        let now = now
        return .recorded(server.entries { $0.push(event, in: session, by: name, at: now, into: &$1) })
    }

    func withEncoder(
        of session: SessionHandle, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) -> Bool {
        guard let outbox = server.outbox(of: session) else { return false }
        server.withEncoder(of: outbox, body)
        return true
    }

    var port: UInt16 { server.port }

    var shard: Shard? { server.configuration.shard }

    var agents: [(name: String, about: String)] { server.fixtures.agents }

    func journal(of session: SessionHandle) -> [JournalEntry] {
        Self.lend(&server.engine) { $0.lend(session) { $0.journal } } ?? []
    }

    func runs(of session: SessionHandle) -> RunLog? {
        Self.lend(&server.engine) { $0.lend(session) { $0.runs } } ?? nil
    }

    func name(_ session: SessionHandle, _ name: SessionName) { server.engine.name(session, name) }

    var shelf: AttachmentStore {
        get { server.shelf }
        set { server.shelf = newValue }
    }

    func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval? {
        let name = BucketName.requests(dialect: dialect, operation: operation, subject: subject)
        return server.buckets.consume(from: name, limit: limit, at: server.clock.now)
    }

    private func remark(_ topic: String, _ detail: String) {
        server.record(.remarked(topic, detail, peer: peer.map { "\($0)" }, session: nil))
    }

    func log(_ line: String) { remark("note", line) }
}
