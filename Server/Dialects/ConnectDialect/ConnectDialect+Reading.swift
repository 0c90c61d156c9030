import Texts
import Timeline

extension ConnectDialect {
    static let reading = RowReading(facts: { facts($0) }, sayings: { sayings($0, $1) })

    private static func item(_ frame: JSONValue) -> JSONValue? {
        guard let text = frame["content"]?.string else { return nil }
        return try? JSONReader.read(Array(text.utf8))
    }

    private static func facts(_ raw: [UInt8]) -> RowIDs {
        guard let frame = try? JSONReader.read(raw), let topic = frame["topic"]?.string else {
            return RowIDs(headOf: raw)
        }
        var facts = RowIDs()
        facts.type = topic
        if let item = item(frame) {
            facts.id = item["Id"]?.string
            facts.messageID = item["MessageMetadata"]?["MessageId"]?.string
            facts.type = item["Type"]?.string
        }
        return facts
    }

    private static func sayings(_ body: [UInt8], _ row: Row) -> [RowSaying] {
        guard let json = try? JSONReader.read(body) else { return [] }
        switch (row.kind, row.direction) {
        case (.ws, .outbound): return item(json).flatMap { saying($0) }.map { [$0] } ?? []
        case (.rest, .inbound):
            guard row.type == "POST /participant/message", let text = words(json) else { return [] }
            return [RowSaying(.user, text: text)]
        case (.rest, .outbound):
            // Sorted by id, because the page may be in descending order.
            return (json["Transcript"]?.array ?? []).compactMap { saying($0) }.sorted { $0.id < $1.id }
        default: return []
        }
    }

    /// Returns a message's text or a file's name; nil for other items.
    private static func saying(_ item: JSONValue) -> RowSaying? {
        guard let id = item["Id"]?.string else { return nil }
        let file = item["Attachments"]?.array?.first?["AttachmentName"]?.string
        guard let text = item["Type"]?.string == "MESSAGE" ? words(item) : file else { return nil }
        let name = item["DisplayName"]?.string
        let speaker: Transcript.Speaker =
            switch item["ParticipantRole"]?.string {
            case Participant.Role.customer.rawValue: .user
            case Participant.Role.agent.rawValue: .liveAgent
            case Participant.Role.system.rawValue where name == Contact.flowName: .system
            default: .agent
            }
        let metadata = item["MessageMetadata"]
        let isPiece = metadata?["MessageCompleted"]?.bool == false
        let number = isPiece ? metadata?["ChunkNumber"]?.integer.flatMap { Int(exactly: $0) } : nil
        return RowSaying(
            id: id, speaker, personID: item["ParticipantId"]?.string, name: name, text: text,
            number.map { .piece($0) } ?? .whole)
    }

    /// Returns the visible text: for an interactive message, its title.
    private static func words(_ message: JSONValue) -> String? {
        guard let content = message["Content"]?.string else { return nil }
        guard message["ContentType"]?.string == ContentType.interactive.rawValue else { return content }
        let title = (try? JSONReader.read(Array(content.utf8)))?["data"]?["content"]?["title"]?.string
        return title ?? content
    }
}
