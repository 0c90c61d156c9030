import RunWire
import Texts
import Timeline

extension AGUIDialect {
    private static let dataField = Array("data: ".utf8)

    static let reading = RowReading(
        facts: { facts(of: $0) }, sayings: { sayings(in: $0, of: $1) },
        following: { reading(after: $0, $1) })

    private static func facts(of raw: [UInt8]) -> RowIDs {
        guard raw.starts(with: dataField) else { return facts(ofRequest: raw) }
        return facts(ofEvent: Array(raw.dropFirst(dataField.count)))
    }

    private static func sayings(in body: [UInt8], of row: Row) -> [RowSaying] {
        guard body.starts(with: dataField) else {
            return row.direction == .inbound ? sayings(ofRequest: body) : []
        }
        return sayings(ofEvent: Array(body.dropFirst(dataField.count)))
    }

    /// Returns the reader for the rows after a `RUN_STARTED` event, or nil.
    private static func reading(after type: String, _ raw: () -> [UInt8]) -> RowReading? {
        guard type == RunEventType.runStarted.rawValue, let run = run(of: raw()) else { return nil }
        return RowReading(
            facts: { raw in
                var facts = facts(of: raw)
                facts.requestID = facts.requestID ?? run
                return facts
            },
            sayings: reading.sayings, following: { reading(after: $0, $1) })
    }

    /// Returns the run's id in an event's row. Without the row's other facts, for 1,200 in place of 7,400 instructions.
    private static func run(of raw: [UInt8]) -> String? {
        guard raw.starts(with: dataField) else { return facts(ofRequest: raw).requestID }
        return raw.withUnsafeBytes { raw in
            let json = raw[dataField.count...].prefix(AGUILimits.shortBytes)
            var cursor = JSONCursor(UnsafeRawBufferPointer(rebasing: json), maxDepth: JSONLimits.maxDepth)
            var run: String?
            do throws(JSONError) {
                try cursor.expect(UInt8(ascii: "{"))
                repeat {
                    let name = cursor.string(try cursor.text())
                    try cursor.expect(UInt8(ascii: ":"))
                    if name == "runId", cursor.peek() == UInt8(ascii: "\"") {
                        run = cursor.string(try cursor.text())
                    } else {
                        try cursor.skip(depth: 1)
                    }
                } while try cursor.isFollowed(close: UInt8(ascii: "}"))
            } catch {
            }
            return run
        }
    }

    private static func facts(ofEvent json: [UInt8]) -> RowIDs {
        var facts = RowIDs()
        // The ids are expected near the beginning of an event.
        let event = json.withUnsafeBytes { scanned(.init(rebasing: $0.prefix(AGUILimits.shortBytes))).texts }
        facts.type = event["type"]?.string
        facts.messageID = event["messageId"]?.string
        facts.callID = event["toolCallId"]?.string
        facts.requestID = event["runId"]?.string
        facts.id = facts.messageID ?? facts.callID ?? facts.requestID
        return facts
    }

    /// Returns the top-level strings and the range of the last message.
    private static func scanned(_ json: UnsafeRawBufferPointer) -> (texts: JSONValue, last: Range<Int>?) {
        var object = JSONObject()
        var last: Range<Int>?
        var cursor = JSONCursor(json, maxDepth: JSONLimits.maxDepth)
        do throws(JSONError) {
            try cursor.expect(UInt8(ascii: "{"))
            repeat {
                let name = cursor.string(try cursor.text())
                try cursor.expect(UInt8(ascii: ":"))
                if cursor.peek() == UInt8(ascii: "\"") {
                    object.members.append(.init(name, .string(cursor.string(try cursor.text()))))
                } else if name == "messages", cursor.consume(UInt8(ascii: "[")) {
                    last = try lastElement(&cursor)
                } else {
                    try cursor.skip(depth: 1)
                }
            } while try cursor.isFollowed(close: UInt8(ascii: "}"))
        } catch {
        }
        return (.object(object), last)
    }

    private static func lastElement(_ cursor: inout JSONCursor) throws(JSONError) -> Range<Int>? {
        if cursor.consume(UInt8(ascii: "]")) { return nil }
        var last: Range<Int>?
        repeat {
            _ = cursor.peek()
            let start = cursor.offset
            try cursor.skip(depth: 2)
            last = start..<cursor.offset
        } while try cursor.isFollowed(close: UInt8(ascii: "]"))
        return last
    }

    private static func sayings(ofEvent json: [UInt8]) -> [RowSaying] {
        guard let event = try? JSONReader.read(json) else { return [] }
        if event["type"]?.string == RunEventType.runFinished.rawValue { return questions(ofEnd: event) }
        guard let id = event["messageId"]?.string else { return [] }
        let part: RowSaying.Part
        switch event["type"]?.string.flatMap(RunEventType.init) {
        case .textStart, .textContent, .textChunk: part = .piece()
        case .textEnd: part = .end
        case .toolResult:
            let content = event["content"] ?? .null
            let text = content.string ?? String(decoding: JSONWriter.bytes(content), as: UTF8.self)
            return [RowSaying(id: id, .tool, text: text)]
        default: return []
        }
        let speaker: Transcript.Speaker = event["role"]?.string == "user" ? .user : .agent
        return [RowSaying(id: id, speaker, text: event["delta"]?.string ?? "", part)]
    }

    /// Returns the questions in a run's last event.
    private static func questions(ofEnd event: JSONValue) -> [RowSaying] {
        (event["outcome"]?["interrupts"]?.array ?? []).compactMap { interrupt in
            guard let id = interrupt["id"]?.string, let text = interrupt["message"]?.string else {
                return nil
            }
            return RowSaying(id: id, .agent, text: text)
        }
    }

    private static func facts(ofRequest raw: [UInt8]) -> RowIDs {
        var facts = RowIDs(headOf: raw)
        guard raw.starts(with: Array("POST ".utf8)), let body = bodyStart(in: raw) else { return facts }
        guard raw.count - body <= AGUILimits.shortBytes else {
            raw.withUnsafeBytes { add(.init(rebasing: $0[body...]), to: &facts) }
            return facts
        }
        guard let input = try? RunInput(reading: Array(raw[body...]), maxBytes: AGUILimits.inputBytes)
        else { return facts }
        facts.requestID = input.runID
        facts.id = input.runID
        guard let last = input.messages.last else { return facts }
        facts.messageID = last.id
        facts.callID = last.toolCallID
        return facts
    }

    private static func add(_ body: UnsafeRawBufferPointer, to facts: inout RowIDs) {
        let (texts, last) = scanned(body)
        guard let run = (texts["runId"] ?? texts["run_id"])?.string else { return }
        (facts.requestID, facts.id) = (run, run)
        guard let last else { return }
        let message = scanned(.init(rebasing: body[last])).texts
        facts.messageID = message["id"]?.string
        facts.callID = (message["toolCallId"] ?? message["tool_call_id"])?.string
    }

    private static func sayings(ofRequest body: [UInt8]) -> [RowSaying] {
        guard let input = try? RunInput(reading: body, maxBytes: AGUILimits.inputBytes) else { return [] }
        let last = input.messages.last
        // A decision gets the run's id: the last message belongs to an earlier row.
        let id = input.resume?.isEmpty == false ? input.runID : last?.id ?? input.runID
        return words(of: input, last).map { [RowSaying(id: id, .user, text: $0)] } ?? []
    }

    /// Returns the new input of a request as text, or nil.
    private static func words(of input: RunInput, _ last: RunMessage?) -> String? {
        if let resume = input.resume, !resume.isEmpty {
            return resume.map { entry in
                let payload =
                    entry.payload.map { " " + String(decoding: JSONWriter.bytes($0), as: UTF8.self) } ?? ""
                return "\(entry.interruptID): \(entry.status.rawValue)\(payload)"
            }.joined(separator: "\n")
        }
        switch last?.role {
        case .user: return last?.content?.text ?? ""
        case .tool:
            return input.messages.reversed().prefix { $0.role == .tool }.reversed().map { answer in
                "\(answer.toolCallID ?? ""): \(answer.error ?? answer.content?.text ?? "")"
            }.joined(separator: "\n")
        default: return nil
        }
    }

    private static func bodyStart(in raw: [UInt8]) -> Int? {
        let gap: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        return raw.indices.first { raw[$0] == 0x0D && raw[$0...].starts(with: gap) }.map { $0 + gap.count }
    }
}
