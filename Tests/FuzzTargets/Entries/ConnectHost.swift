import Clocks
import ConversationEngine
import DialectKit

/// A server without sockets for a dialect that remembers sessions: what is said is echoed, and ends are told.
struct ConnectHost: DialectContext {
    let now = Instant(secondsSince1970: 1_768_469_400)
    let dialect: any Dialect
    var facts: RequestInfo?
    var party = 0
    var shelf = AttachmentStore(key: SigningKey([UInt8](repeating: 1, count: 32)))
    /// What connections were sent.
    private(set) var sent: [[UInt8]] = []
    private var generator = SeededGenerator(seed: 1)
    private var views: [SessionView] = []
    private var encoders: [any SessionEncoder] = []
    private var names: [String: Int] = [:]
    private var aliases: [SessionName: Int] = [:]
    private var entryCount: UInt64 = 0

    init(_ dialect: any Dialect) {
        self.dialect = dialect
    }

    mutating func takeSent() -> [[UInt8]] {
        defer { sent = [] }
        return sent
    }

    mutating func uniqueID() -> UniqueID { .version4(from: &generator) }

    mutating func scenario(for connectorToken: String) -> ScenarioAnswer { .found(line: nil, tokenLife: nil) }

    mutating func openSession(_ wish: SessionRequest) -> OpenedSession {
        let id = uniqueID().text
        let view = SessionView(
            handle: SessionHandle(slot: Int32(views.count), generation: 1), id: id, owner: wish.owner,
            hasEnded: false, connectionCount: 0, connectionLimit: 10)
        names[id] = views.count
        views.append(view)
        encoders.append(dialect.encoder(of: id))
        return .opened(id: id)
    }

    func session(id: String) -> SessionView? { names[id].map { views[$0] } }
    func expiry(of owner: String) -> Instant? { nil }
    mutating func enter(_ session: SessionHandle) -> Bool { true }
    var agents: [(name: String, about: String)] { [] }

    func journal(of session: SessionHandle) -> [JournalEntry] { [] }
    func session(named name: SessionName) -> SessionView? { aliases[name].map { views[$0] } }
    mutating func name(_ session: SessionHandle, _ name: SessionName) { aliases[name] = Int(session.slot) }
    mutating func consumeToken(for operation: String, of subject: String, limit: RateLimit) -> Interval? {
        nil
    }
    mutating func log(_ line: String) {}
    var port: UInt16 { 8_787 }

    mutating func receive(_ input: ClientInput, in session: SessionHandle) -> ActionResult {
        switch input.word {
        case .say(let text): tell(.userMessage(id: "m-\(entryCount)", text: text), session)
        case .typing(let state): tell(.userTyping(state), session)
        case .end:
            tell(.userEnded, session)
            tell(.sessionEnded(.user), session)
        default: break
        }
        return .recorded([])
    }

    mutating func apply(_ action: OperatorAction, in session: SessionHandle, by name: String) -> ActionResult
    {
        .recorded([])
    }

    mutating func push(_ event: Event, in session: SessionHandle, by name: String) -> ActionResult {
        tell(event, session)
        return .recorded([])
    }

    mutating func withEncoder(
        of session: SessionHandle, _ body: (any SessionEncoder, inout EncoderOutput) -> Void
    ) -> Bool {
        let slot = Int(session.slot)
        guard slot < encoders.count else { return false }
        var output = EncoderOutput()
        body(encoders[slot], &output)
        for step in output.steps { perform(step, session) }
        return true
    }

    private mutating func perform(_ step: EncoderOutput.Step, _ session: SessionHandle) {
        switch step {
        case .send(let text, _, _): sent.append(text)
        case .sendAll(let texts, _): texts.forEach { sent.append(Array($1)) }
        case .sendLater(let later, _): sent += later.make().map(\.text)
        case .receive(let input, let id) where input.word == .heartbeat:
            tell(.heartbeat, session, metadata: input.metadata, to: .one(id))
        case .receive(let input, _): _ = receive(input, in: session)
        case .push(let event, _): tell(event, session)
        case .name(let alias): name(session, alias)
        case .shelve, .unshelve, .close: break
        }
    }

    private mutating func tell(
        _ event: Event, _ session: SessionHandle, metadata: String? = nil, to audience: Audience = .nobody
    ) {
        let isJournaled = event.kind.isJournaledByDefault
        if isJournaled { entryCount += 1 }
        let entry = JournalEntry(
            sequence: isJournaled ? entryCount : nil, id: uniqueID(), time: now, event: event,
            metadata: metadata)
        let now = now
        _ = withEncoder(of: session) { $0.encode(entry, for: audience, at: now, into: &$1) }
        if case .sessionEnded = event { views[Int(session.slot)].hasEnded = true }
    }
}
