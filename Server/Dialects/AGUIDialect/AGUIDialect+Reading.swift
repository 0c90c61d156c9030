import RunWire
import Texts
import Timeline

extension AGUIDialect {
    private static let dataField = Array("data: ".utf8)

    /// The ids of events and requests in rows, and what they say.
    static let reading = RowReading(
        of: "ag-ui",
        facts: { raw in
            raw.starts(with: dataField)
                ? facts(ofEvent: Array(raw.dropFirst(dataField.count))) : facts(ofRequest: raw)
        },
        sayings: { body, row in
            if body.starts(with: dataField) {
                return sayings(ofEvent: Array(body.dropFirst(dataField.count)))
            }
            return row.direction == .inbound ? sayings(ofRequest: body) : []
        })

    private static func facts(ofEvent json: [UInt8]) -> RowFacts {
        var facts = RowFacts()
        guard let event = try? JSONReader.read(json) else { return facts }
        facts.type = event["type"]?.string
        facts.messageID = event["messageId"]?.string
        facts.callID = event["toolCallId"]?.string
        facts.requestID = event["runId"]?.string
        facts.id = facts.messageID ?? facts.callID ?? facts.requestID
        return facts
    }

    private static func sayings(ofEvent json: [UInt8]) -> [RowSaying] {
        guard let event = try? JSONReader.read(json), let id = event["messageId"]?.string else { return [] }
        let part: RowSaying.Part
        switch event["type"]?.string.flatMap(RunEventType.init) {
        case .textStart, .textContent, .textChunk: part = .piece()
        case .textEnd: part = .end
        default: return []
        }
        let speaker: Transcript.Speaker = event["role"]?.string == "user" ? .user : .agent
        return [RowSaying(id: id, speaker, text: event["delta"]?.string ?? "", part)]
    }

    /// Only the last message of a request is new.
    private static func facts(ofRequest raw: [UInt8]) -> RowFacts {
        var facts = RowFacts(raw)
        guard raw.starts(with: Array("POST ".utf8)), let body = bodyStart(in: raw),
            let input = try? RunInput(reading: Array(raw[body...]), maxBytes: AGUILimits.inputBytes)
        else { return facts }
        facts.requestID = input.runID
        facts.id = input.runID
        guard let last = input.messages.last else { return facts }
        facts.messageID = last.id
        facts.callID = last.toolCallID
        return facts
    }

    private static func sayings(ofRequest body: [UInt8]) -> [RowSaying] {
        guard let input = try? RunInput(reading: body, maxBytes: AGUILimits.inputBytes),
            let last = input.messages.last, last.role == .user, input.resume?.isEmpty ?? true
        else { return [] }
        return [RowSaying(id: last.id, .user, text: last.content?.text ?? "")]
    }

    private static func bodyStart(in raw: [UInt8]) -> Int? {
        let gap: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        return raw.indices.first { raw[$0] == 0x0D && raw[$0...].starts(with: gap) }.map { $0 + gap.count }
    }
}
