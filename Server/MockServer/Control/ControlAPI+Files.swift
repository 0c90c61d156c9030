import ConversationEngine
import DialectKit
import HTTPCore
import Texts
import Timeline

extension ControlAPI {
    func export() throws(ControlProblem) -> Work {
        let filter = try filter()
        let wanted = request.query("session")
        // Not refused yet, because a forgotten or imported session may have rows.
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

    /// Replaces all characters except printable ASCII by question marks.
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

    /// Imports the rows of a file as a session of its own, marked as replayed.
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
                    // The new number of the cause, or 0.
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

    private final class ImportedSession {
        let name: String
        /// New row numbers, by number in the file.
        var numbers: [UInt64: UInt64] = [:]

        init(_ name: String) { self.name = name }
    }
}

extension ControlRoute {
    static let files: [ControlRoute] = [
        .init(
            "export", "GET", "export", "Rows as a file", query: ["format", "session", "filter"],
            refuses: [404], .long(ControlAPI.export)),
        .init(
            "import", "POST", "import", "Rows of a file as a session to look at", body: .rows,
            .long(ControlAPI.importRows)),
    ]
}
