import Clocks
import PolyDialect
import Texts
import Timeline

/// The filter language of the timeline, and files that are read into it.
enum TimelineEntries {
    static let filterWords = [
        "dir:in", "kind:rest,ws", "type:USER_MESSAGE", "n:10..20", "seq:>1", "size:>1kb", "lat:<2s",
        "status:4xx",
        "close:4001", "session:s-1", "corr:", "rule:\"", "fault:", "is:error", "$.payload.level=X",
        "$.a[0].b!=1",
        "$.type", "$[0]", "since:30s", "after:12:00:00", "before:2026-01-15T12:00:00Z", "/msg_[0-9]+/i", "/",
        "/i", "-",
        "\"", "..", ",", ">=", "<", "(a|b)*", "(a*)*", "{2,5}", "[^a-z]", "\\d", "^", "$", "\\", "(", ")",
        "1e9", "\n",
    ]

    static let importWords = [
        "{\"format\":\"polymock timeline\",\"version\":1}\n", "\"t\":\"2026-01-15T09:30:00.000Z\"",
        "\"dir\":\"in\"",
        "\"kind\":\"ws\"", "\"kind\":\"rest\"", "\"raw\":\"{}\"", "\"rawBase64\":\"AA==\"", "\"mod\":\"x\"",
        "\"modBase64\":\"",
        "\"flags\":[\"replayed\"]", "\"lat\":1.5", "\"lat\":1e300", "\"size\":-1",
        "\"size\":9223372036854775807",
        "\"socket\":4294967295", "\"status\":200", "\"seq\":18446744073709551615", "\"n\":1",
        "\"session\":\"s\"",
        "{\"log\":{\"entries\":[", "\"startedDateTime\":\"2026-01-15T09:30:00.000Z\"", "\"time\":12.5",
        "\"request\":{",
        "\"response\":{", "\"method\":\"GET\"", "\"url\":\"http://a/ws\"",
        "\"headers\":[{\"name\":\"Host\",\"value\":\"a\"}]",
        "\"postData\":{\"text\":\"{}\"}", "\"content\":{\"text\":\"{}\",\"encoding\":\"base64\"}",
        "\"_webSocketMessages\":[{\"type\":\"send\",\"time\":1768469400.5,\"opcode\":1,\"data\":\"{}\"}]",
        "\"opcode\":2",
        "\"time\":1e300", "\"time\":-1e18", "\"_socket\":1", "\"_session\":\"s\"", "}", "]", "{", "[", ",",
        "\n",
        "\"access_token=abc\"", "authorization: Bearer x", "EVENT_TYPE_USER_MESSAGE",
    ]

    private static let start = Instant(secondsSince1970: 1_768_469_400)

    // MARK: Filters

    /// First line: the filter. The rest: what one of the rows says.
    static func filter(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let text = String(decoding: input.line(), as: UTF8.self)
        let raw = input.rest
        let filter: RowFilter
        do throws(FilterError) {
            filter = try RowFilter(text, names: PolyDialect.reading.names)
        } catch {
            try require(
                1...text.count + 1 ~= error.position,
                "an error at character \(error.position) of \(text.count)")
            try require(!error.fix.isEmpty && !error.explanation.isEmpty, "an error without words")
            return Trait("refused", String("\(error.reason)".prefix { $0 != "(" }))
        }
        var trait = Trait("taken")
        for row in rows(raw) {
            let takes = filter.matches(row, now: start)
            trait.add(takes ? 1 : 0)
        }
        try quoted(raw)
        return trait
    }

    /// A word in quotes is found in a row that says nothing else.
    private static func quoted(_ raw: [UInt8]) throws(BrokenRule) {
        let text = String(decoding: raw, as: UTF8.self)
        let quoted = "\"" + text + "\""
        // The filter language goes by characters: a quote with a combining mark behind it is no quote.
        guard !text.isEmpty, text.utf8.count < 200, quoted.count == text.count + 2, !text.contains("\""),
            !text.contains("\\"), let filter = try? RowFilter(quoted)
        else { return }
        let row = Row(time: start, wallTime: start, direction: .inbound, kind: .ws, raw: Array(text.utf8))
        try require(filter.matches(row, now: start), "a text is not found in itself")
    }

    private static func rows(_ raw: [UInt8]) -> [Row] {
        [
            Row(
                number: 7, time: start, wallTime: start, direction: .inbound, kind: .ws, session: "s-1",
                socket: 3, type: "EVENT_TYPE_USER_MESSAGE", sequence: 4, raw: raw,
                reading: PolyDialect.reading),
            Row(
                number: 8, time: start, wallTime: start, direction: .outbound, kind: .rest, type: "POST /api",
                latency: Interval(nanoseconds: 5_000_000), status: 404, rule: "greet", fault: "tunnel",
                raw: Array("{\"payload\":{\"level\":[1,\"X\"]},\"id\":\"a\"}".utf8), flags: [.error]),
        ]
    }

    // MARK: Masks

    /// A secret that is planted in any surroundings is gone, and a second pass changes nothing.
    static func masks(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let forms = [
            "access_token=#", "\"password\":\"#\"", "\nAuthorization: Bearer #\r\n", "?sig=#&",
            " eyJhbGciOi.#.#", "{\\\"client_secret\\\":\\\"#\\\"}",
        ]
        let form = forms[(input.control() & 31) % forms.count]
        let before = input.line()
        let secret = "S3cr3tS3cr3t"
        let planted = before + Array(form.replacing("#", with: secret).utf8) + input.rest
        let masked = Secrets.masked.applied(to: planted)
        try require(Secrets.masked.applied(to: masked) == masked, "a second pass masks more")
        let isKept = String(decoding: masked, as: UTF8.self).contains(secret)
        try require(!isKept, "a secret is kept: \(String(decoding: masked, as: UTF8.self))")
        var trait = Trait("masked", form)
        trait.add(roughly: planted.count - masked.count)
        return trait
    }

    // MARK: Imports

    /// A file of either kind. What is read can be written, read again, shown as a transcript.
    static func imports(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let rows: [Row]
        do throws(ImportError) {
            rows = try TimelineImport.rows(bytes, as: PolyDialect.reading)
        } catch {
            let lines = bytes.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
            try require(1...lines ~= error.line, "an error in line \(error.line) of \(lines)")
            return Trait(String(error.description.suffix(24)))
        }
        let info = ExportInfo(exportedAt: start, version: "1")
        let lines = TimelineExport.jsonLines(rows, info: info, secrets: .included)
        let again: [Row]
        do throws(ImportError) {
            again = try TimelineImport.jsonLines(lines, as: PolyDialect.reading)
        } catch {
            throw BrokenRule("rows cannot be read again: \(error)")
        }
        try require(again == rows, "rows differ after a round trip")
        return try shown(rows, info)
    }

    private static func shown(_ rows: [Row], _ info: ExportInfo) throws(BrokenRule) -> Trait {
        for secrets in [Secrets.included, .masked] {
            do throws(ImportError) {
                _ = try TimelineImport.har(TimelineExport.har(rows, info: info, secrets: secrets))
                _ = try TimelineImport.jsonLines(TimelineExport.jsonLines(rows, info: info, secrets: secrets))
            } catch {
                throw BrokenRule("an export cannot be read: \(error)")
            }
        }
        let transcript = Transcript(rows)
        _ = transcript.text()
        guard (try? JSONReader.read(transcript.json(exportedAt: start))) != nil else {
            throw BrokenRule("a transcript that is no JSON")
        }
        var trait = Trait("rows")
        trait.add(roughly: rows.count)
        trait.add(roughly: transcript.messages.count)
        for row in rows.prefix(4) { trait.add(row.kind.rawValue) }
        return trait
    }
}
