import Clocks
import ConversationEngine
import DialectKit
import HTTPCore
import LawBook
import MessagingWire
import SocketTransport
import Timeline

/// What the server remembers: rows, unheard traffic, breaches; out to files and in again (chat-ui 3.5, 3.11).
extension ControlAPI {
    func wire() throws(ControlProblem) -> Response {
        let filter = try filter()
        let after = try number("after") ?? 0
        let limit = try number("limit", atMost: UInt64(TimelineLimits.rows))
        let last = try number("last", atMost: UInt64(TimelineLimits.rows))
        guard limit == nil || last == nil else {
            throw .bad("?limit= and ?last= both say how many; choose one.")
        }
        let rows: [Row]
        if let last {
            rows = loop.timeline.latest(Int(last), matching: filter, now: now).filter { $0.number > after }
        } else {
            let limit = Int(limit ?? UInt64(ServerLimits.Control.rows))
            rows = loop.timeline.rows(after: after, limit: limit, matching: filter, now: now)
        }
        let hint = rows.isEmpty ? filter?.hint(among: loop.timeline) : nil
        return ControlJSON.response(ControlRows.list(rows, loop.timeline, hint: hint))
    }

    /// What to wait for; ``ServerLoop/begin(_:on:)`` does it.
    func wait() throws(ControlProblem) -> RowWait {
        let filter = try self.filter(request.query("filter") ?? "")
        let count = Int(try number("count", atMost: UInt64(ServerLimits.Control.awaitedRows)) ?? 1)
        guard count > 0 else { throw .bad("?count=0 waits for nothing; use 1 or more.") }
        let text = request.query("timeout") ?? "10s"
        let timeout = try ControlBody.length(
            text, "?timeout=\(Logger.clip(text))", atMost: ServerLimits.Control.waiting)
        guard loop.control.watching.count < ServerLimits.Control.waits else {
            throw ControlProblem(
                409, "\(ServerLimits.Control.waits) requests wait already, which is the most.")
        }
        let after = try number("after") ?? 0
        return RowWait(
            head: request.head, filter: filter, count: count, timeout: timeout, deadline: now + timeout,
            realDeadline: loop.wallClock.now + timeout, seen: after, after: after)
    }

    /// What a feed tells. Without `after` it begins with the next row.
    func feed() throws(ControlProblem) -> RowFeed {
        let filter = try filter()
        let feeds = loop.connections.count { $0?.isFeed == true }
        guard feeds < ServerLimits.Control.feeds else {
            throw ControlProblem(
                409, "\(ServerLimits.Control.feeds) feeds are open, which is the most; close one.")
        }
        let last = loop.timeline.lastNumber
        return RowFeed(filter: filter, seen: min(try number("after") ?? last, last))
    }

    // MARK: - Unheard traffic and laws

    func unmatched() throws(ControlProblem) -> Response {
        let after = try number("after") ?? 0
        let list = loop.unmatched.filter { $0.number > after }.map { item in
            ControlJSON.object([
                ("number", ControlJSON.count(item.number)), ("kind", .string(item.kind.rawValue)),
                ("time", ControlJSON.time(item.time)),
                ("session", item.session.isEmpty ? .null : .string(item.session)),
                ("text", .string(item.text)), ("report", .string(item.report)),
                ("place", place(item)),
            ])
        }
        return ControlJSON.response(
            .object(["unmatched": .array(list), "policy": .string(loop.configuration.unmatched.rawValue)]))
    }

    private func place(_ item: UnmatchedTraffic) -> JSONValue {
        guard !item.file.isEmpty else { return .null }
        return .string(item.place.line > 0 ? "\(item.file):\(item.place.line)" : item.file)
    }

    func laws() -> Response {
        let breaches = loop.lawBook.breaches
        var counts: [String: Int] = [:]
        for breach in breaches { counts[breach.law.id, default: 0] += 1 }
        let laws = LawBook.laws.map { law in
            ControlJSON.object([
                ("id", .string(law.id)), ("title", .string(law.title)), ("source", .string(law.source)),
                ("advice", .string(law.advice)), ("breaches", ControlJSON.count(counts[law.id] ?? 0)),
            ])
        }
        let list = breaches.map { breach in
            ControlJSON.object([
                ("law", .string(breach.law.id)),
                ("session", breach.session.isEmpty ? .null : .string(breach.session)),
                ("connection", breach.connection.map { ControlJSON.count($0) } ?? .null),
                ("time", ControlJSON.time(breach.at)),
                ("message", breach.event.map { ControlJSON.count($0) } ?? .null),
                ("detail", .string(breach.detail)),
            ])
        }
        return ControlJSON.response(.object(["laws": .array(laws), "breaches": .array(list)]))
    }

    // MARK: - Files

    func export() throws(ControlProblem) -> Response {
        let filter = try filter()
        var session: String?
        if let text = request.query("session") { session = try exportedSession(text) }
        let rows = loop.timeline.rows(matching: filter, now: now).filter { row in
            session == nil || row.session == session
        }
        var response = try file(of: rows, session)
        if rows.isEmpty, let hint = filter?.hint(among: loop.timeline) {
            response.headers.append("X-Mock-Hint", Self.fieldValue(hint))
        }
        return response
    }

    /// What a header field can say of a text that a client wrote: no line end, nothing beyond ASCII.
    private static func fieldValue(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { 0x20...0x7E ~= $0.value ? $0 : "?" }))
    }

    private func file(of rows: [Row], _ session: String?) throws(ControlProblem) -> Response {
        let info = ExportInfo(
            exportedAt: loop.wallNow(now), version: Version.text,
            details: [
                "seed": ControlJSON.count(loop.seed), "fixture": .string(loop.fixtures.standard.name),
            ])
        let format = request.query("format") ?? "jsonl"
        switch format {
        case "jsonl":
            return ControlJSON.response(
                TimelineExport.jsonLines(rows, info: info), type: "application/x-ndjson")
        case "har": return ControlJSON.response(TimelineExport.har(rows, info: info))
        case "transcript":
            return ControlJSON.response(
                TimelineExport.transcriptText(rows, session: session), type: "text/plain; charset=utf-8")
        case "transcript.json":
            return ControlJSON.response(TimelineExport.transcriptJSON(rows, session: session, info: info))
        default:
            throw .bad(
                "?format=\(Logger.clip(format)) is no format; use jsonl, har, transcript or transcript.json.")
        }
    }

    /// Also sessions that are forgotten, or were imported, as long as rows name them.
    private func exportedSession(_ text: String) throws(ControlProblem) -> String {
        if loop.timeline.rows(limit: 1, matching: try exact(text)).isEmpty { return try find(text).id }
        return text
    }

    private func exact(_ session: String) throws(ControlProblem) -> RowFilter {
        try filter("session:\"\(session.filter { $0 != "\"" && $0 != "\\" })\"")
    }

    /// Rows of a file as a session of their own, marked as told before.
    func importRows() throws(ControlProblem) -> Response {
        guard !request.body.isEmpty else {
            throw .bad("The body is empty; send JSON lines or HAR as they were exported.")
        }
        let rows: [Row]
        do throws(ImportError) {
            rows = try TimelineImport.rows(request.body)
        } catch {
            throw .bad("The import stopped at \(error.description)")
        }
        loop.control.imports += 1
        let session = "imported-\(loop.control.imports)"
        for row in rows {
            var row = row
            row.session = session
            row.flags.insert(.replayed)
            loop.record(row)
        }
        return ControlJSON.response(
            .object(["imported": ControlJSON.count(rows.count), "session": .string(session)]))
    }

    // MARK: - Reset

    /// One call between two tests.
    func reset() throws(ControlProblem) -> Response {
        let parts = ["sessions", "troubles", "clock", "log", "fixtures"]
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
        if wanted.contains("sessions") {
            for session in loop.engine.sessions { forget(session.handle) }
        }
        if wanted.contains("troubles") {
            _ = deleteTroubles()
            loop.desk.forgetLines()
        }
        // A clock that a test brought stays as that test wants it.
        if wanted.contains("clock"), loop.configuration.clock == nil { try set(.real) }
        if wanted.contains("log") { forgetRecord() }
        if wanted.contains("fixtures") { loop.fixtures.forgetTexts() }
        return ControlJSON.response(.object(["reset": ControlJSON.strings(wanted)]))
    }

    /// Rows, unheard traffic and breaches; their numbers go on. Sessions that are under way are not judged by
    /// the new law book, since it has not seen them begin.
    private func forgetRecord() {
        let book = loop.lawBook
        loop.control.counts.breachesForgotten += UInt64(book.breaches.count + book.droppedBreaches)
        loop.control.counts.rowsForgotten += loop.timeline.droppedCount
        loop.timeline.removeAll()
        loop.unmatched = []
        loop.lawBook = LawBook(connectionLimit: loop.configuration.connections.perSession)
    }
}
