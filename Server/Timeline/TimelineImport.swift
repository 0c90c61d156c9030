import Clocks
import Texts

/// Importer of files from ``TimelineExport``, and of HAR files from other tools.
package enum TimelineImport {
    /// Returns the rows of a HAR file or of JSON lines. `reading` is the reader of all rows.
    package static func rows(_ bytes: [UInt8], as reading: RowReading? = nil) throws(ImportError) -> [Row] {
        isHAR(bytes) ? try har(bytes, as: reading) : try jsonLines(bytes, as: reading)
    }

    /// Whether the bytes begin as a HAR file does, after a byte order mark at most.
    package static func isHAR(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(1_024).filter { $0 > 0x20 }
        let mark = start.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return start[mark...].starts(with: Array("{\"log\"".utf8))
    }

    /// Returns rows from ``TimelineExport/jsonLines(_:info:secrets:)``. The header line may be missing.
    package static func jsonLines(
        _ bytes: [UInt8], as reading: RowReading? = nil, maxBytes: Int = TimelineLimits.importBytes,
        maxRows: Int = TimelineLimits.importRows
    ) throws(ImportError) -> [Row] {
        guard bytes.count <= maxBytes else { throw ImportError(.tooLarge, line: 1) }
        var rows: [Row] = []
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 0
        var isFirst = true
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            defer { start = end + 1 }
            line += 1
            let text = bytes[start..<end]
            if text.allSatisfy({ $0 <= 0x20 }) { continue }
            let object = try object(text, line: line)
            if isFirst, object["format"] != nil {
                try checkHeader(object, line: line)
            } else {
                guard rows.count < maxRows else { throw ImportError(.tooManyRows, line: line) }
                rows.append(try row(object, reading, line: line))
            }
            isFirst = false
        }
        return rows
    }

    private static func object(_ text: ArraySlice<UInt8>, line: Int) throws(ImportError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(Array(text))
        } catch {
            throw ImportError(.json(error.reason), line: line)
        }
        guard case .object(let object) = value else { throw ImportError(.notAnObject, line: line) }
        return object
    }

    private static func checkHeader(_ header: JSONObject, line: Int) throws(ImportError) {
        guard header["format"]?.string == TimelineExport.format else {
            throw ImportError(.badValue(member: "format"), line: line)
        }
        guard let version = header["version"]?.integer else {
            throw ImportError(.missing(member: "version"), line: line)
        }
        guard version <= TimelineExport.version else { throw ImportError(.newerVersion(version), line: line) }
    }

    // MARK: Rows

    private static func row(
        _ object: JSONObject, _ reading: RowReading?, line: Int
    ) throws(ImportError) -> Row {
        let reader = MemberReader(object: object, line: line)
        guard let wallTime = try reader.instant("t") else {
            throw ImportError(.missing(member: "t"), line: line)
        }
        let raw = try reader.bytes("raw", "rawBase64") ?? []
        let size = try reader.number("size", Int.self)
        return Row(
            number: try reader.number("n", UInt64.self) ?? 0, time: try reader.instant("mt") ?? wallTime,
            wallTime: wallTime, direction: try reader.choice("dir"), kind: try reader.choice("kind"),
            session: try reader.text("session") ?? "", socket: try reader.number("socket", UInt32.self) ?? 0,
            type: try reader.text("type") ?? "", sequence: try reader.number("seq", UInt64.self), size: size,
            latency: try reader.milliseconds("lat"), status: try reader.number("status", Int.self),
            rule: try reader.text("rule") ?? "", fault: try reader.text("fault") ?? "", raw: raw,
            original: try reader.bytes("mod", "modBase64"), flags: try reader.flags(),
            place: RowPlace(try reader.text("place") ?? ""),
            cause: try reader.number("cause", UInt64.self) ?? 0,
            author: try reader.text("by") ?? "", timer: try reader.text("timer") ?? "", reading: reading)
    }
}

/// Reader of a JSON object's members. Null counts as absent.
struct MemberReader {
    let object: JSONObject
    let line: Int

    func value(_ name: String) -> JSONValue? {
        let value = object[name]
        return value == .null ? nil : value
    }

    func text(_ name: String) throws(ImportError) -> String? {
        try value(name).map { (value) throws(ImportError) in
            guard let text = value.string else { throw bad(name) }
            return text
        }
    }

    func number<Number: FixedWidthInteger>(_ name: String, _: Number.Type) throws(ImportError) -> Number? {
        try value(name).map { (value) throws(ImportError) in
            guard let number = value.integer.flatMap({ Number(exactly: $0) }) else { throw bad(name) }
            return number
        }
    }

    func milliseconds(_ name: String) throws(ImportError) -> Interval? {
        try value(name).map { (value) throws(ImportError) in
            let nanoseconds: Int64? =
                switch value {
                case .integer(let number):
                    number.multipliedReportingOverflow(by: 1_000_000).overflow ? nil : number * 1_000_000
                case .double(let number): Int64(exactly: (number * 1_000_000).rounded())
                default: nil
                }
            guard let nanoseconds else { throw bad(name) }
            return Interval(nanoseconds: nanoseconds)
        }
    }

    func instant(_ name: String) throws(ImportError) -> Instant? {
        try text(name).map { (text) throws(ImportError) in
            guard let nanoseconds = TimeStamp.parse(text) else { throw bad(name) }
            return Instant(nanosecondsSince1970: nanoseconds)
        }
    }

    func choice<Choice: RawRepresentable>(
        _ name: String
    ) throws(ImportError) -> Choice where Choice.RawValue == String {
        guard let text = try text(name) else { throw ImportError(.missing(member: name), line: line) }
        guard let choice = Choice(rawValue: FormerNames.rows[text] ?? text) else { throw bad(name) }
        return choice
    }

    func bytes(_ plain: String, _ encoded: String) throws(ImportError) -> [UInt8]? {
        if let text = try text(plain) { return Array(text.utf8) }
        return try text(encoded).map { (text) throws(ImportError) in
            guard let bytes = Base64.standard.decode(text.utf8, takesStrayBits: true) else {
                throw bad(encoded)
            }
            return bytes
        }
    }

    /// Reads the flags, without unknown words.
    func flags() throws(ImportError) -> Row.Flags {
        guard let value = value("flags") else { return [] }
        guard let words = value.array else { throw bad("flags") }
        return words.reduce(into: Row.Flags()) { flags, word in
            let text = word.string.map { FormerNames.rows[$0] ?? $0 }
            for (name, flag) in Row.Flags.names where text == name.description { flags.insert(flag) }
        }
    }

    private func bad(_ name: String) -> ImportError { ImportError(.badValue(member: name), line: line) }
}
