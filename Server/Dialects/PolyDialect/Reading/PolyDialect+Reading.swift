import ConversationEngine
import MessagingWire
import Texts
package import Timeline

extension PolyDialect {
    package static let reading = RowReading(
        names: EventNames(types, prefix: EventType.prefix, example: short(EventType.userMessage.rawValue)),
        facts: { RowIDs(event: $0) },
        sayings: { sayings($0, $1) },
        text: { JournalEntry($0).map { PolyEncoder.text(of: $0) } ?? [] })

    private static func sayings(_ raw: [UInt8], _ row: Row) -> [RowSaying] {
        guard row.kind == .ws else { return [] }
        if row.direction == .inbound {
            guard case .message(let text) = ClientEventReader.read(raw).content else { return [] }
            let facts = RowIDs(event: raw)
            var saying = RowSaying(.user, text: text, .draft)
            saying.localID = facts.localID ?? facts.clientEventID
            return [saying]
        }
        return switch WireEventReader.read(raw) {
        case .event(let event): saying(event).map { [$0] } ?? []
        case .batch(let events, _, _): events.compactMap(saying)
        case .dropped: []
        }
    }

    private static func saying(_ event: WireEvent) -> RowSaying? {
        var saying: RowSaying
        switch event.payload {
        case .userMessage(let id, let text):
            saying = RowSaying(id: id, .user, text: text)
            saying.localID = event.metadata?.custom?["local_id"] ?? event.metadata?.custom?["client_event_id"]
        case .agentJoined(let name, _): saying = RowSaying(.agent, name: name, .joining)
        case .agentMessage(let message): saying = whole(message, .agent)
        case .agentMessageChunk(let chunk):
            saying = RowSaying(
                id: chunk.messageID, .agent, text: chunk.text ?? "",
                .chunk(chunk.index, isLast: chunk.isComplete))
            saying.parts = exported(chunk.parts)
        case .liveAgentJoined(let person):
            saying = RowSaying(.liveAgent, personID: person.id, name: person.name, .joining)
        case .liveAgentMessage(let message): saying = whole(message, .liveAgent)
        case .messageChanged(let change):
            let words = "\(change.by ?? "user"): \(MessageChange(change).words)"
            saying = RowSaying(.system, text: words, .notice)
        case .systemMessage(_, let message): saying = RowSaying(.system, text: message, .notice)
        default: return nil
        }
        saying.event = event.id
        saying.sequence = event.sequence
        return saying
    }

    private static func whole(_ message: WireMessage, _ speaker: Transcript.Speaker) -> RowSaying {
        var saying = RowSaying(
            id: message.messageID, speaker, personID: message.sender.id, name: message.sender.name,
            text: message.text)
        saying.parts = exported(message.parts)
        return saying
    }

    private static func exported(_ parts: WireParts) -> [JSONValue] {
        let cards = parts.attachments.map { attachment in
            JSONValue.object(
                JSONObject(present: [
                    ("part", .string("attachment")),
                    ("contentType", .string(attachment.contentType.rawValue)),
                    ("contentURL", attachment.contentURL.map { .string($0) }),
                    ("title", attachment.title.map { .string($0) }),
                    ("previewImageURL", attachment.previewImageURL.map { .string($0) }),
                    ("callToActionText", attachment.callToActionText.map { .string($0) }),
                ]))
        }
        let answers = parts.suggestions.map { suggestion in
            JSONValue.object(
                JSONObject(present: [
                    ("part", .string("suggestion")), ("messageText", .string(suggestion.messageText)),
                    ("payload", suggestion.payload.map { .string($0) }),
                ]))
        }
        let calls = parts.callActions.map { action in
            JSONValue.object(
                JSONObject(present: [
                    ("part", .string("callAction")), ("title", .string(action.title)),
                    ("contactNumber", .string(action.contactNumber)),
                ]))
        }
        return cards + answers + calls
    }
}
