import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import HTTPCore
import Matching
import ServerCore
import SocketTransport
import Texts
import Timeline

/// Records of the server: rows, unmatched traffic, violations; their export and import.
extension ControlAPI {
    func wire() throws(ControlProblem) -> Work {
        let filter = try filter()
        let after = try number("after") ?? 0
        let limit = try number("limit", atMost: UInt64(TimelineLimits.rows))
        let last = try number("last", atMost: UInt64(TimelineLimits.rows))
        guard limit == nil || last == nil else {
            throw .bad("?limit= and ?last= both say how many; choose one.")
        }
        let most = Int(limit ?? UInt64(ServerLimits.Control.rows))
        let textBytes = try number("text").map { Int(clamping: $0) }
        let (timeline, now) = (server.timeline, now)
        return Work(isLong: !affords(filter)) { () throws(ControlProblem) in
            let rows: [Row]
            if let last {
                rows = timeline.latest(Int(last), matching: filter, now: now).filter { $0.number > after }
            } else {
                rows = timeline.rows(after: after, limit: most, matching: filter, now: now)
            }
            let hint = rows.isEmpty ? filter?.hint(among: timeline) : nil
            return ControlJSON.response(ControlRows.list(rows, timeline, textBytes: textBytes, hint: hint))
        }
    }

    /// Limits the steps of all filters together: each row is compared for all waits and feeds.
    private func checkListeners(with filter: RowFilter?) throws(ControlProblem) {
        let others = server.controls.watching.reduce(0) { sum, id in
            sum + (server.connection(of: id)?.listeningFilter?.stepsPerByte ?? 0)
        }
        guard others + (filter?.stepsPerByte ?? 0) <= ServerLimits.Control.listenerSteps else {
            throw ControlProblem(
                409,
                "The filters of those that wait or follow a feed cost \(others) steps for each byte, and "
                    + "\(ServerLimits.Control.listenerSteps) are the most; end one of them.")
        }
    }

    func wait() throws(ControlProblem) -> RowWait {
        let filter = try self.filter(request.query("filter") ?? "")
        let count = Int(try number("count", atMost: UInt64(ServerLimits.Control.awaitedRows)) ?? 1)
        guard count > 0 else { throw .bad("?count=0 waits for nothing; use 1 or more.") }
        let text = request.query("timeout") ?? "10s"
        let timeout = try ControlBody.length(
            text, "?timeout=\(Logger.clip(text))", atMost: ServerLimits.Control.waiting)
        guard server.controls.watching.count < ServerLimits.Control.waits else {
            throw ControlProblem(
                409, "\(ServerLimits.Control.waits) requests wait already, which is the most.")
        }
        try checkListeners(with: filter)
        let after = try number("after") ?? 0
        return RowWait(
            head: request.head, filter: filter, count: count, timeout: timeout, deadline: now + timeout,
            realDeadline: server.wallNow + timeout, seen: after, after: after)
    }

    /// The feed of a request. Without `after` it begins with the next row.
    func feed() throws(ControlProblem) -> RowFeed {
        let filter = try filter()
        let feeds = server.connections.count { $0?.isFeed == true }
        guard feeds < ServerLimits.Control.feeds else {
            throw ControlProblem(
                409, "\(ServerLimits.Control.feeds) feeds are open, which is the most; close one.")
        }
        try checkListeners(with: filter)
        let last = server.timeline.lastNumber
        let rows = request.query("rows")
        guard rows == nil || rows == "none" else {
            throw .bad("?rows=\(Logger.clip(rows ?? "")) says nothing; leave it out, or use none.")
        }
        let rate = try number("rate")
        guard rate.map({ 1...100_000 ~= $0 }) ?? true else {
            throw .bad("?rate= is the number of rows a second, from 1 to 100000.")
        }
        let topics = try topics()
        return RowFeed(
            filter: filter, seen: min(try number("after") ?? last, last),
            textBytes: try number("text").map { Int(clamping: $0) }, sendsRows: rows == nil,
            changes: topics.isEmpty && rate == nil ? nil : FeedChanges(topics, rate: rate.map { Int($0) }))
    }

    private func topics() throws(ControlProblem) -> Set<FeedTopic> {
        let names = FeedTopic.allCases.map(\.rawValue)
        var topics: Set<FeedTopic> = []
        for word in (request.query("also") ?? "").split(separator: ",").map(String.init) {
            guard let topic = FeedTopic(rawValue: word) else {
                let meant =
                    FormerNames.topics[word].map { "it is called \"\($0)\" now." }
                    ?? Self.suggestion(for: word, among: names).map { "did you mean \($0)?" }
                throw .bad(
                    "?also= cannot name \"\(Logger.clip(word))\"; "
                        + (meant ?? "use \(names.joined(separator: ", "))."))
            }
            topics.insert(topic)
        }
        return topics
    }

    // MARK: - Unmatched traffic and protocol rules

    func unmatched() throws(ControlProblem) -> Work {
        let after = try number("after") ?? 0
        let items = server.unmatched.filter { $0.number > after }
        let policy = server.configuration.unmatched.rawValue
        // Up to some kilobytes of text each.
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

    /// Near misses of a message.
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

    // MARK: - Files

    func export() throws(ControlProblem) -> Work {
        let filter = try filter()
        let wanted = request.query("session")
        // Also a forgotten or imported session, as long as rows name it.
        let named = wanted.map { id in Result { () throws(ControlProblem) in try find(id).id } }
        let info = ExportInfo(
            exportedAt: server.wallMoment, version: MockServer.version,
            details: [
                "seed": ControlJSON.count(server.seed), "fixture": .string(server.fixtures.defaultName),
            ])
        let format = request.query("format") ?? "jsonl"
        guard ["jsonl", "har", "transcript", "transcript.json"].contains(format) else {
            throw .bad(
                "?format=\(Logger.clip(format)) is no format; use jsonl, har, transcript or transcript.json.")
        }
        let (timeline, now) = (server.timeline, now)
        return Work(isLong: !affords(filter)) { () throws(ControlProblem) in
            var rows = timeline.rows(matching: filter, now: now)
            var session: String?
            if let wanted, let named {
                let isUnknown = timeline.rows(limit: 1, matching: try Self.exact(wanted)).isEmpty
                session = isUnknown ? try named.get() : wanted
                rows = rows.filter { $0.session == session }
            }
            var response = Self.file(rows, session: session, info, format)
            if rows.isEmpty, let hint = filter?.hint(among: timeline) {
                response.headers.append("X-Mock-Hint", Self.fieldValue(hint))
            }
            return response
        }
    }

    /// A client's text as a field value: printable ASCII.
    private static func fieldValue(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { 0x20...0x7E ~= $0.value ? $0 : "?" }))
    }

    private static func file(
        _ rows: [Row], session: String?, _ info: ExportInfo, _ format: String
    ) -> Response {
        switch format {
        case "har": ControlJSON.response(TimelineExport.har(rows, info: info))
        case "transcript":
            ControlJSON.response(Transcript(rows, session: session).text(), type: "text/plain; charset=utf-8")
        case "transcript.json":
            ControlJSON.response(Transcript(rows, session: session).json(exportedAt: info.exportedAt))
        default:
            ControlJSON.response(TimelineExport.jsonLines(rows, info: info), type: "application/x-ndjson")
        }
    }

    private static func exact(_ session: String) throws(ControlProblem) -> RowFilter {
        let name = session.filter { $0 != "\"" && $0 != "\\" }
        return try Result { () throws(FilterError) in try RowFilter("session:\"\(name)\"") }
            .mapError { ControlProblem.bad($0.description) }.get()
    }

    /// Imports the rows of a file as a separate session, marked as replayed.
    func importRows() throws(ControlProblem) -> Work {
        let body = request.body
        guard !body.isEmpty else {
            throw .bad("The body is empty; send JSON lines or HAR as they were exported.")
        }
        return Work(
            isLong: body.count > ServerLimits.Control.shortBytes,
            prepare: { () throws(ControlProblem) in
                try Result { () throws(ImportError) in try TimelineImport.rows(body, as: Server.reading) }
                    .mapError { ControlProblem.bad("The import stopped at \($0.description)") }.get()
            },
            begin: { server in
                server.controls.imports += 1
                return ImportedSession("imported-\(server.controls.imports)")
            },
            apply: { server, rows, imported in
                for row in rows {
                    var row = row
                    row.session = imported.name
                    row.flags.insert(.replayed)
                    // Rows get new numbers; a cause outside of the file is dropped.
                    row.cause = imported.numbers[row.cause] ?? 0
                    server.record(row)
                    if row.number > 0 { imported.numbers[row.number] = server.timeline.lastNumber }
                }
            },
            end: { _, count, imported in
                ControlJSON.response(
                    .object(["imported": ControlJSON.count(count), "session": .string(imported.name)]))
            })
    }

    /// State shared by the pieces of an import.
    private final class ImportedSession {
        let name: String
        /// New numbers of rows, by those in the file.
        var numbers: [UInt64: UInt64] = [:]

        init(_ name: String) { self.name = name }
    }

    // MARK: - Reset

    /// Resets the server between two tests.
    func reset() throws(ControlProblem) -> Work {
        let parts = ["sessions", "faults", "clock", "log", "fixtures"]
        let body = try body(parts)
        var wanted: [String] = []
        var unwanted: [String] = []
        for part in parts {
            switch try body.flag(part) {
            case true?: wanted.append(part)
            case false?: unwanted.append(part)
            case nil: continue
            }
        }
        if wanted.isEmpty { wanted = parts.filter { !unwanted.contains($0) } }
        let handles = wanted.contains("sessions") ? server.engine.sessionHandles : []
        let chosen = wanted
        return Work(
            isLong: handles.count > ServerLimits.Control.shortList,
            prepare: { () throws(ControlProblem) in handles },
            begin: { _ in },
            apply: { server, handles, _ in
                for handle in handles { server.forget(handle) }
            },
            end: { server, _, _ in server.control.finishReset(chosen) })
    }
    /// Finishes a reset once the sessions are gone.
    private func finishReset(_ wanted: [String]) -> Response {
        if wanted.contains("faults") {
            for item in server.faults.active { _ = server.remove(item.id) }
            server.faults.forgetLines()
            for handle in server.controls.holds.keys { server.hold(handle, nil) }
        }
        var told: [(String, JSONValue)] = [("reset", ControlJSON.strings(wanted))]
        // A test's clock is left to the test.
        if wanted.contains("clock") {
            if server.configuration.clock == nil, server.setClockMode(.real) { rearmWaits() }
            server.controls.clockMoves += 1
            told.append(("onWallTime", .bool(server.returnToWall())))
        }
        if wanted.contains("log") { server.forgetRecord() }
        if wanted.contains("fixtures") { server.fixtures.forgetTexts() }
        announce(nil, "reset", ControlJSON.strings(wanted))
        return ControlJSON.response(ControlJSON.object(told))
    }
}

extension ControlRoute {
    static let record: [ControlRoute] = [
        .init(
            "unmatched", "GET", "unmatched", "Messages that no rule heard, requests that nothing answers",
            query: ["after"], .long(ControlAPI.unmatched)),
        .init(
            "violations", "GET", "violations", "The protocol rules, and who broke them", query: ["after"],
            .once(ControlAPI.violations)),
        .init(
            "wire", "GET", "wire", "Rows of the wire, oldest first",
            query: ["filter", "after", "limit", "last", "text"], refuses: [404], .long(ControlAPI.wire)),
        .init(
            "wait", "GET", "wait", "Wait until rows are there",
            query: ["filter", "count", "after", "timeout"], refuses: [404, 408, 409], .wait(ControlAPI.wait)),
        .init(
            "export", "GET", "export", "Rows as a file", query: ["format", "session", "filter"],
            refuses: [404], .long(ControlAPI.export)),
        .init(
            "import", "POST", "import", "Rows of a file as a session to look at", body: .rows,
            .long(ControlAPI.importRows)),
    ]

    static let upkeep: [ControlRoute] = [
        .init(
            "reset", "POST", "reset", "Bring the server back to its start, between two tests", body: .object,
            .long(ControlAPI.reset)),
        .init(
            "feed", "GET", "feed", "Rows as they come, over a WebSocket",
            query: ["after", "filter", "token", "also", "rate", "text", "rows"], refuses: [404, 409, 426],
            .feed(ControlAPI.feed)),
    ]
}
