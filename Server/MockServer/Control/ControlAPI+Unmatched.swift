import DialectKit
import Fixtures
import HTTPCore
import Matching
import ServerCore
import Texts
import Timeline

extension ControlAPI {
    func unmatched() throws(ControlProblem) -> Work {
        let after = try number("after") ?? 0
        let items = server.unmatched.filter { $0.number > after }
        let policy = server.configuration.unmatched.rawValue
        // An item may have some kilobytes of text.
        let isLong = items.count > ServerLimits.Control.shortList / 10
        return Work(isLong: isLong) { () throws(ControlProblem) in
            let list = items.map { Self.json($0) }
            return ControlJSON.response(.object(["unmatched": .array(list), "policy": .string(policy)]))
        }
    }

    static func json(_ item: UnmatchedTraffic) -> JSONValue {
        ControlJSON.object(
            [
                ("number", ControlJSON.count(item.number)), ("kind", .string(item.kind.rawValue)),
                ("time", ControlJSON.time(item.time)),
                ("session", item.session.isEmpty ? .null : .string(item.session)),
                ("text", .string(item.text)), ("report", .string(item.report)), ("place", place(item)),
                ("row", item.row == 0 ? .null : ControlJSON.count(item.row)),
            ] + reasons(item))
    }

    private static func reasons(_ item: UnmatchedTraffic) -> [(String, JSONValue)] {
        func masked(_ text: String) -> String { Secrets.masked.applied(toLine: text) }
        let scene = item.scene
        let report = scene?.report
        let memory = (report?.memory ?? []).compactMap { item in
            item.value.map { JSONObject.Member(item.slot, .string(masked($0))) }
        }
        let said = report?.said.map { text in
            JSONValue.object([
                "text": .string(masked(text)), "rule": ControlJSON.optional(scene?.substitute),
            ])
        }
        return [
            ("stage", ControlJSON.optional(scene.flatMap { $0.stage.isEmpty ? nil : $0.stage })),
            ("memory", .object(JSONObject(memory))),
            ("message", scene.map { ControlJSON.count($0.message) } ?? .null), ("said", said ?? .null),
            ("nearest", .array((report?.misses ?? []).map { $0.json(file: item.file) })),
            ("advice", ControlJSON.optional(report?.advice.first)),
        ]
    }

    private static func place(_ item: UnmatchedTraffic) -> JSONValue {
        guard !item.file.isEmpty else { return .null }
        return .string(item.place.line > 0 ? "\(item.file):\(item.place.line)" : item.file)
    }

    func violations() throws(ControlProblem) -> Response {
        let after = Int(clamping: try number("after") ?? 0)
        let violations = server.violations
        var counts: [String: Int] = [:]
        for violation in violations { counts[violation.protocolRule.id, default: 0] += 1 }
        let statements = ControlPages.statements
        let protocolRules = server.protocolRules.map { protocolRule in
            ControlJSON.object([
                ("id", .string(protocolRule.id)), ("title", .string(protocolRule.title)),
                ("source", .string(protocolRule.source)),
                ("statement", ControlJSON.optional(statements[protocolRule.source])),
                ("advice", .string(protocolRule.advice)),
                ("violations", ControlJSON.count(counts[protocolRule.id] ?? 0)),
            ])
        }
        let list = violations.filter { $0.number > after }.map { Self.json($0) }
        return ControlJSON.response(
            .object(["protocolRules": .array(protocolRules), "violations": .array(list)]))
    }

    static func json(_ violation: Violation) -> JSONValue {
        ControlJSON.object([
            ("number", ControlJSON.count(violation.number)),
            ("protocolRule", .string(violation.protocolRule.id)),
            ("session", violation.session.isEmpty ? .null : .string(violation.session)),
            ("connection", violation.connection.map { ControlJSON.count($0) } ?? .null),
            ("time", ControlJSON.time(violation.at)),
            ("message", violation.event.map { ControlJSON.count($0) } ?? .null),
            ("row", violation.row == 0 ? .null : ControlJSON.count(violation.row)),
            ("detail", .string(violation.detail)),
        ])
    }
}

extension ControlRoute {
    static let unmatched: [ControlRoute] = [
        .init(
            "unmatched", "GET", "unmatched", "Messages that no rule heard, requests that nothing answers",
            query: ["after"], .long(ControlAPI.unmatched)),
        .init(
            "violations", "GET", "violations", "The protocol rules, and who broke them", query: ["after"],
            .once(ControlAPI.violations)),
    ]
}
