import AGUIDialect
import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import RunWire
import Texts

/// A talk whose client asks for runs, and what its streams are told; no server and no sockets.
struct RunStage {
    var engine: ConversationEngine
    let session: SessionHandle
    private let encoder: any SessionEncoder
    private(set) var clock = Instant(secondsSince1970: 1_790_000_000)
    /// What each stream was told, as text.
    private(set) var streams: [ConnectionID: [UInt8]] = [:]
    /// When each event was told.
    private(set) var stamps: [Instant] = []
    private(set) var closed: Set<ConnectionID> = []
    /// How often something was put together for later.
    private(set) var lateCount = 0
    private(set) var journal: [JournalEntry] = []
    private(set) var notes: [Note] = []
    var missed: [MissedExpectation] {
        notes.compactMap { if case .missed(let missed) = $0 { missed } else { nil } }
    }
    private var connectionCount: UInt64 = 0

    init(_ script: Script, isStreaming: Bool = false, seed: UInt64 = 7, keepAlive: Interval? = nil) {
        var options = AGUIOptions()
        options.keepAlive = keepAlive ?? .zero
        engine = ConversationEngine(seed: seed)
        var effects: [Effect] = []
        let opening = ConversationEngine.Opening(script: script, isStreaming: isStreaming, seed: seed)
        guard let opened = engine.open(opening, at: clock, into: &effects) else {
            preconditionFailure("an empty engine has room")
        }
        session = opened.handle
        encoder = AGUIDialect(options: options).encoder(of: opened.id)
        perform(effects)
    }

    init(fixture text: String, isStreaming: Bool = false, seed: UInt64 = 7) throws {
        let compiled = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "test.json5", name: "test")
        guard let script = compiled.script else {
            throw Unusable(findings: compiled.findings.map(\.description))
        }
        self.init(script, isStreaming: isStreaming, seed: seed)
    }

    /// A fixture whose only rule hears anything.
    init(
        runs: String, replies: String, tools: String, chunk: String = "whole", every: String = "5ms"
    ) throws {
        try self.init(
            fixture: """
                { fixture: 1, pace: "p", paces: { p: { think: "10ms", chunk: "\(chunk)", every: "\(every)" } },
                  runs: { \(runs) }, tools: { \(tools) }, anywhere: [{ hears: "*", replies: [ \(replies) ] }] }
                """)
    }

    struct Unusable: Error { let findings: [String] }

    init(agent name: String) throws {
        guard let script = AGUIDialect().script(of: name) else { throw Unusable(findings: [name]) }
        self.init(script)
    }

    /// Asks for what happened so far.
    mutating func replay() -> ConnectionID {
        ask(RunInput(threadID: "thr", runID: "join"), isReplay: true)
    }

    /// The events of ``replay()``, each as its JSON text.
    mutating func replayed() -> [String] {
        let connection = replay()
        return events(connection)
    }

    /// Asks for a run, and lets time pass until nothing is under way.
    @discardableResult
    mutating func ask(
        _ input: RunInput, body: RunBody? = nil, waits: Bool = true, isReplay: Bool = false
    ) -> ConnectionID {
        connectionCount += 1
        let connection = ConnectionID(connectionCount)
        let (now, session) = (clock, session)
        var output = EncoderOutput()
        encoder.attach(connection, .stream(isChunked: true), of: 0, at: now, into: &output)
        let request = RunRequest(
            input, body: body ?? RunBody(RunEventWriter.bytes(input)), isReplay: isReplay)
        change { engine, effects in
            _ = engine.attach(
                connection, to: session, cursor: .max, firstFrameAt: now, at: now, into: &effects)
            engine.handle(ClientInput(.run(request)), from: connection, in: session, at: now, into: &effects)
        }
        if waits { settle() }
        return connection
    }

    @discardableResult
    mutating func ask(
        _ text: String, message: String = "u-1", thread: String = "thr", run: String = "run",
        version: String? = nil
    ) -> ConnectionID {
        ask(
            RunInput(
                threadID: thread, runID: run, protocolVersion: version,
                messages: [RunMessage(id: message, role: .user, content: .text(text))]))
    }

    /// A client of the talk that knows no runs.
    mutating func say(_ text: String) {
        let (now, session) = (clock, session)
        change { engine, effects in
            engine.handle(
                ClientInput(.join(greeting: nil)), from: .none, in: session, at: now, into: &effects)
            engine.handle(ClientInput(.say(text)), from: .none, in: session, at: now, into: &effects)
        }
        settle()
    }

    mutating func leave(_ connection: ConnectionID) {
        let (now, session) = (clock, session)
        encoder.detach(connection)
        change { engine, effects in
            engine.detach(connection, from: session)
            engine.abandonRuns(of: connection, in: session, at: now, into: &effects)
        }
    }

    mutating func end() {
        let (now, session) = (clock, session)
        change { engine, effects in engine.end(session, reason: .user, at: now, into: &effects) }
    }

    /// An event from outside.
    mutating func push(_ event: Event) {
        let (now, session) = (clock, session)
        change { engine, effects in
            engine.push(event, in: session, by: "controls", at: now, into: &effects)
        }
    }

    mutating func settle() {
        while let due = engine[session]?.scriptDeadline { advance(to: due) }
    }

    mutating func advance(by interval: Interval) { advance(to: clock + interval) }

    private mutating func advance(to instant: Instant) {
        clock = max(clock, instant)
        let now = clock
        change { engine, effects in engine.advance(to: now, into: &effects) }
        var output = EncoderOutput()
        encoder.advance(to: now, into: &output)
        perform(output.steps)
    }

    private mutating func change(_ body: (inout ConversationEngine, inout [Effect]) -> Void) {
        var effects: [Effect] = []
        body(&engine, &effects)
        perform(effects)
    }

    private mutating func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .deliver(_, let entry, _): if entry.sequence != nil { journal.append(entry) }
            case .run(_, let run, let entry):
                var output = EncoderOutput()
                stamps.append(entry.time)
                let log = entry.event.buildsOnLog ? engine[session]?.runs?.before(entry, of: run) : nil
                encoder.encode(entry, of: run, log: log, at: entry.time, into: &output)
                encoder.flush(into: &output)
                perform(output.steps)
            case .note(_, let note): notes.append(note)
            case .replay, .fire, .close, .forgotten: break
            }
        }
    }

    private mutating func perform(_ steps: [EncoderOutput.Step]) {
        for step in steps {
            switch step {
            case .send(let text, _, let connection): streams[connection, default: []] += text
            case .sendAll(let texts, let connection): streams[connection, default: []] += texts.bytes
            case .sendLater(let later, let connection):
                lateCount += 1
                for message in later.make() { streams[connection, default: []] += message.text }
            case .close(let connection, _, _): closed.insert(connection)
            case .receive, .push, .name, .shelve, .unshelve: break
            }
        }
    }

    /// The events of a stream, each as its JSON text.
    func events(_ connection: ConnectionID) -> [String] {
        var reader = EventStreamReader(limitBytes: 1 << 20)
        return reader.receive(streams[connection] ?? []).map { item in
            if case .data(let bytes) = item { String(decoding: bytes, as: UTF8.self) } else { "too long" }
        }
    }

    func types(_ connection: ConnectionID) -> [String] {
        events(connection).map { (try? RunEventReader.read(Array($0.utf8)))?.type ?? $0 }
    }

    /// What the journal says in words, without what every talk begins with.
    var told: [String] {
        journal.compactMap { entry in
            switch entry.event {
            case .userMessage(_, let text): "user: \(text)"
            case .agentMessage(let message): "agent: \(message.text)"
            case .agentChunk(let chunk): "chunk \(chunk.index)\(chunk.isComplete ? "!" : ""): \(chunk.text)"
            case .sessionEnded: "end"
            default: nil
            }
        }
    }
}
