package import Clocks
package import MessagingWire

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Turns frames of the wire into public events, and outgoing events into frames (protocol.md#server-envelope).
///
/// Ids of suggestions and call actions, which the wire does not have, come from the generator.
package struct WireMapping: Sendable {
    /// What a text frame held.
    package struct Inbound: Sendable, Equatable {
        /// In the order of their sequence; events without one last.
        package var events: [MessagingEvent] = []
        /// True when they came as one batch.
        package var isBatch = false
        /// Why something was left out, for the log; names types and counts, never contents.
        package var notes: [String] = []
    }

    private var generator: SeededGenerator

    package init(generator: SeededGenerator) {
        self.generator = generator
    }

    /// Reads one text frame. Events without a time of their own happen at `now`.
    package mutating func read(_ frame: [UInt8], at now: Instant) -> Inbound {
        var inbound = Inbound()
        switch WireEventReader.read(frame) {
        case .event(let event): take(event, at: now, into: &inbound)
        case .batch(let events, let droppedCount):
            inbound.isBatch = true
            if droppedCount > 0 { inbound.notes.append("\(droppedCount) unusable events in a batch") }
            for event in events { take(event, at: now, into: &inbound) }
        case .dropped(let drop): inbound.notes.append(Self.note(drop))
        }
        return inbound
    }

    /// The frame of an event, as clients send it; `greeting` is asked for when the event is a join request.
    package static func frame(_ event: OutgoingEvent, greeting: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        switch event {
        case .userMessage(let text, let metadata):
            let custom = (metadata ?? [:]).sorted { $0.key < $1.key }
            ClientEvent.write(
                .message(text: text), custom: custom.map { (name: $0.key, value: $0.value) }, into: &bytes)
        case .userEndConversation, .userLeft: ClientEvent.write(.end, into: &bytes)
        case .requestPolyAgentJoin: ClientEvent.write(.join(greeting: greeting), into: &bytes)
        case .requestPolyAgentJoinWithGreeting(let greeting):
            ClientEvent.write(.join(greeting: greeting), into: &bytes)
        case .heartbeat: ClientEvent.write(.heartbeat, into: &bytes)
        case .userTyping(let state):
            ClientEvent.write(.typing(isStarted: state == .started), into: &bytes)
        }
        return bytes
    }

    private mutating func take(_ wire: WireEvent, at now: Instant, into inbound: inout Inbound) {
        if let event = event(wire, at: now) {
            inbound.events.append(event)
        } else {
            inbound.notes.append("no event for \(Self.shown(wire.payload.type))")
        }
    }

    /// The public event; nil for types apps have no use for.
    package mutating func event(_ wire: WireEvent, at now: Instant) -> MessagingEvent? {
        let envelope = Envelope(
            id: wire.id, sequence: wire.sequence.flatMap { Int(exactly: $0) },
            timestamp: Date(nanosecondsSince1970: wire.nanoseconds ?? now.nanoseconds),
            metadata: wire.metadata.map { EventMetadata(custom: $0.custom) })
        switch wire.payload {
        case .sessionStart(let capabilities, _):
            return .sessionStart(envelope, SessionStartPayload(capabilities: .init(capabilities)))
        case .sessionEnd(let reason): return .sessionEnd(envelope, SessionEndPayload(reason: reason))
        case .sessionIdleWarning: return .sessionIdleWarning(envelope)
        case .joinRequest: return .requestPolyAgentJoin(envelope)
        case .userMessage(let messageID, let text):
            return .userMessage(envelope, UserMessageEchoPayload(messageId: messageID, text: text))
        case .userTyping: return .userTyping(envelope)
        case .userEndSession: return .userEndSession(envelope)
        case .heartbeat: return .heartbeat(envelope)
        case .systemMessage(let level, let message):
            return .systemMessage(
                envelope, SystemMessagePayload(message: message, level: SystemMessageLevel(level)))
        case .languageChanged(let code):
            return .languageChanged(envelope, LanguageChangedPayload(languageCode: code))
        case .receipt, .surveyRequest, .other: return nil
        default: return agentEvent(wire.payload, envelope) ?? handoffEvent(wire.payload, envelope)
        }
    }

    private mutating func agentEvent(_ payload: WirePayload, _ envelope: Envelope) -> MessagingEvent? {
        switch payload {
        case .agentJoined(let name, let avatarURL):
            .agentJoined(envelope, AgentJoinedPayload(agentName: name, avatarUrl: URL(wire: avatarURL)))
        case .agentThinking: .agentThinking(envelope)
        case .agentMessage(let message):
            .agentMessage(
                envelope,
                AgentMessagePayload(
                    messageId: message.messageID, text: message.text, agentName: message.sender.name,
                    avatarUrl: URL(wire: message.sender.avatarURL),
                    attachments: message.attachments.map(Attachment.init),
                    responseSuggestions: suggestions(message.suggestions),
                    chatCallActions: callActions(message.callActions),
                    endConversation: message.endsConversation))
        case .agentMessageChunk(let chunk):
            .agentMessageChunk(
                envelope,
                AgentMessageChunkPayload(
                    messageId: chunk.messageID, chunkIndex: chunk.index, isComplete: chunk.isComplete,
                    text: chunk.text, attachments: chunk.attachments.map(Attachment.init),
                    responseSuggestions: suggestions(chunk.suggestions),
                    chatCallActions: callActions(chunk.callActions), endConversation: chunk.endsConversation))
        case .agentLeft(let reason): .agentLeft(envelope, AgentLeftPayload(reason: reason))
        case .agentTriggeredHandoff: .agentTriggeredHandoff(envelope)
        case .liveAgentJoined(let person):
            .liveAgentJoined(
                envelope,
                LiveAgentJoinedPayload(
                    agentId: person.id, agentName: person.name, avatarUrl: URL(wire: person.avatarURL)))
        case .liveAgentTyping(let state, let person):
            .liveAgentTyping(
                envelope,
                LiveAgentTypingPayload(
                    state: TypingState(state), agentId: person.id, agentName: person.name))
        case .liveAgentMessage(let message):
            .liveAgentMessage(
                envelope,
                LiveAgentMessagePayload(
                    messageId: message.messageID, text: message.text, agentId: message.sender.id,
                    agentName: message.sender.name, avatarUrl: URL(wire: message.sender.avatarURL),
                    attachments: message.attachments.map(Attachment.init),
                    responseSuggestions: suggestions(message.suggestions),
                    chatCallActions: callActions(message.callActions)))
        case .liveAgentLeft(let person, let reason):
            .liveAgentLeft(
                envelope,
                LiveAgentLeftPayload(agentId: person.id, agentName: person.name, reason: reason))
        default: nil
        }
    }

    private func handoffEvent(_ payload: WirePayload, _ envelope: Envelope) -> MessagingEvent? {
        switch payload {
        case .clientHandoffRequired(let reason, let queueName, let route):
            .clientHandoffRequired(
                envelope, ClientHandoffRequiredPayload(route: route, reason: reason, queueName: queueName))
        case .handoffAccepted(let queueName):
            .handoffAccepted(envelope, HandoffAcceptedPayload(queueName: queueName))
        case .handoffQueueStatus(let status):
            .handoffQueueStatus(
                envelope,
                HandoffQueueStatusPayload(
                    position: status.position, estimatedWaitSeconds: status.estimatedWaitSeconds,
                    queueName: status.queueName, displayMessage: status.displayMessage))
        case .handoffFailed(let reason): .handoffFailed(envelope, HandoffFailedPayload(reason: reason))
        case .handoffTimeout(let reason): .handoffTimeout(envelope, HandoffTimeoutPayload(reason: reason))
        default: nil
        }
    }

    private mutating func suggestions(_ suggestions: [WireSuggestion]) -> [ResponseSuggestion] {
        suggestions.map { suggestion in
            ResponseSuggestion(
                id: UUID(from: &generator), messageText: suggestion.messageText, payload: suggestion.payload)
        }
    }

    private mutating func callActions(_ actions: [WireCallAction]) -> [ChatCallAction] {
        actions.map { action in
            ChatCallAction(
                id: UUID(from: &generator), title: action.title, contactNumber: action.contactNumber)
        }
    }

    // MARK: Words for the log

    private static func note(_ drop: WireEventReader.Drop) -> String {
        switch drop {
        case .json: "a frame that is no JSON"
        case .notAnObject: "a frame that is no JSON object"
        case .noType: "an event without a type"
        case .incomplete(let type): "no id or no timestamp in \(shown(type))"
        }
    }

    /// The type; only that it is one the API does not name when it is, since it could hold anything.
    private static func shown(_ type: String) -> String {
        EventType(rawValue: type)?.rawValue ?? "an event of an unknown type"
    }
}

// MARK: Values

extension UUID {
    /// Version 4, drawn from `generator` (RFC 9562 §5.4).
    package init(from generator: inout SeededGenerator) {
        let id = UniqueID.version4(from: &generator)
        func byte(_ word: UInt64, _ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index))
        }
        self.init(
            uuid: (
                byte(id.high, 0), byte(id.high, 1), byte(id.high, 2), byte(id.high, 3), byte(id.high, 4),
                byte(id.high, 5), byte(id.high, 6), byte(id.high, 7), byte(id.low, 0), byte(id.low, 1),
                byte(id.low, 2), byte(id.low, 3), byte(id.low, 4), byte(id.low, 5), byte(id.low, 6),
                byte(id.low, 7)
            ))
    }
}

extension Date {
    package init(nanosecondsSince1970 nanoseconds: Int64) {
        self.init(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000)
    }
}

extension URL {
    fileprivate init?(wire text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.init(string: text)
    }
}

extension SessionCapabilities {
    fileprivate init(_ wire: WireCapabilities) {
        self.init(
            streaming: wire.streaming, maxMessageSize: wire.maxMessageSizeBytes,
            heartbeatIntervalSeconds: wire.heartbeatIntervalSeconds,
            maxReconnectAttempts: wire.maxReconnectAttempts)
    }
}

extension Attachment {
    fileprivate init(_ wire: WireAttachment) {
        self.init(
            contentType: AttachmentContentType(rawValue: wire.contentType.rawValue) ?? .unknown,
            contentUrl: URL(wire: wire.contentURL), title: wire.title,
            previewImageUrl: URL(wire: wire.previewImageURL), callToActionText: wire.callToActionText)
    }
}

extension TypingState {
    fileprivate init(_ wire: WireTyping) {
        switch wire {
        case .started: self = .started
        case .stopped: self = .stopped
        }
    }
}

extension SystemMessageLevel {
    fileprivate init(_ wire: WireLevel) {
        switch wire {
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
