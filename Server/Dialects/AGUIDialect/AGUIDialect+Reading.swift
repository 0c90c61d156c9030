import RunWire
import Texts
import Timeline

extension AGUIDialect {
    private static let dataField = Array("data: ".utf8)

    /// The ids of events and requests in rows, and what they say.
    static let reading = RowReading(of: "ag-ui") { raw in
        guard raw.starts(with: dataField) else { return facts(ofRequest: raw) }
        return facts(ofEvent: Array(raw.dropFirst(dataField.count)))
    }

    private static func facts(ofEvent json: [UInt8]) -> RowFacts {
        var facts = RowFacts()
        guard let event = try? JSONReader.read(json) else { return facts }
        facts.type = event["type"]?.string
        facts.messageID = event["messageId"]?.string
        facts.callID = event["toolCallId"]?.string
        facts.requestID = event["runId"]?.string
        facts.id = facts.messageID ?? facts.callID ?? facts.requestID
        let part: RowFacts.Speech.Part
        switch facts.type.flatMap(RunEventType.init) {
        case .textStart: part = .begin
        case .textContent, .textChunk: part = .piece
        case .textEnd: part = .end
        default: return facts
        }
        guard let id = facts.messageID else { return facts }
        let speaker: Transcript.Speaker = event["role"]?.string == "user" ? .user : .agent
        facts.speech = RowFacts.Speech(speaker, id: id, text: event["delta"]?.string ?? "", part)
        return facts
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
        if last.role == .user, input.resume?.isEmpty ?? true {
            facts.speech = RowFacts.Speech(.user, id: last.id, text: last.content?.text ?? "", .whole)
        }
        return facts
    }

    private static func bodyStart(in raw: [UInt8]) -> Int? {
        let gap: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        return raw.indices.first { raw[$0] == 0x0D && raw[$0...].starts(with: gap) }.map { $0 + gap.count }
    }
}
