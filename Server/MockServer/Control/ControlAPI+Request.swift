import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import ServerCore
import Texts
import Timeline

extension ControlAPI {
    func body(_ names: [String]) throws(ControlProblem) -> ControlBody {
        let given: ControlBody
        if let body { given = body } else { given = try ControlBody(request.body) }
        try given.allow(names)
        return given
    }

    /// Returns the known name that `name` probably means, such as `sessions` for `session`.
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

    /// Parses a filter. `session:last` becomes the id of the newest session.
    func filter(_ text: String) throws(ControlProblem) -> RowFilter {
        let filter = try Result { () throws(FilterError) -> RowFilter in
            if let known = try readFilter?.filter(from: text) { return known }
            return try Server.filter(text)
        }.mapError { ControlProblem.bad($0.description) }.get()
        return filter.namesLastSession ? filter.naming(last: try find("last").id) : filter
    }

    // MARK: - Sessions by name

    /// Finds a session by its id, an unambiguous prefix, an alias, or `last`.
    func find(_ text: String) throws(ControlProblem) -> Conversation {
        if text == "last" {
            guard let newest = server.newest else {
                throw ControlProblem(404, "No session is held; open one first.")
            }
            return newest
        }
        if let exact = server.session(text) ?? server.session(named: text) { return exact }
        let found = server.engine.ids(beginning: text.lowercased(), limit: 1_000).sorted()
        if found.count == 1, let only = server.session(found[0]) { return only }
        guard found.isEmpty else {
            let count = found.count < 1_000 ? "\(found.count)" : "1000 or more"
            throw ControlProblem(
                404,
                "\"\(Logger.clip(text))\" begins \(count) session ids, such as \(found[0]) and "
                    + "\(found[1]); write more of it.",
                details: ["begins": ControlJSON.strings([found[0], found[1]])])
        }
        let near = likest(text)
        let hint =
            near.map { "did you mean \($0)?" }
            ?? (server.newest == nil ? "no session is held." : "\"polymock sessions\" lists them.")
        throw ControlProblem(404, "There is no session \"\(Logger.clip(text))\"; \(hint)")
    }

    /// Returns an id within two edits of `text`. Otherwise, of the ids that share the longest prefix with it (at least
    /// four characters), the newest; nil if there is none.
    private func likest(_ text: String) -> String? {
        let ids = server.engine.ids(beginning: "", limit: 1_000).sorted()
        if let near = NearestName.suggestion(for: text, among: ids) { return near }
        for length in stride(from: min(text.count, 36), through: 4, by: -1) {
            let found = server.engine.ids(beginning: String(text.lowercased().prefix(length)), limit: 100)
            if let newest = newest(of: found) { return newest }
        }
        return nil
    }

    private func newest(of ids: [String]) -> String? {
        let engine = server.engine
        func openedAt(_ id: String) -> Instant {
            engine.handle(of: id).flatMap { engine.with($0) { $0.openedAt } } ?? .past
        }
        return ids.max { openedAt($0) < openedAt($1) }
    }
}

/// The parsed filter of a query.
struct ReadFilter: Sendable {
    private let text: String
    private let result: Result<RowFilter, FilterError>

    /// Returns nil if this filter was parsed from another text.
    func filter(from text: String) throws(FilterError) -> RowFilter? {
        text == self.text ? try result.get() : nil
    }

    /// Returns a function that parses the request's filter, or nil.
    static func preparation(
        of head: RequestHead, _ target: RequestTarget, _ configuration: Configuration
    ) -> (@Sendable () -> ReadFilter)? {
        func value(_ name: String) -> String? { target.query.first { $0.name == name }?.value }
        guard let text = value("filter"), text.utf8.contains(UInt8(ascii: "/")),
            let route = ControlRoute.matches(target).routes.first(where: { $0.query.contains("filter") }),
            ControlGate(configuration).refusal(
                of: head, for: route, hasBody: false, queryToken: value("token")) == nil
        else { return nil }
        return {
            ReadFilter(text: text, result: Result { () throws(FilterError) in try Server.filter(text) })
        }
    }
}
