import Clocks
import Texts

extension TimelineExport {
    /// Returns the rows as HAR 1.2: one entry per HTTP call and socket, with messages in `_webSocketMessages` ("send"
    /// is client to server). Control frames, messages of event streams, and internal events are omitted.
    package static func har(_ rows: [Row], info: ExportInfo, secrets: Secrets = .masked) -> [UInt8] {
        var writer = HARWriter(secrets: secrets)
        writer.bytes.reserveCapacity(rows.reduce(1_024) { $0 + $1.weight + 128 })
        JSONWriter.literal("{\"log\":{\"version\":\"1.2\",\"creator\":", into: &writer.bytes)
        JSONWriter.value(info.json, into: &writer.bytes)
        JSONWriter.literal(",\"entries\":[", into: &writer.bytes)
        for (index, entry) in HAREntry.entries(rows).enumerated() {
            JSONWriter.literal(index == 0 ? "\n" : ",\n", into: &writer.bytes)
            writer.write(entry)
        }
        JSONWriter.literal("\n]}}\n", into: &writer.bytes)
        return writer.bytes
    }
}

/// An HTTP call, or a socket with its messages.
private struct HAREntry {
    var request: Row?
    var response: Row?
    var messages: [Row] = []
    var isSocket = false

    var first: Row? { request ?? response ?? messages.first }

    private enum Key: Hashable {
        case socket(UInt32)
        case other(session: String, type: String)

        init(_ row: Row) {
            self =
                row.socket == 0
                ? .other(session: row.session, type: row.kind == .ws ? "" : row.type) : .socket(row.socket)
        }
    }

    /// Groups rows into entries, in the order of their first rows.
    static func entries(_ rows: [Row]) -> [HAREntry] {
        var entries: [HAREntry] = []
        var calls: [Key: Int] = [:]
        var sockets: [Key: Int] = [:]
        for row in rows where row.direction != .inside {
            let key = Key(row)
            switch (row.kind, row.direction) {
            case (.rest, .inbound):
                calls[key] = entries.count
                entries.append(HAREntry(request: row))
            case (.rest, _):
                if let index = calls.removeValue(forKey: key) {
                    entries[index].response = row
                    guard row.status == 101 else { continue }
                    entries[index].isSocket = true
                    sockets[key] = index
                } else {
                    entries.append(HAREntry(response: row))
                }
            case (.ws, _):
                // A socket with messages was accepted, even without a row of the handshake's response.
                let index = sockets[key] ?? calls.removeValue(forKey: key) ?? entries.count
                if index == entries.count { entries.append(HAREntry()) }
                entries[index].isSocket = true
                entries[index].messages.append(row)
                sockets[key] = index
            default: break
            }
        }
        return entries
    }
}

private struct HARWriter {
    let secrets: Secrets
    var bytes: [UInt8] = []

    mutating func write(_ entry: HAREntry) {
        guard let first = entry.first else { return }
        let length = self.length(of: entry, from: first)
        literal("{\"startedDateTime\":")
        TimelineExport.append(first.wallTime, into: &bytes)
        literal(",\"time\":")
        TimelineExport.append(milliseconds: length, into: &bytes)
        if !first.session.isEmpty { member(",\"_session\":", .string(first.session)) }
        if first.socket != 0 { member(",\"_socket\":", .integer(Int64(first.socket))) }
        if entry.isSocket { literal(",\"_resourceType\":\"websocket\"") }
        member(",\"request\":", request(Message(entry.request, secrets), of: entry, first))
        member(",\"response\":", response(Message(entry.response, secrets), of: entry))
        literal(",\"cache\":{},\"timings\":{\"send\":0,\"wait\":")
        TimelineExport.append(milliseconds: length, into: &bytes)
        literal(",\"receive\":0}")
        if entry.isSocket { write(entry.messages) }
        literal("}")
    }

    private func length(of entry: HAREntry, from first: Row) -> Interval {
        if let latency = entry.response?.latency ?? entry.request?.latency { return latency }
        let last = entry.messages.last ?? entry.response ?? first
        return max(.zero, last.wallTime.since(first.wallTime))
    }

    private struct Message {
        var text: HTTPText?
        var body: [UInt8] = []

        init(_ row: Row?, _ secrets: Secrets) {
            guard let row else { return }
            let raw = secrets.applied(to: row.raw)
            text = HTTPText(raw)
            body = text.map { Array(raw[$0.bodyStart...]) } ?? raw
        }

        var size: JSONValue { .integer(Int64(body.count)) }
        var headers: JSONValue { HARWriter.pairs((text?.headers ?? []).map { ($0.name, $0.value) }) }

        /// `encoding` is the name of the member that marks the text as Base64.
        func content(encoding: String) -> [(String, JSONValue?)] {
            let (quoted, isText) = TimelineExport.quotable(body)
            return [
                ("mimeType", .string(text?.header("content-type") ?? "application/json")),
                ("text", .string(quoted)), (encoding, isText ? nil : .string("base64")),
            ]
        }
    }

    private func request(_ message: Message, of entry: HAREntry, _ first: Row) -> JSONValue {
        let type = secrets.applied(to: first.type).split(separator: " ", maxSplits: 1).map(String.init)
        let words = message.text?.words ?? (first.kind == .rest ? type : [])
        let target = words.count > 1 ? words[1] : entry.isSocket ? "/ws" : "/"
        let host = message.text?.header("host") ?? "localhost"
        let url = target.hasPrefix("/") ? (entry.isSocket ? "ws://" : "http://") + host + target : target
        let posted = message.body.isEmpty ? nil : Self.object(message.content(encoding: "_encoding"))
        return Self.object([
            ("method", .string(words.first ?? "GET")), ("url", .string(url)),
            ("httpVersion", .string("HTTP/1.1")), ("cookies", .array([])), ("headers", message.headers),
            ("queryString", Self.query(target)), ("headersSize", .integer(-1)), ("bodySize", message.size),
            ("postData", posted),
        ])
    }

    private func response(_ message: Message, of entry: HAREntry) -> JSONValue {
        let words = message.text?.words ?? []
        let known = entry.response?.status ?? (words.count > 1 ? Int(words[1]) : nil) ?? entry.request?.status
        return Self.object([
            ("status", .integer(Int64(known ?? (entry.isSocket ? 101 : 0)))),
            ("statusText", .string(words.count > 2 ? words[2] : "")), ("httpVersion", .string("HTTP/1.1")),
            ("cookies", .array([])), ("headers", message.headers),
            (
                "content",
                Self.object([("size", message.size as JSONValue?)] + message.content(encoding: "encoding"))
            ),
            ("redirectURL", .string("")), ("headersSize", .integer(-1)), ("bodySize", message.size),
        ])
    }

    /// Returns the names and values of the query, still percent-encoded.
    private static func query(_ target: String) -> JSONValue {
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return pairs(
            query.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            })
    }

    private static func pairs(_ pairs: [(String, String)]) -> JSONValue {
        .array(pairs.map { object([("name", .string($0)), ("value", .string($1))]) })
    }

    private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(JSONObject(present: members))
    }

    private mutating func write(_ messages: [Row]) {
        literal(",\"_webSocketMessages\":[")
        for (index, row) in messages.enumerated() {
            literal(index == 0 ? "\n" : ",\n")
            literal(row.direction == .inbound ? "{\"type\":\"send\"" : "{\"type\":\"receive\"")
            literal(",\"time\":")
            writeSeconds(row.wallTime)
            let (text, isText) = TimelineExport.quotable(secrets.applied(to: row.raw))
            member(isText ? ",\"opcode\":1,\"data\":" : ",\"opcode\":2,\"data\":", .string(text))
            literal("}")
        }
        literal("]")
    }

    /// Writes seconds since 1970 with nine fraction digits.
    private mutating func writeSeconds(_ instant: Instant) {
        let nanoseconds = max(0, instant.nanoseconds)
        JSONWriter.integer(nanoseconds / 1_000_000_000, into: &bytes)
        literal(".")
        TimelineExport.appendDigits(nanoseconds % 1_000_000_000, count: 9, into: &bytes)
    }

    private mutating func member(_ name: StaticString, _ value: JSONValue) {
        literal(name)
        JSONWriter.value(value, into: &bytes)
    }

    private mutating func literal(_ text: StaticString) { JSONWriter.literal(text, into: &bytes) }
}
