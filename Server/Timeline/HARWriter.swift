import Clocks
import Texts

extension TimelineExport {
    /// HAR 1.2: one entry per REST call and per socket; messages of a socket under `_webSocketMessages`.
    ///
    /// "send" means client to server. Control frames and what happened inside the server have no place there.
    /// `_session` and `_socket` carry what HAR has no member for.
    package static func har(_ rows: [Row], info: ExportInfo, secrets: Secrets = .masked) -> [UInt8] {
        var writer = HARWriter(secrets: secrets)
        writer.bytes.reserveCapacity(rows.reduce(1_024) { $0 + $1.weight + 128 })
        JSONWriter.literal("{\"log\":{\"version\":\"1.2\",\"creator\":", into: &writer.bytes)
        info.append(into: &writer.bytes)
        JSONWriter.literal(",\"entries\":[", into: &writer.bytes)
        for (index, entry) in HAREntry.entries(rows).enumerated() {
            JSONWriter.literal(index == 0 ? "\n" : ",\n", into: &writer.bytes)
            writer.write(entry)
        }
        JSONWriter.literal("\n]}}\n", into: &writer.bytes)
        return writer.bytes
    }
}

/// A call, or a socket with its messages.
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

    /// In the order in which they begin.
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
                // A handshake without a row of its answer: the messages say that it was accepted.
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
        literal("{\"startedDateTime\":")
        TimelineExport.append(first.wallTime, into: &bytes)
        let length = self.length(of: entry, from: first)
        literal(",\"time\":")
        TimelineExport.append(milliseconds: length, into: &bytes)
        member(",\"_session\":", first.session)
        if first.socket != 0 {
            literal(",\"_socket\":")
            JSONWriter.integer(UInt64(first.socket), into: &bytes)
        }
        if entry.isSocket { literal(",\"_resourceType\":\"websocket\"") }
        let request = entry.request.map { parts($0) }
        let response = entry.response.map { parts($0) }
        write(request, of: entry, first: first)
        write(response, of: entry)
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

    private struct Parts {
        var text: HTTPText?
        var body: [UInt8]
    }

    private func parts(_ row: Row) -> Parts {
        let raw = secrets.applied(to: row.raw)
        guard let text = HTTPText(raw) else { return Parts(text: nil, body: raw) }
        return Parts(text: text, body: Array(raw[text.bodyStart...]))
    }

    private mutating func write(_ parts: Parts?, of entry: HAREntry, first: Row) {
        let type = secrets.applied(to: first.type).split(separator: " ", maxSplits: 1).map(String.init)
        let words = parts?.text?.words ?? (first.kind == .rest ? type : [])
        let method = words.first ?? "GET"
        let target = words.count > 1 ? words[1] : entry.isSocket ? "/ws" : "/"
        let host = parts?.text?.header("host") ?? "localhost"
        literal(",\"request\":{\"method\":")
        JSONWriter.string(method, into: &bytes)
        literal(",\"url\":")
        let url = target.hasPrefix("/") ? (entry.isSocket ? "ws://" : "http://") + host + target : target
        JSONWriter.string(url, into: &bytes)
        literal(",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[]")
        writeHeaders(parts?.text)
        writeQuery(target)
        literal(",\"headersSize\":-1,\"bodySize\":")
        let body = parts?.body ?? []
        JSONWriter.integer(body.count, into: &bytes)
        if !body.isEmpty {
            literal(",\"postData\":{")
            writeContent(
                body, type: parts?.text?.header("content-type"), encoding: ",\"_encoding\":\"base64\"")
            literal("}")
        }
        literal("}")
    }

    private mutating func write(_ parts: Parts?, of entry: HAREntry) {
        let words = parts?.text?.words ?? []
        literal(",\"response\":{\"status\":")
        let known = entry.response?.status ?? (words.count > 1 ? Int(words[1]) : nil) ?? entry.request?.status
        JSONWriter.integer(known ?? (entry.isSocket ? 101 : 0), into: &bytes)
        literal(",\"statusText\":")
        JSONWriter.string(words.count > 2 ? words[2] : "", into: &bytes)
        literal(",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[]")
        writeHeaders(parts?.text)
        let body = parts?.body ?? []
        literal(",\"content\":{\"size\":")
        JSONWriter.integer(body.count, into: &bytes)
        literal(",")
        writeContent(body, type: parts?.text?.header("content-type"), encoding: ",\"encoding\":\"base64\"")
        literal("},\"redirectURL\":\"\",\"headersSize\":-1,\"bodySize\":")
        JSONWriter.integer(body.count, into: &bytes)
        literal("}")
    }

    private mutating func writeContent(_ body: [UInt8], type: String?, encoding: StaticString) {
        literal("\"mimeType\":")
        JSONWriter.string(type ?? "application/json", into: &bytes)
        let (text, isText) = TimelineExport.quotable(body)
        literal(",\"text\":")
        JSONWriter.string(text, into: &bytes)
        if !isText { literal(encoding) }
    }

    private mutating func writeHeaders(_ text: HTTPText?) {
        literal(",\"headers\":[")
        for (index, header) in (text?.headers ?? []).enumerated() {
            writePair(header.name, header.value, isFirst: index == 0)
        }
        literal("]")
    }

    /// Names and values as they stand in the address.
    private mutating func writeQuery(_ target: String) {
        literal(",\"queryString\":[")
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for (index, pair) in query.split(separator: "&").enumerated() {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            writePair(String(parts[0]), parts.count > 1 ? String(parts[1]) : "", isFirst: index == 0)
        }
        literal("]")
    }

    private mutating func writePair(_ name: String, _ value: String, isFirst: Bool) {
        literal(isFirst ? "{\"name\":" : ",{\"name\":")
        JSONWriter.string(name, into: &bytes)
        literal(",\"value\":")
        JSONWriter.string(value, into: &bytes)
        literal("}")
    }

    private mutating func write(_ messages: [Row]) {
        literal(",\"_webSocketMessages\":[")
        for (index, row) in messages.enumerated() {
            literal(index == 0 ? "\n" : ",\n")
            literal(row.direction == .inbound ? "{\"type\":\"send\"" : "{\"type\":\"receive\"")
            literal(",\"time\":")
            writeSeconds(row.wallTime)
            let (text, isText) = TimelineExport.quotable(secrets.applied(to: row.raw))
            literal(isText ? ",\"opcode\":1,\"data\":" : ",\"opcode\":2,\"data\":")
            JSONWriter.string(text, into: &bytes)
            literal("}")
        }
        literal("]")
    }

    /// Seconds since 1970 with nine fraction digits; times before that have no place in HAR and become 0.
    private mutating func writeSeconds(_ instant: Instant) {
        let nanoseconds = max(0, instant.nanoseconds)
        JSONWriter.integer(nanoseconds / 1_000_000_000, into: &bytes)
        literal(".")
        TimelineExport.appendDigits(nanoseconds % 1_000_000_000, count: 9, into: &bytes)
    }

    private mutating func member(_ name: StaticString, _ text: String) {
        guard !text.isEmpty else { return }
        literal(name)
        JSONWriter.string(text, into: &bytes)
    }

    private mutating func literal(_ text: StaticString) { JSONWriter.literal(text, into: &bytes) }
}
