import Clocks
package import ConversationEngine
package import DialectKit
import Fixtures
import PolyDialect
package import ServerCore
package import Timeline

/// Access for tests and tools of this package, on the server's loop.
extension Server {
    package var sessions: [Conversation] { engine.sessions }
    package var openSockets: Int { sockets.open }
    /// Number of deadlines of connections, including the checks of slow readers.
    package var connectionDeadlines: Int { timers.deadlines.count + timers.stalls.count }

    package var violations: [Violation] { events.violations.violations }
    package var unmatched: [UnmatchedTraffic] { events.unmatched.items }

    package var tally: [String: SessionTally.Counts] { events.tally.counts }

    package func rows(after number: UInt64 = 0) -> [Row] { timeline.rows(after: number) }

    package var pendingTimers: [PendingTimer] { pendingTimers() }

    package var defaultScript: Script { fixtures.standard.value }

    package static func words(of text: NoticeText) -> String {
        switch text {
        case .words(let words): words
        case .known(let problem, let detail): ErrorCatalog.notice(problem, detail: detail)
        }
    }

    /// Names of event types in rows, without the common prefix.
    package static func type(of event: Event) -> String { PolyDialect.type(of: event) }
    package static func type(ofKind kind: EventKind) -> String { PolyDialect.type(ofKind: kind) }
    package static func fullType(_ name: String) -> String { PolyDialect.full(name) }
    package static func shortType(_ type: String) -> String { PolyDialect.short(type) }
    package static var types: [String] { PolyDialect.types }
    package static var protocolRules: [ProtocolRule] { PolyProtocolRules.every }
    /// The reader for rows from files that do not name their protocol.
    package static var reading: RowReading { PolyDialect.reading }

    /// Returns the events in the rows of one conversation, read by the first protocol that finds any.
    package static func recorded(_ rows: [Row]) -> [RecordedEvent] {
        let site = DialectSite(key: SigningKey(Array(repeating: 0, count: 32)), shard: nil)
        let dialects = Configuration().dialects.lazy.compactMap { $0.dialect(site) }
        return dialects.map { $0.recorded(rows) }.first { !$0.isEmpty } ?? []
    }

    package static func filter(_ text: String) throws(FilterError) -> RowFilter {
        try RowFilter(text, names: reading.names)
    }

    package var faultNames: [String] { faults.active.map(\.fault.name) }

    /// Returns why no session can play the scenario line, or nil.
    package func problem(inScenario line: String) -> String? {
        do throws(ScenarioProblem) {
            _ = try fixtures.scenario(line)
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Adds a fault. Returns its id for ``remove(_:)``, or nil if there are too many faults.
    package func inject(_ fault: Fault, session: String? = nil, tag: String? = nil, by author: String)
        -> UInt64?
    {
        let scope: FaultScope = session.map { .session($0) } ?? tag.map { .tag($0) } ?? .all
        return inject(fault, scope: scope, by: author)?.id
    }

    package func journalBytes(of id: String) -> [[UInt8]] {
        guard let handle = engine.handle(of: id) else { return [] }
        guard let (entries, _, dialect) = delivered(in: handle) else { return [] }
        return entries.map { entry in
            var bytes: [UInt8] = []
            dialect.describe(entry, into: &bytes)
            return bytes
        }
    }

    /// Handles `input` as if a connection of the session `id` had sent it.
    package func receive(_ input: ClientInput, in id: String) {
        guard let handle = engine.handle(of: id) else { return }
        withEngine { $0.handle(input, from: ConnectionID(.max), in: handle, at: now, into: &$1) }
    }

    package func session(_ id: String) -> Conversation? { engine.handle(of: id).flatMap { engine[$0] } }

    /// The session with this alias, of any dialect.
    package func session(named text: String) -> Conversation? {
        for naming in dialects.flatMap(\.namings) {
            if let handle = engine.handle(of: SessionName(text, as: naming)) { return engine[handle] }
        }
        return nil
    }

    // MARK: - People and code in place of the script

    package func apply(_ action: OperatorAction, in id: String, by name: String) -> OperatorRefusal? {
        guard let handle = engine.handle(of: id) else { return .unknownSession }
        return apply(action, in: handle, by: name)
    }

    /// Lets code answer in place of a rule until ``stopOverriding(_:)``.
    package func override(_ replyOverride: ReplyOverride) -> ReplyOverrideID {
        engine.override(replyOverride)
    }

    package func stopOverriding(_ id: ReplyOverrideID) { engine.stopOverriding(id) }

    package var isQuiet: Bool { nextScriptDeadline == nil }
}
