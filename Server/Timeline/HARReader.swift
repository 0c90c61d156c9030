import Clocks
import Texts

extension TimelineImport {
    /// Returns the rows of a HAR file in order of time.
    package static func har(
        _ bytes: [UInt8], as reading: RowReading? = nil, maxBytes: Int = TimelineLimits.importBytes,
        maxRows: Int = TimelineLimits.importRows
    ) throws(ImportError) -> [Row] {
        guard bytes.count <= maxBytes else { throw ImportError(.tooLarge, line: 1) }
        let value: JSONValue
        do throws(JSONError) {
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            value = try JSONReader.read(text, maxBytes: maxBytes)
        } catch {
            throw ImportError(.json(error.reason), line: HARLines.line(at: error.offset, of: bytes))
        }
        guard case .object = value else { throw ImportError(.notAnObject, line: 1) }
        guard let log = value["log"] else { throw ImportError(.missing(member: "log"), line: 1) }
        guard let entries = log["entries"]?.array else {
            throw ImportError(.missing(member: "log.entries"), line: 1)
        }
        let lines = HARLines.entries(of: bytes)
        var rows: [Row] = []
        // The rows of an entry keep their order, even if the clock was set back meanwhile.
        var times: [Instant] = []
        for (index, entry) in entries.enumerated() {
            let line = index < lines.count ? lines[index] : 1
            guard case .object(let object) = entry else { throw ImportError(.notAnObject, line: line) }
            let reader = try HAREntryReader(object, reading, index: index, line: line)
            try reader.read(into: &rows)
            var latest = reader.latestStart
            for place in times.count..<rows.count {
                latest = max(latest, rows[place].wallTime)
                times.append(latest)
            }
            guard rows.count <= maxRows else { throw ImportError(.tooManyRows, line: line) }
        }
        let order = rows.indices.sorted { left, right in
            times[left] == times[right] ? left < right : times[left] < times[right]
        }
        if !order.elementsEqual(rows.indices) { rows = order.map { rows[$0] } }
        for place in rows.indices { rows[place].number = UInt64(place) + 1 }
        return rows
    }
}

private struct HAREntryReader {
    private let reader: MemberReader
    private let reading: RowReading?
    private let request: MemberReader
    private let response: MemberReader
    private let start: Instant
    private let session: String
    private let socket: UInt32
    private let messages: [JSONValue]?

    init(_ object: JSONObject, _ reading: RowReading?, index: Int, line: Int) throws(ImportError) {
        self.reading = reading
        reader = MemberReader(object: object, line: line)
        guard let start = try reader.instant("startedDateTime") else {
            throw ImportError(.missing(member: "startedDateTime"), line: line)
        }
        guard let request = object["request"]?.object else {
            throw ImportError(.missing(member: "request"), line: line)
        }
        self.start = start
        self.request = MemberReader(object: request, line: line)
        response = MemberReader(object: object["response"]?.object ?? JSONObject(), line: line)
        let isSocket = object["_resourceType"]?.string == "websocket"
        messages = object["_webSocketMessages"]?.array ?? (isSocket ? [] : nil)
        session = object["_session"]?.string ?? ""
        // An entry without a socket's number gets its position in the file, from 1.
        socket = object["_socket"]?.integer.flatMap { UInt32(exactly: $0) } ?? UInt32(index) + 1
    }

    /// Latest time at which the entry can have begun: browsers and proxies cut the start of a call to milliseconds, but
    /// not the times of messages.
    var latestStart: Instant {
        let isCut =
            messages == nil && reader.object["_socket"] == nil && start.nanoseconds % 1_000_000 == 0
        return isCut ? start + .microseconds(999) : start
    }

    func read(into rows: inout [Row]) throws(ImportError) {
        // A WebSocket without headers was exported without the rows of its handshake.
        if messages == nil || !headers(request).isEmpty { rows += try call() }
        for message in messages ?? [] {
            if let row = try row(message) { rows.append(row) }
        }
    }

    // MARK: Calls

    private func call() throws(ImportError) -> [Row] {
        let method = try request.text("method") ?? "GET"
        let target = Self.target(try request.text("url") ?? "/")
        let type = "\(method) \(target.prefix { $0 != "?" })"
        let posted = MemberReader(
            object: request.object["postData"]?.object ?? JSONObject(), line: reader.line)
        let sent = try content(posted, encoding: "_encoding")
        var rows = [
            row(
                .inbound, at: start, type: type,
                raw: Self.text("\(method) \(target) HTTP/1.1", headers(request), sent))
        ]
        guard let status = try response.number("status", Int.self), status > 0 else { return rows }
        let latency = try reader.milliseconds("time")
        let got = MemberReader(object: response.object["content"]?.object ?? JSONObject(), line: reader.line)
        let reason = try response.text("statusText") ?? ""
        var answer = row(
            .outbound, at: messages == nil ? start + (latency ?? .zero) : start, type: type,
            raw: Self.text(
                "HTTP/1.1 \(status) \(reason)", headers(response), try content(got, encoding: "encoding")))
        answer.status = status
        answer.latency = messages == nil ? latency : nil
        rows.append(answer)
        return rows
    }

    private func row(_ direction: Row.Direction, at time: Instant, type: String, raw: [UInt8]) -> Row {
        Row(
            time: time, direction: direction, kind: .rest, session: session, socket: socket, type: type,
            raw: raw, reading: reading)
    }

    private func headers(_ message: MemberReader) -> [(name: String, value: String)] {
        (message.object["headers"]?.array ?? []).compactMap { header in
            guard let name = header["name"]?.string, let value = header["value"]?.string else { return nil }
            // HTTP/2 pseudo-headers such as `:path` repeat the request line.
            return name.hasPrefix(":") ? nil : (name, value)
        }
    }

    private func content(_ content: MemberReader, encoding: String) throws(ImportError) -> [UInt8] {
        guard let text = try content.text("text") else { return [] }
        guard try content.text(encoding) == "base64" else { return Array(text.utf8) }
        return try base64(text, "text")
    }

    private static func text(
        _ startLine: String, _ headers: [(name: String, value: String)], _ body: [UInt8]
    ) -> [UInt8] {
        guard !headers.isEmpty else { return body }
        var raw = Array("\(startLine)\r\n".utf8)
        for header in headers { raw += "\(header.name): \(header.value)\r\n".utf8 }
        return raw + Array("\r\n".utf8) + body
    }

    private static func target(_ url: String) -> String {
        guard let scheme = url.firstPlace(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        let target = rest[slash...].prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }

    // MARK: Messages

    private func row(_ message: JSONValue) throws(ImportError) -> Row? {
        guard case .object(let object) = message else {
            throw ImportError(.badValue(member: "_webSocketMessages"), line: reader.line)
        }
        let direction: Row.Direction
        switch object["type"]?.string {
        case "send": direction = .inbound
        case "receive": direction = .outbound
        default: return nil
        }
        guard let data = object["data"]?.string else {
            throw ImportError(.missing(member: "_webSocketMessages.data"), line: reader.line)
        }
        let isBinary = object["opcode"]?.integer == 2
        let raw = isBinary ? try base64(data, "_webSocketMessages.data") : Array(data.utf8)
        let facts = reading?.facts(raw) ?? RowIDs()
        return Row(
            time: time(object["time"]) ?? start, direction: direction, kind: .ws, session: session,
            socket: socket, type: facts.type.map { reading?.names.short($0) ?? $0 } ?? "",
            sequence: facts.sequence, raw: raw, reading: reading)
    }

    /// Reads a time in seconds, as browsers and proxies write it, or in milliseconds, as Playwright does.
    private func time(_ value: JSONValue?) -> Instant? {
        let number: Double
        switch value {
        case .integer(let seconds): number = Double(seconds)
        case .double(let seconds): number = seconds
        default: return nil
        }
        // Until the year 2255.
        let limit = 9_000_000_000.0
        guard abs(number) < limit * 1_000,
            let microseconds = Int64(exactly: (number * (abs(number) < limit ? 1_000_000 : 1_000)).rounded())
        else { return nil }
        return Instant(nanosecondsSince1970: microseconds * 1_000)
    }

    private func base64(_ text: String, _ member: String) throws(ImportError) -> [UInt8] {
        guard let bytes = Base64.standard.decode(text.utf8, takesStrayBits: true) else {
            throw ImportError(.badValue(member: member), line: reader.line)
        }
        return bytes
    }
}

private enum HARLines {
    static func line(at offset: Int, of bytes: [UInt8]) -> Int {
        bytes.prefix(offset).reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    }

    /// Returns the line on which each element of `log.entries` begins.
    static func entries(of bytes: [UInt8]) -> [Int] {
        var lines: [Int] = []
        var line = 1
        var depth = 0
        var isInEntries = false
        var name = 0..<0
        var textStart: Int?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A { line += 1 }
            if let start = textStart {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") {
                    name = start..<index
                    textStart = nil
                }
                index += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): textStart = index + 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == 3, isInEntries { lines.append(line) }
                if depth == 2, byte == UInt8(ascii: "["), bytes[name].elementsEqual("entries".utf8) {
                    isInEntries = true
                }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 2 { isInEntries = false }
            default: break
            }
            index += 1
        }
        return lines
    }
}
