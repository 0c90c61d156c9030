import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import Foundation
import MessagingWire
import PolyDialect
import Timeline

/// What one message passes through between two sockets, each part alone and without the sockets.
///
/// A whole server is measured from outside, beside its peers: Tests/interop/bench.sh.
struct HotPathBenchmark {
    private static let sessions = 64
    private static let rounds = 9
    private static let operations = 20_000

    private let dialect = PolyDialect(key: SigningKey(Array(repeating: 7, count: 32)))
    private let script: Script
    private let begun = Instant(secondsSince1970: 1_700_000_000)
    private let message = Array(
        (#"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"Is the pool open on Sunday?"},"#
            + #""metadata":{"custom":{"local_id":"7B0E2A52-6A0B-4D3E-9B1C-0C7A1B2C3D4E"}}}"#).utf8)

    init() {
        // Every message is heard and none is answered, so that what is left is the echo.
        let text = """
            { fixture: 1, name: "Hears", about: "Hears everything, says nothing.", memory: { said: null },
              stages: { start: [ { name: "all", hears: "*", replies: [ { remember: { said: "yes" } } ] } ] } }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "hears.json5", name: "hears")
        guard let script = fixture.script else {
            preconditionFailure(fixture.findings.map(\.description).joined(separator: "\n"))
        }
        self.script = script
    }

    func run() {
        decoding()
        encoding()
        journaling()
        changing()
        timeline()
        protocolRules()
    }

    private func decoding() {
        var bytes = 0
        measure("read a client's event", rounds: Self.rounds, Self.operations) {
            if case .message(let text) = ClientEventReader.read(message).content { bytes += text.utf8.count }
        }
        measure("decode it into the engine's words", rounds: Self.rounds, Self.operations) {
            bytes += dialect.encoder.decode(text: message).type.utf8.count
        }
        precondition(bytes > 0)
    }

    private func encoding() {
        var identities = SeededGenerator(seed: 1)
        func entry(_ event: Event, metadata: String? = nil) -> JournalEntry {
            JournalEntry(
                sequence: 4_711, id: .version4(from: &identities), time: begun, event: event,
                metadata: metadata)
        }
        let echo = entry(
            .userMessage(id: "msg_u_5f020b3b96832c82", text: "Is the pool open on Sunday?"),
            metadata: #"{"local_id":"7B0E2A52-6A0B-4D3E-9B1C-0C7A1B2C3D4E"}"#)
        let chunk = entry(
            .agentChunk(
                Chunk(
                    messageID: "msg_00f0952a46172d07", index: 17, isComplete: false, text: "the pool is ")))
        for (name, entry) in [("an echo", echo), ("a chunk", chunk)] {
            var bytes: [UInt8] = []
            measure("encode \(name) into a reused buffer", rounds: Self.rounds, Self.operations) {
                bytes.removeAll(keepingCapacity: true)
                dialect.encoder.encode(entry, into: &bytes)
            }
            precondition(!bytes.isEmpty)
        }
    }

    /// From the decoded message to the journal, the rule that heard it, and the effects for the shell.
    private func journaling() {
        for count in [Self.sessions, 10_000] {
            var effects: [Effect] = []
            var engine = ConversationEngine(seed: 1)
            var now = begun
            let handles = (0..<count).compactMap { number -> SessionHandle? in
                let opening = ConversationEngine.Opening(script: script)
                guard let session = engine.open(opening, at: now, into: &effects) else { return nil }
                let connection = ConnectionID(UInt64(number))
                _ = engine.attach(
                    connection, to: session.handle, cursor: 0, firstFrameAt: now, at: now, into: &effects)
                engine.handle(
                    ClientInput(.join(greeting: nil)), from: connection, in: session.handle, at: now,
                    into: &effects)
                effects.removeAll(keepingCapacity: true)
                return session.handle
            }
            let input = dialect.encoder.decode(text: message).input
            var (next, told) = (0, 0)
            measure(
                "append to a journal, with rule and effects, \(count) sessions in turn", rounds: Self.rounds,
                Self.operations
            ) {
                now = now + .microseconds(10)
                engine.handle(
                    input, from: ConnectionID(UInt64(next)), in: handles[next], at: now, into: &effects)
                told += effects.count
                effects.removeAll(keepingCapacity: true)
                next = next + 1 == handles.count ? 0 : next + 1
            }
            precondition(told > 0)
        }
    }

    /// A message and an edit of a message, from the client's bytes to the echo's, in sessions with changes.
    private func changing() {
        guard let encoder = dialect.encoder(of: "", with: .changes) as? PolyEncoder else { return }
        var costs: [Double] = []
        for isChange in [false, true] {
            var effects: [Effect] = []
            var engine = ConversationEngine(seed: 1)
            var now = begun
            let talks = (0..<Self.sessions).compactMap { number -> (SessionHandle, [UInt8])? in
                var opening = ConversationEngine.Opening(script: script)
                opening.extensions = .changes
                guard let session = engine.open(opening, at: now, into: &effects) else { return nil }
                let connection = ConnectionID(UInt64(number))
                _ = engine.attach(
                    connection, to: session.handle, cursor: 0, firstFrameAt: now, at: now, into: &effects)
                let words = [ClientInput(.join(greeting: nil)), encoder.decode(text: message).input]
                for input in words {
                    engine.handle(input, from: connection, in: session.handle, at: now, into: &effects)
                }
                effects.removeAll(keepingCapacity: true)
                let id = engine[session.handle]?.journal.compactMap(\.event.summary.message).first ?? ""
                let change = Array(
                    (#"{"type":"EVENT_TYPE_EXT_MESSAGE_CHANGED","payload":{"message_id":"\#(id)","#
                        + #""change":{"text":"Is the pool open on Sunday?"}}}"#).utf8)
                return (session.handle, isChange ? change : message)
            }
            var (next, bytes, echo) = (0, 0, [UInt8]())
            costs.append(
                measure(isChange ? "an edit of a message" : "a message", rounds: Self.rounds, Self.operations)
                {
                    now = now + .microseconds(10)
                    let (handle, text) = talks[next]
                    engine.handle(
                        encoder.decode(text: text).input, from: ConnectionID(UInt64(next)), in: handle,
                        at: now, into: &effects)
                    for case .deliver(_, let entry, _) in effects {
                        echo.removeAll(keepingCapacity: true)
                        encoder.encode(entry, into: &echo)
                        bytes += echo.count
                    }
                    effects.removeAll(keepingCapacity: true)
                    next = next + 1 == talks.count ? 0 : next + 1
                })
            precondition(bytes > 0)
        }
        tell("an edit costs \(String(format: "%.2f", costs[1] / costs[0])) times a message (at most 1.2)")
    }

    /// The ring is full after the first half round: from there on each row takes the place of another.
    private func timeline() {
        var timeline = Timeline()
        let session = "d82d6727-c159-4643-ab31-84ba5a5a1c39"
        measure("append a row to the timeline", rounds: Self.rounds, Self.operations) {
            timeline.append(
                Row(
                    time: begun, direction: .inbound, kind: .ws, session: session, socket: 7,
                    type: "USER_MESSAGE", raw: message))
        }
        precondition(timeline.droppedCount > 0)
    }

    /// What the protocol rules see of one message: it is heard, and its echo is told.
    private func protocolRules() {
        var rules = PolyProtocolRules()
        var now = begun
        let names = (0..<Self.sessions).map { "session-\($0)" }
        for (number, name) in names.enumerated() {
            _ = rules.observe(
                .sessionRequest(
                    subject: name, caller: Caller(), tokenExpiry: nil, status: 200, retryAfter: nil,
                    session: name), at: now)
            _ = rules.observe(
                .connectRequest(
                    session: name, subject: name, tokenExpiry: nil, cursorText: nil, status: 101,
                    retryAfter: nil), at: now)
            _ = rules.observe(.connected(session: name, connection: UInt64(number), cursor: nil), at: now)
        }
        let heard = HeardMessage.message(
            localID: nil, text: "Is the pool open on Sunday?", bytes: message.count)
        var (next, sequence) = (0, UInt64(2))
        measure("observe a message and its echo for the protocol rules", rounds: Self.rounds, Self.operations)
        {
            now = now + .microseconds(10)
            _ = rules.observe(.heard(session: names[next], connection: UInt64(next), heard), at: now)
            _ = rules.observe(
                .delivered(
                    session: names[next], connection: UInt64(next), sequence: sequence,
                    kind: .messageEcho(localID: nil), isReplay: false), at: now)
            next = (next + 1) % names.count
            if next == 0 { sequence += 1 }
        }
        precondition(rules.sessionCount == Self.sessions)
    }
}
