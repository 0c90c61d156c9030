package import Clocks
package import Texts

/// Header of an export: time, server version and settings.
package struct ExportInfo: Equatable, Sendable {
    package var exportedAt: Instant
    package var version: String
    package var details: JSONObject

    package init(exportedAt: Instant, version: String, details: JSONObject = JSONObject()) {
        self.exportedAt = exportedAt
        self.version = version
        self.details = details
    }

    var json: JSONValue {
        let others = details.members.filter { $0.name != "name" && $0.name != "version" }
        return .object(
            JSONObject([.init("name", .string("polymock")), .init("version", .string(version))] + others))
    }
}

package enum TimelineExport {
    /// Version of the JSON lines format and of the transcript format.
    package static let version = 1
    static let format = "polymock timeline"

    /// Returns a header object and the rows as JSON lines.
    package static func jsonLines(_ rows: [Row], info: ExportInfo, secrets: Secrets = .masked) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.reduce(256) { $0 + $1.weight + 256 })
        appendJSONLinesHeader(info, into: &bytes)
        for row in rows {
            appendJSON(row, into: &bytes, secrets: secrets)
            bytes.append(0x0A)
        }
        return bytes
    }

    package static func appendJSONLinesHeader(_ info: ExportInfo, into bytes: inout [UInt8]) {
        JSONWriter.literal("{\"format\":", into: &bytes)
        JSONWriter.string(format, into: &bytes)
        JSONWriter.literal(",\"version\":", into: &bytes)
        JSONWriter.integer(version, into: &bytes)
        JSONWriter.literal(",\"exportedAt\":", into: &bytes)
        append(info.exportedAt, into: &bytes)
        JSONWriter.literal(",\"server\":", into: &bytes)
        JSONWriter.value(info.json, into: &bytes)
        JSONWriter.literal("}\n", into: &bytes)
    }

    /// Appends a row as a JSON object, without empty fields. Texts beyond `textBytes` bytes are shortened.
    package static func appendJSON(
        _ row: Row, into bytes: inout [UInt8], secrets: Secrets = .masked, textBytes: Int? = nil
    ) {
        JSONWriter.literal("{\"n\":", into: &bytes)
        JSONWriter.integer(row.number, into: &bytes)
        JSONWriter.literal(",\"t\":", into: &bytes)
        append(row.wallTime, into: &bytes)
        JSONWriter.literal(",\"mt\":", into: &bytes)
        append(row.time, into: &bytes)
        text(",\"dir\":", row.direction.rawValue, into: &bytes)
        text(",\"kind\":", row.kind.rawValue, into: &bytes)
        text(",\"session\":", row.session, into: &bytes)
        if row.socket != 0 { number(",\"socket\":", UInt64(row.socket), into: &bytes) }
        text(",\"type\":", secrets.applied(to: row.type), into: &bytes)
        if let sequence = row.sequence { number(",\"seq\":", sequence, into: &bytes) }
        let facts = row.facts
        text(",\"id\":", facts.id ?? "", into: &bytes)
        text(",\"corr\":", facts.correlation ?? "", into: &bytes)
        number(",\"size\":", row.size, into: &bytes)
        if let latency = row.latency {
            JSONWriter.literal(",\"lat\":", into: &bytes)
            append(milliseconds: latency, into: &bytes)
        }
        if let status = row.status { number(",\"status\":", status, into: &bytes) }
        text(",\"rule\":", row.rule, into: &bytes)
        if !row.place.file.isEmpty { text(",\"place\":", row.place.text, into: &bytes) }
        if row.cause != 0 { number(",\"cause\":", row.cause, into: &bytes) }
        text(",\"by\":", row.author, into: &bytes)
        text(",\"timer\":", row.timer, into: &bytes)
        text(",\"fault\":", row.fault, into: &bytes)
        append(row.flags, into: &bytes)
        var isCut = false
        func shortened(_ whole: [UInt8]) -> [UInt8] {
            let whole = secrets.applied(to: whole)
            let beginning = beginning(of: whole, atMost: textBytes)
            if beginning.count < whole.count { isCut = true }
            return beginning
        }
        let (raw, isText) = quotable(shortened(row.raw))
        text(isText ? ",\"raw\":" : ",\"rawBase64\":", raw, into: &bytes)
        if let original = row.original {
            let (text, isText) = quotable(shortened(original))
            JSONWriter.literal(isText ? ",\"mod\":" : ",\"modBase64\":", into: &bytes)
            JSONWriter.string(text, into: &bytes)
        }
        if isCut { JSONWriter.literal(",\"cut\":true", into: &bytes) }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Returns at most `limit` bytes of a text, without splitting a character; nil returns all.
    package static func beginning(of text: [UInt8], atMost limit: Int?) -> [UInt8] {
        guard let limit, text.count > limit else { return text }
        var end = limit
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(text[..<end])
    }

    // MARK: Members

    private static func text(_ name: StaticString, _ text: String, into bytes: inout [UInt8]) {
        guard !text.isEmpty else { return }
        JSONWriter.literal(name, into: &bytes)
        JSONWriter.string(text, into: &bytes)
    }

    private static func number(_ name: StaticString, _ number: Int, into bytes: inout [UInt8]) {
        JSONWriter.literal(name, into: &bytes)
        JSONWriter.integer(number, into: &bytes)
    }

    private static func number(_ name: StaticString, _ number: UInt64, into bytes: inout [UInt8]) {
        JSONWriter.literal(name, into: &bytes)
        JSONWriter.integer(number, into: &bytes)
    }

    private static func append(_ flags: Row.Flags, into bytes: inout [UInt8]) {
        guard !flags.isEmpty else { return }
        JSONWriter.literal(",\"flags\":[", into: &bytes)
        var needsComma = false
        for (name, flag) in Row.Flags.names where flags.contains(flag) {
            if needsComma { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            JSONWriter.literal(name, into: &bytes)
            bytes.append(UInt8(ascii: "\""))
            needsComma = true
        }
        bytes.append(UInt8(ascii: "]"))
    }

    static func quotable(_ bytes: [UInt8]) -> (text: String, isText: Bool) {
        UTF8Validator.text(bytes[...]).map { ($0, true) } ?? (Base64.standard.text(of: bytes), false)
    }

    /// Appends a quoted timestamp with three fraction digits, or nine if needed.
    static func append(_ instant: Instant, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        TimeStamp.write(nanoseconds: instant.nanoseconds, into: &bytes)
        let rest = (instant.nanoseconds % 1_000_000 + 1_000_000) % 1_000_000
        if rest > 0 {
            bytes.removeLast()
            appendDigits(rest, count: 6, into: &bytes)
            bytes.append(UInt8(ascii: "Z"))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends milliseconds with as few fraction digits as needed, at most six.
    static func append(milliseconds length: Interval, into bytes: inout [UInt8]) {
        if length.nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = length.nanoseconds.magnitude
        JSONWriter.integer(magnitude / 1_000_000, into: &bytes)
        let rest = Int64(magnitude % 1_000_000)
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        appendDigits(rest, count: 6, into: &bytes)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }

    static func appendDigits(_ number: Int64, count: Int, into bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
