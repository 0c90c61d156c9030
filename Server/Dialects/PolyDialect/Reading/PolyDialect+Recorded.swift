import ConversationEngine
package import DialectKit
import MessagingWire
import Texts
package import Timeline

/// The inverse of ``PolyEncoder``: events of the engine from recorded frames.
extension PolyDialect {
    package func recorded(_ rows: [Row]) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var seen = Set<EventKey>(minimumCapacity: rows.count)
        let transientTypes = transientTypes
        for row in rows where row.kind == .ws && row.direction == .outbound {
            for element in Self.elements(row.raw) {
                let type = element["type"]?.string ?? ""
                // A batch repeats events. An event with the id of another one is no repetition.
                let key = EventKey(id: element["id"]?.string ?? "", sequence: element["sequence"]?.integer)
                var meaning: Event?
                if case .event(let event) = WireEventReader.read(element) {
                    guard event.payload != .heartbeat else { continue }
                    meaning = Self.meaning(event.payload)
                } else {
                    // A client drops such an event, a comparison names it.
                    guard EventType(rawValue: type) != nil else { continue }
                }
                guard key.id.isEmpty || seen.insert(key).inserted else { continue }
                events.append(
                    RecordedEvent(
                        row: row.number, time: row.time, type: Self.short(type), json: Self.whole(element),
                        meanings: meaning.map { [$0] } ?? [], isTransient: transientTypes.contains(type)))
            }
        }
        return events
    }

    /// Returns the events of a frame; those of a batch in the order of their sequence numbers.
    private static func elements(_ raw: [UInt8]) -> [JSONObject] {
        guard let frame = (try? JSONReader.read(raw, manner: .lenient))?.object else { return [] }
        guard frame["type"]?.string == EventType.eventBatch.rawValue else { return [frame] }
        let events = (frame["payload"]?["events"]?.array ?? []).compactMap { element -> JSONObject? in
            guard var object = element.object, let type = object["type"]?.string else { return nil }
            for place in object.members.indices
            where object.members[place].name == WireEventWriter.oneofKey(type) {
                object.members[place].name = "payload"
            }
            return object
        }
        return events.enumerated().sorted { left, right in
            let (first, second) = (
                left.element["sequence"]?.integer ?? .max, right.element["sequence"]?.integer ?? .max
            )
            return first == second ? left.offset < right.offset : first < second
        }.map(\.element)
    }

    private static func whole(_ event: JSONObject) -> JSONObject {
        guard event["type"]?.string == EventType.agentMessageChunk.rawValue else { return event }
        var event = event
        for place in event.members.indices where event.members[place].name == "payload" {
            guard var payload = event.members[place].value.object else { continue }
            payload.members.removeAll { member in
                switch (member.name, member.value) {
                case ("chunk_index", .integer), ("is_complete", .bool), ("text", .string): true
                default: false
                }
            }
            event.members[place].value = .object(payload)
        }
        return event
    }

    private static func meaning(_ payload: WirePayload) -> Event? {
        switch payload {
        case .sessionStart(let facts, _):
            .sessionStarted(
                SessionStart(
                    isStreaming: facts.streaming, maxMessageBytes: facts.maxMessageSizeBytes,
                    maxReconnectAttempts: facts.maxReconnectAttempts ?? 5,
                    heartbeatIntervalSeconds: facts.heartbeatIntervalSeconds ?? 30))
        case .sessionEnd(WireEndReason.user?): .sessionEnded(.user)
        case .sessionEnd(WireEndReason.abandoned?): .sessionEnded(.abandoned)
        case .sessionEnd: .sessionEnded(.natural)
        case .joinRequest: .joinRequested
        case .userMessage(let id, let text): .userMessage(id: MessageID(stringLiteral: id), text: text)
        case .userTyping, .heartbeat: nil
        case .userEndSession: .userEnded
        case .agentJoined(let name, let avatar):
            .agentJoined(SpeakerProfile(name: name ?? "", avatar: avatar))
        case .agentThinking: .agentThinking
        case .agentMessage(let message): .agentMessage(self.message(message))
        case .agentMessageChunk(let chunk):
            .agentChunk(
                Chunk(
                    messageID: chunk.messageID, index: chunk.index, isComplete: chunk.isComplete,
                    text: chunk.text ?? "", parts: parts(chunk.parts)))
        case .agentLeft(let reason): .agentLeft(reason: reason)
        case .agentTriggeredHandoff: .handoffTriggered
        case .clientHandoffRequired(let reason, let queue, let route):
            .clientHandoffRequired(reason: reason, queueName: queue, route: route)
        case .handoffAccepted(let queue): .handoffAccepted(queueName: queue)
        case .handoffQueueStatus(let status):
            .queueStatus(
                QueueStatus(
                    queueName: status.queueName, position: status.position,
                    estimatedWaitSeconds: status.estimatedWaitSeconds, displayMessage: status.displayMessage))
        case .handoffFailed(let reason): .handoffFailed(reason: reason)
        case .handoffTimeout(let reason): .handoffTimedOut(reason: reason)
        case .liveAgentJoined(let person): .liveAgentJoined(profile(person))
        case .liveAgentTyping(let state, let person):
            .liveAgentTyping(state == .started ? .started : .stopped, profile(person))
        case .liveAgentMessage(let message):
            .liveAgentMessage(self.message(message), profile(message.sender))
        case .liveAgentLeft(let person, let reason): .liveAgentLeft(profile(person), reason: reason)
        case .systemMessage(let level, let words): notice(level, words)
        case .languageChanged(let code): .languageChanged(code: code)
        case .receipt(let type, let id):
            Receipt.allCases.first { PolyEncoder.receiptType($0) == type }.map { .receipt($0, messageID: id) }
        case .messageChanged(let change): meaning(of: change)
        case .sessionIdleWarning: .raw(type: payload.type, payload: "{}")
        case .surveyRequest(let title, let question):
            .raw(
                type: payload.type,
                payload: JSONWriter.line([("title", .string(title)), ("question", .string(question))]))
        case .other(let type, let json): .raw(type: type, payload: json)
        }
    }

    /// Returns the event for an edit or a withdrawal by a speaker other than the user; otherwise nil.
    private static func meaning(of change: WireChange) -> Event? {
        guard change.by != nil, change.by != "user" else { return nil }
        switch change.kind {
        case .text(let text): return .messageChanged(MessageChange(change.messageID, .text(text), by: .agent))
        case .deleted: return .messageChanged(MessageChange(change.messageID, .deleted, by: .agent))
        case .reaction, .file: return nil
        }
    }

    private static func notice(_ level: WireLevel, _ words: String) -> Event {
        let known = KnownProblem.allCases.first { ErrorCatalog.notice($0, detail: nil) == words }
        switch level {
        case .info: return .notice(.info, .words(words))
        case .warning: return .notice(.warning, .words(words))
        case .error: return .notice(.error, known.map { .known($0, detail: nil) } ?? .words(words))
        }
    }

    private static func profile(_ person: WirePerson) -> SpeakerProfile {
        SpeakerProfile(id: person.id ?? "", name: person.name ?? "", avatar: person.avatarURL)
    }

    private static func message(_ message: WireMessage) -> Message {
        Message(id: message.messageID, text: message.text, parts: parts(message.parts))
    }

    private static func parts(_ parts: WireParts) -> MessageParts {
        MessageParts(
            attachments: parts.attachments.map { card in
                // A card of an unknown kind becomes a link without an address.
                Attachment(
                    kind: card.contentType == .image ? .image : .link,
                    url: card.contentType == .unknown ? "" : card.contentURL ?? "",
                    preview: card.previewImageURL, title: card.title, button: card.callToActionText)
            },
            suggestions: parts.suggestions.map { Suggestion(text: $0.messageText, payload: $0.payload) },
            calls: parts.callActions.map { CallAction(title: $0.title, number: $0.contactNumber) },
            endsConversation: parts.endsConversation)
    }
}

/// Id and sequence number of a recorded event. Repetitions of an event have the same.
private struct EventKey: Hashable {
    let id: String
    let sequence: Int64?
}
