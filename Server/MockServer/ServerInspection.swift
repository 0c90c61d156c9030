import Clocks
package import ConversationEngine
package import DialectKit
import Fixtures
import PolyDialect
package import ServerCore
package import SocketTransport
package import Timeline

/// A look into a running server, from its own loop.
package struct ServerInspection {
    let loop: ServerLoop

    package var sessions: [Conversation] { loop.server.engine.sessions }
    package var openWebSockets: Int { loop.server.openWebSockets }
    package var openSockets: Int { loop.sockets.openSockets }
    /// Connections that can time out, and those cut where their peers take nothing of what waits for them.
    package var connectionDeadlines: Int { loop.timers.deadlines.count + loop.timers.stalls.count }

    /// Does everything that is due by now, without waiting for the timer to come round.
    package func catchUp() {
        loop.fire(stays: false)
    }

    /// Every route that is served, those of the control API left out (``ControlRoute/all``).
    package var routes: [(owner: RouteTable.Owner, route: Route)] { loop.server.routes.all }

    /// What clients did against the law.
    package var breaches: [Breach] { loop.server.chronicle.breaches.breaches }
    package var unmatched: [UnmatchedTraffic] { loop.server.chronicle.unmatched.items }

    /// What went wrong in sessions, by their ids.
    package var tally: [String: SessionTally.Counts] { loop.server.chronicle.tally.counts }

    /// The rows of the timeline behind `number`.
    package func rows(after number: UInt64 = 0) -> [Row] {
        timeline.rows(after: number)
    }

    /// Everything that will happen by itself, earliest first.
    package var pendingTimers: [PendingTimer] { pendingTimers() }

    /// What sessions play unless their token names something else.
    package var standardScript: Script { loop.server.fixtures.standard }

    /// What clients are told, where a notice is one of the catalogue.
    package static func words(of text: NoticeText) -> String {
        switch text {
        case .words(let words): words
        case .known(let problem, let detail): Catalogue.notice(problem, detail: detail)
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
    package var armedNames: [String] { loop.server.desk.armed.map(\.trouble.name) }

    /// Why no session can play what the connector token `line` asks for, with the likely spelling; nil when one can.
    package func problem(inScenario line: String) -> String? {
        do throws(ScenarioProblem) {
            _ = try loop.server.fixtures.scenario(line)
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
        return loop.server.arm(trouble, scope: scope, by: author)?.id
    }

    package func disarm(_ id: UInt64) -> Bool {
        let done = loop.server.disarm(id)
        loop.sockets.flush()
        return done
    }

    /// The journal of a session as its clients are told it, entry by entry.
    package func journalBytes(of id: String) -> [[UInt8]] {
        guard let handle = loop.server.engine.handle(of: id) else { return [] }
        guard let (entries, _, dialect) = loop.server.told(in: handle) else { return [] }
        return entries.map { entry in
            var bytes: [UInt8] = []
            dialect.describe(entry, into: &bytes)
            return bytes
        }
    }

    /// Reads what has arrived, and tells what went through each connection.
    package func traffic() -> [SocketTraffic] {
        loop.drain(stays: false)
        return loop.sockets.traffic
    }

    /// Lets `input` reach the session `id` as if one of its connections had sent it.
    package func hear(_ input: ClientInput, in id: String) {
        guard let handle = loop.server.engine.handle(of: id) else { return }
        let now = loop.clock.now
        loop.perform { loop in
            loop.server.withEngine { engine, effects in
                engine.handle(input, from: ConnectionID(.max), in: handle, at: now, into: &effects)
            }
        }
    }

    package func session(_ id: String) -> Conversation? {
        loop.server.engine.handle(of: id).flatMap { loop.server.engine[$0] }
    }

    /// The session with this further name; where it has two uses, one that was made here comes first.
    package func session(named text: String) -> Conversation? {
        let namings = loop.server.dialects.flatMap(\.namings)
        let handle = namings.lazy.compactMap {
            loop.server.engine.handle(of: SessionName(text, as: $0))
        }.first
        return handle.flatMap { loop.server.engine[$0] }
    }
}
