import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import MessagingWire
import Timeline

/// Answers one request of the control API; everything happens within one call on the loop.
struct ControlAPI {
    let loop: ServerLoop
    let request: Request

    var now: Instant { loop.clock.now }

    /// `wait` and `feed` have answers of another kind: ``wait()``, ``feed()``.
    func answer(_ route: ControlRoute.Name, id: String) throws(ControlProblem) -> Response {
        switch route {
        case .health, .wait, .feed: throw ControlProblem(404, "This is answered elsewhere.")
        case .sessions: try sessions()
        case .session: try session(id)
        case .journal: try journal(id)
        case .deleteSession: try deleteSession(id)
        case .endSession: try endSession(id)
        case .pushEvent: try pushEvent(id)
        case .actAsAgent: try act(id)
        case .troubles: troubles()
        case .armTrouble: try armTrouble()
        case .deleteTroubles: deleteTroubles()
        case .deleteTrouble: try deleteTrouble(id)
        case .clock: clock()
        case .setClock: try setClock()
        case .timers: timers()
        case .fixtures: fixtures()
        case .shelveFixture: try shelveFixture()
        case .tryFixture: try tryFixture()
        case .reloadFixtures: try reloadFixtures()
        case .unmatched: try unmatched()
        case .laws: laws()
        case .wire: try wire()
        case .export: try export()
        case .importRows: try importRows()
        case .metrics: metrics()
        case .metricsJSON: metricsJSON()
        case .reset: try reset()
        case .openAPI: ControlPages.openAPI
        case .index:
            ControlPages.index(acceptsHTML: request.head.headers.list("Accept", contains: "text/html"))
        }
    }

    func body(_ names: [String]) throws(ControlProblem) -> ControlBody {
        let body = try ControlBody(request.body)
        try body.allow(names)
        return body
    }

    /// The name that was probably meant, also of a part such as `session` for `sessions`.
    static func suggestion(for name: String, among names: [String]) -> String? {
        NearestName.suggestion(for: name, among: names)
            ?? names.first { name.utf8.count >= 3 && ($0.hasPrefix(name) || name.hasPrefix($0)) }
    }

    // MARK: - Query

    func number(_ name: String, atMost limit: UInt64 = .max) throws(ControlProblem) -> UInt64? {
        guard let text = request.query(name) else { return nil }
        guard let number = UInt64(text), number <= limit else {
            throw .bad(
                "?\(name)=\(Logger.clip(text)) is no whole number"
                    + (limit == .max ? " without a sign." : " from 0 to \(limit)."))
        }
        return number
    }

    func filter() throws(ControlProblem) -> RowFilter? {
        guard let text = request.query("filter"), !text.isEmpty else { return nil }
        return try filter(text)
    }

    /// `session:last` means the session that is newest now.
    func filter(_ text: String) throws(ControlProblem) -> RowFilter {
        let filter: RowFilter
        do throws(FilterError) {
            filter = try RowFilter(text)
        } catch {
            throw .bad(error.description)
        }
        return filter.namesLastSession ? filter.naming(last: try find("last").id) : filter
    }

    // MARK: - Sessions by name

    /// The session that `text` names: its id, an unambiguous beginning of it, or `last`.
    func find(_ text: String) throws(ControlProblem) -> Conversation {
        if text == "last" {
            guard let newest else { throw ControlProblem(404, "No session is held; open one first.") }
            return newest
        }
        if let exact = loop.engine.handle(of: text).flatMap({ loop.engine[$0] }) { return exact }
        let sessions = loop.engine.sessions
        let found = sessions.filter { $0.id.hasPrefix(text.lowercased()) }
        if found.count == 1 { return found[0] }
        guard found.isEmpty else {
            throw ControlProblem(
                404,
                "\"\(Logger.clip(text))\" begins \(found.count) session ids, such as \(found[0].id) and "
                    + "\(found[1].id); write more of it.")
        }
        let near = NearestName.suggestion(for: text, among: sessions.map(\.id)) ?? Self.likest(text, sessions)
        let hint = near.map { "did you mean \($0)?" } ?? "no session is held."
        throw ControlProblem(404, "There is no session \"\(Logger.clip(text))\"; \(hint)")
    }

    /// The id with the longest common beginning; of equal ones that of the newest session.
    private static func likest(_ text: String, _ sessions: [Conversation]) -> String? {
        func common(_ id: String) -> Int { zip(id, text).prefix { $0 == $1 }.count }
        return sessions.max { left, right in
            (common(left.id), left.openedAt) < (common(right.id), right.openedAt)
        }?.id
    }

    private var newest: Conversation? {
        if let handle = loop.control.newest, let session = loop.engine[handle] { return session }
        return loop.engine.sessions.max { $0.openedAt < $1.openedAt }
    }
}
