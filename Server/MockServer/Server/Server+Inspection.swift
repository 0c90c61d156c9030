import Clocks
package import ConversationEngine
package import DialectKit
import Fixtures
import PolyDialect
package import ServerCore
package import Timeline

/// Access of this package's tests and tools to a running server, on the server's loop.
extension Server {
    package var sessions: [Conversation] { engine.sessions }
    package var openSockets: Int { sockets.open }
    /// Connections that can time out, and those cut where their peers take nothing of what waits for them.
    package var connectionDeadlines: Int { timers.deadlines.count + timers.stalls.count }

    /// What clients did against the law.
    package var breaches: [Breach] { chronicle.breaches.breaches }
    package var unmatched: [UnmatchedTraffic] { chronicle.unmatched.items }

    /// What went wrong in sessions, by their ids.
    package var tally: [String: SessionTally.Counts] { chronicle.tally.counts }

    /// The rows of the timeline behind `number`.
    package func rows(after number: UInt64 = 0) -> [Row] {
        timeline.rows(after: number)
    }

    /// Everything that will happen by itself, earliest first.
    package var pendingTimers: [PendingTimer] { pendingTimers() }

    /// What sessions play unless their token names something else.
    package var standardScript: Script { fixtures.standard }

    /// What clients are told, where a notice is one of the catalogue.
    package static func words(of text: NoticeText) -> String {
        switch text {
        case .words(let words): words
        case .known(let problem, let detail): ErrorCatalog.notice(problem, detail: detail)
        }
    }

    /// Names of events as rows have them: without the prefix of all types.
    package static func type(of event: Event) -> String { PolyDialect.type(of: event) }
    package static func type(ofKind kind: EventKind) -> String { PolyDialect.type(ofKind: kind) }
    package static func fullType(_ name: String) -> String { PolyDialect.full(name) }
    package static func shortType(_ type: String) -> String { PolyDialect.short(type) }
    package static var types: [String] { PolyDialect.types }
    package static var laws: [Law] { PolyLaws.every }
    /// That of files, which do not say whose rows they have.
    package static var reading: RowReading { PolyDialect.reading }

    /// A filter that knows these names.
    package static func filter(_ text: String) throws(FilterError) -> RowFilter {
        try RowFilter(text, names: reading.names)
    }

    /// Names of the troubles that were armed from outside and are in force.
    package var armedNames: [String] { desk.armed.map(\.trouble.name) }

    /// Why no session can play what the connector token `line` asks for, with the likely spelling; nil when one can.
    package func problem(inScenario line: String) -> String? {
        do throws(ScenarioProblem) {
            _ = try fixtures.scenario(line)
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Puts a trouble in force; nil when too many are.
    ///
    /// - Returns: what ``disarm(_:)`` takes.
    package func arm(_ trouble: Trouble, session: String? = nil, tag: String? = nil, by author: String)
        -> UInt64?
    {
        let scope: TroubleScope = session.map { .session($0) } ?? tag.map { .tag($0) } ?? .all
        return arm(trouble, scope: scope, by: author)?.id
    }

    /// The journal of a session as its clients are told it, entry by entry.
    package func journalBytes(of id: String) -> [[UInt8]] {
        guard let handle = engine.handle(of: id) else { return [] }
        guard let (entries, _, dialect) = told(in: handle) else { return [] }
        return entries.map { entry in
            var bytes: [UInt8] = []
            dialect.describe(entry, into: &bytes)
            return bytes
        }
    }

    /// Lets `input` reach the session `id` as if one of its connections had sent it.
    package func hear(_ input: ClientInput, in id: String) {
        guard let handle = engine.handle(of: id) else { return }
        withEngine { $0.handle(input, from: ConnectionID(.max), in: handle, at: now, into: &$1) }
    }

    package func session(_ id: String) -> Conversation? {
        engine.handle(of: id).flatMap { engine[$0] }
    }

    /// The session with this further name; where it has two uses, one that was made here comes first.
    package func session(named text: String) -> Conversation? {
        for naming in dialects.flatMap(\.namings) {
            if let handle = engine.handle(of: SessionName(text, as: naming)) { return engine[handle] }
        }
        return nil
    }
}
