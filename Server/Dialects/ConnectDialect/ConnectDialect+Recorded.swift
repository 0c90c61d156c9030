import ConversationEngine
package import DialectKit
import Texts
package import Timeline

/// The inverse of a contact's encoder: events of the engine from recorded items.
extension ConnectDialect {
    package func recorded(_ rows: [Row]) -> [RecordedEvent] {
        var seen: Set<String> = []
        var reader = ItemReader()
        var events = rows.compactMap { row -> RecordedEvent? in
            guard row.kind == .ws, row.direction == .outbound, var item = Self.item(row.raw),
                let type = (item["ContentType"] ?? item["Type"])?.string
            else { return nil }
            let piece = item["MessageMetadata"]?["ChunkNumber"]?.integer
            // An item with the id of another one is no repetition.
            let names = ["Id", "Type", "AbsoluteTime"].compactMap { item[$0]?.string }
            let key = names.joined(separator: " ") + (piece.map { " \($0)" } ?? "")
            guard seen.insert(key).inserted else { return nil }
            let meanings = reader.meanings(of: .object(item), type)
            if piece != nil { item.members.removeAll { $0.name == "MessageMetadata" } }
            let isTransient = item["Type"]?.string == "MESSAGEMETADATA" || !Self.isKept(type)
            return RecordedEvent(
                row: row.number, time: row.time, type: Self.name(type), json: item, meanings: meanings,
                isTransient: isTransient)
        }
        guard !reader.hasScriptedReceipts else { return events }
        for place in events.indices {
            if case .receipt? = events[place].meanings.first { events[place].meanings = [] }
        }
        return events
    }

    private static func item(_ raw: [UInt8]) -> JSONObject? {
        guard let frame = try? JSONReader.read(raw, manner: .lenient), let text = frame["content"]?.string
        else { return nil }
        return (try? JSONReader.read(Array(text.utf8), manner: .lenient))?.object
    }

    private static func name(_ type: String) -> String {
        type.hasPrefix(ContactEvent.prefix) ? String(type.dropFirst(ContactEvent.prefix.count)) : type
    }

    private static func isKept(_ type: String) -> Bool {
        type.hasPrefix(ContactEvent.prefix) ? ContactEvent(rawValue: name(type))?.isKept ?? false : true
    }
}

private struct ItemReader {
    /// The last message of the bot or the agent, to which cards and files are added.
    private var last: (id: String, sender: String)?
    private var streamed: [String: String] = [:]
    private var isWaiting = false
    private var isLeft = false
    private var agents: Set<String> = []
    private var received: Set<String> = []
    /// Whether the script sends receipts.
    private(set) var hasScriptedReceipts = false

    mutating func meanings(of item: JSONValue, _ type: String) -> [Event] {
        let role = item["ParticipantRole"]?.string.flatMap { Participant.Role(rawValue: $0) }
        let person = SpeakerProfile(
            id: item["ParticipantId"]?.string ?? "", name: item["DisplayName"]?.string ?? "")
        let id = item["Id"]?.string ?? ""
        if type.hasPrefix(ContactEvent.prefix) {
            guard let event = ContactEvent(rawValue: String(type.dropFirst(ContactEvent.prefix.count)))
            else { return item["Type"]?.string == "MESSAGEMETADATA" ? receipts(item) : [] }
            return meaning(of: event, item, role, person)
        }
        let isFile = item["Type"]?.string == "ATTACHMENT"
        if isFile, let file = item["Attachments"]?.array?.first {
            let (name, type) = (file["AttachmentName"]?.string ?? "", file["ContentType"]?.string ?? "")
            guard role != .customer else {
                return file["Status"]?.string == Item.File.Status.approved.rawValue
                    ? [.userFile(UserFile(name: name, type: type, byteCount: 0))] : []
            }
            let card = Attachment(kind: .file, url: "data:\(type),", title: name)
            return said("", MessageParts(attachments: [card]), of: id, role, person, isCard: true)
        }
        guard let content = item["Content"]?.string else { return [] }
        if role == .customer {
            last = nil
            return [.userMessage(id: MessageID(stringLiteral: id), text: content)]
        }
        if role == .system, person.name == Contact.flowName { return [remark(content)] }
        var (text, parts, isCard) = (content, MessageParts(), false)
        let before = streamed[id]
        if type == ContentType.interactive.rawValue {
            guard let lifted = Self.card(content) else { return [] }
            (text, parts, isCard) = lifted
        }
        if let number = item["MessageMetadata"]?["ChunkNumber"]?.integer {
            let isComplete = item["MessageMetadata"]?["MessageCompleted"]?.bool ?? true
            last = (id, person.id)
            streamed[id] = (before ?? "") + text
            if isComplete, let before {
                // The lines after the streamed text are suggestions.
                let lines = text.hasPrefix(before) ? text.dropFirst(before.count).split(separator: "\n") : []
                parts.suggestions += lines.filter { $0.hasPrefix("- ") }.map {
                    Suggestion(text: String($0.dropFirst(2)))
                }
                text = ""
            }
            return [
                .agentChunk(
                    Chunk(
                        messageID: id, index: Int(clamping: number), isComplete: isComplete, text: text,
                        parts: parts))
            ]
        }
        return said(isCard ? "" : text, parts, of: id, role, person, isCard: isCard)
    }

    /// Returns the event for a message.
    private mutating func said(
        _ text: String, _ parts: MessageParts, of id: String, _ role: Participant.Role?,
        _ person: SpeakerProfile, isCard: Bool
    ) -> [Event] {
        var id = id
        if isCard, let last, last.sender == person.id { id = last.id }
        last = (id, person.id)
        let message = Message(id: id, text: text, parts: parts)
        return [role == .agent ? .liveAgentMessage(message, person) : .agentMessage(message)]
    }

    private mutating func meaning(
        of event: ContactEvent, _ item: JSONValue, _ role: Participant.Role?, _ person: SpeakerProfile
    ) -> [Event] {
        if event != .idle, event != .returned { last = nil }
        switch (event, role) {
        case (.joined, .customer?): return [.joinRequested]
        case (.joined, .agent?):
            isWaiting = false
            agents.insert(person.id)
            return [.liveAgentJoined(person)]
        case (.joined, _): return []
        case (.left, .agent?): return [.liveAgentLeft(person, reason: nil)]
        case (.left, .customer?):
            isLeft = true
            return [.userEnded]
        case (.invited, _):
            isWaiting = true
            return [.handoffAccepted(queueName: person.name == "Agent" ? nil : person.name)]
        case (.typing, .agent?): return [.liveAgentTyping(.started, person)]
        case (.typing, .customer?), (.left, _), (.transferSucceeded, _), (.idle, .customer?): return []
        case (.typing, _): return [.agentThinking]
        case (.transferFailed, _):
            isWaiting = true
            return []
        case (.idle, _): return [.liveAgentStatus(.idle, person)]
        case (.returned, _): return [.liveAgentStatus(.returned, person)]
        case (.ended, _): return [.sessionEnded(isLeft ? .user : .natural)]
        default: return [.raw(type: event.contentType, payload: "{}")]
        }
    }

    /// Returns the event for a message of the contact flow: a place in the queue, a failed handoff, or a notice.
    private mutating func remark(_ text: String) -> Event {
        last = nil
        let words = text.split(separator: " ")
        if text.hasPrefix("You are number "), text.hasSuffix(" in line."), let place = Int(words[3]) {
            isWaiting = true
            return .queueStatus(QueueStatus(position: place))
        }
        if isWaiting {
            isWaiting = false
            return .handoffFailed(reason: text == "No agent is available." ? nil : text)
        }
        return .notice(.info, .words(text))
    }

    private mutating func receipts(_ item: JSONValue) -> [Event] {
        guard let message = item["MessageMetadata"]?["MessageId"]?.string,
            let mark = item["MessageMetadata"]?["Receipts"]?.array?.first
        else { return [] }
        let isRead = mark["ReadTimestamp"] != nil
        let isFirst = received.insert(message).inserted
        let isAgents = agents.contains(mark["RecipientParticipantId"]?.string ?? "")
        if !isAgents || isRead && isFirst { hasScriptedReceipts = true }
        return [.receipt(isRead ? .agentRead : .agentReceived, messageID: message)]
    }

    // MARK: - Interactive messages

    private static func card(_ content: String) -> (text: String, MessageParts, isCard: Bool)? {
        guard let json = try? JSONReader.read(Array(content.utf8)), let data = json["data"]?["content"]
        else { return nil }
        let title = data["title"]?.string ?? ""
        let elements = data["elements"]?.array ?? []
        if let view = data["viewId"]?.string {
            return ("", MessageParts(attachments: [Attachment(kind: .form, url: view)]), true)
        }
        if let url = elements.first?["url"]?.string, elements.count == 1 {
            let caption = elements[0]["title"]?.string ?? ""
            if url.hasPrefix("tel:") {
                return ("", MessageParts(calls: [CallAction(title: title, number: caption)]), true)
            }
            let card = Attachment(
                kind: .link, url: url, preview: data["imageData"]?.string, title: title == url ? nil : title,
                button: caption == title ? nil : caption)
            return ("", MessageParts(attachments: [card]), true)
        }
        let slots = data["timeslots"]?.array ?? []
        let suggestions =
            slots.compactMap { slot in
                slot["date"]?.string.map { time in
                    Suggestion(text: time, form: .at(time, minutes: Int(slot["duration"]?.integer ?? 60)))
                }
            }
            + elements.flatMap { element -> [Suggestion] in
                let inner = element["data"]?["content"]
                let heading = inner?["title"]?.string
                return (inner?["elements"]?.array ?? [element]).compactMap { choice in
                    choice["title"]?.string.map {
                        Suggestion(text: $0, form: heading.map { .under($0) } ?? .plain)
                    }
                }
            }
        return (title, MessageParts(suggestions: suggestions), title == "Please choose")
    }
}
