package import Clocks
package import ConversationEngine
package import DialectKit
import MessagingWire

/// Encoder of journal entries as events of the Messaging API. Has no state.
package final class PolyEncoder: SessionEncoder, Sendable {
    let options: PolyOptions
    let extensions: Extensions

    init(_ options: PolyOptions, _ extensions: Extensions = []) {
        self.options = options
        self.extensions = extensions
    }

    package func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput
    ) {
        output.share(PolyDialect.type(of: entry)) { encode(entry, into: &$0) }
    }

    /// Appends one entry as a complete event (protocol.md#server-envelope).
    package func encode(_ entry: JournalEntry, into bytes: inout [UInt8]) {
        Self.write(entry, into: &bytes)
    }

    /// Returns the text of an entry, which depends on the entry alone.
    static func text(of entry: JournalEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        write(entry, into: &bytes)
        return bytes
    }

    private static func write(_ entry: JournalEntry, into bytes: inout [UInt8]) {
        if case .event(let contents) = entry.values, case .agentChunk(let chunk) = contents.event,
            chunk.parts.isEmpty, entry.metadata == nil
        {
            return WireEventWriter.writeChunk(
                of: chunk.messageID, index: chunk.index, isComplete: chunk.isComplete, text: chunk.text,
                sequence: entry.sequence, nanoseconds: entry.time.nanoseconds, into: &bytes,
                writeID: { entry.id.write(to: $0) })
        }
        // Not a `switch`, which retains the message.
        if case .said(let message) = entry.values { return write(message, of: entry, into: &bytes) }
        if case .long(let message) = entry.values {
            return message.words.withUnsafeBytes { write($0, message.places, of: entry, into: &bytes) }
        }
        write(entry, as: .payload, into: &bytes)
    }

    // A function, because a message of a `case` is retained in a closure.
    private static func write(
        _ message: JournalEntry.SaidMessage, of entry: JournalEntry, into bytes: inout [UInt8]
    ) {
        message.words.withUnsafeBytes { write($0, message.places, of: entry, into: &bytes) }
    }

    private static func write(
        _ words: UnsafeRawBufferPointer, _ places: JournalEntry.SaidPlaces, of entry: JournalEntry,
        into bytes: inout [UInt8]
    ) {
        let text = words.assumingMemoryBound(to: UInt8.self)
        WireEventWriter.writeUserMessage(
            UnsafeBufferPointer(rebasing: text[places.text]), sequence: entry.sequence,
            nanoseconds: entry.time.nanoseconds,
            customMetadata: places.customMetadata.map { UnsafeBufferPointer(rebasing: text[$0]) },
            into: &bytes, writeID: { entry.id.write(to: $0) },
            messageIDBytes: places.idBytes, writeMessageID: { places.writeID(of: words, to: $0) })
    }

    static func write(_ entry: JournalEntry, as form: WireEventWriter.PayloadForm, into bytes: inout [UInt8])
    {
        guard let payload = payload(entry.event) else { return }
        WireEventWriter.write(
            payload, sequence: entry.sequence, nanoseconds: entry.time.nanoseconds,
            customMetadata: entry.metadata, form: form, into: &bytes,
            writeID: { entry.id.write(to: $0) })
    }

    /// Returns an event's payload; nil for an event that the Messaging API does not have.
    private static func payload(_ event: Event) -> WirePayload? {
        switch event {
        case .sessionStarted(let facts): sessionStart(facts)
        case .joinRequested: .joinRequest
        case .agentJoined(let profile): .agentJoined(name: profile.name, avatarURL: profile.avatar)
        case .agentThinking: .agentThinking
        case .userMessage(let id, let text): .userMessage(messageID: id.text, text: text)
        case .userTyping(let state): .userTyping(typing(state))
        case .userEnded: .userEndSession
        case .heartbeat: .heartbeat
        case .agentMessage(let message): .agentMessage(wire(message, sender: WirePerson()))
        case .agentChunk(let chunk): .agentMessageChunk(wire(chunk))
        case .agentLeft(let reason): .agentLeft(reason: reason)
        case .handoffTriggered: .agentTriggeredHandoff
        case .clientHandoffRequired(let reason, let queueName, let route):
            .clientHandoffRequired(reason: reason, queueName: queueName, route: route)
        case .handoffAccepted(let queueName): .handoffAccepted(queueName: queueName)
        case .queueStatus(let status):
            .handoffQueueStatus(
                WireQueueStatus(
                    queueName: status.queueName, position: status.position,
                    estimatedWaitSeconds: status.estimatedWaitSeconds, displayMessage: status.displayMessage))
        case .handoffFailed(let reason): .handoffFailed(reason: reason)
        case .handoffTimedOut(let reason): .handoffTimeout(reason: reason)
        case .liveAgentJoined(let profile): .liveAgentJoined(person(profile))
        case .liveAgentTyping(let state, let profile): .liveAgentTyping(typing(state), person(profile))
        case .liveAgentMessage(let message, let profile):
            .liveAgentMessage(wire(message, sender: person(profile)))
        case .liveAgentLeft(let profile, let reason): .liveAgentLeft(person(profile), reason: reason)
        case .liveAgentStatus, .userFile: nil
        case .languageChanged(let code): .languageChanged(code: code)
        case .notice(let level, let text): .systemMessage(wire(level), message: words(text))
        case .idleWarning: .sessionIdleWarning
        case .receipt(let receipt, let messageID): .receipt(type: receiptType(receipt), messageID: messageID)
        case .messageChanged(let change): .messageChanged(wire(change))
        case .surveyRequested(let title, let question): .surveyRequest(title: title, question: question)
        case .sessionEnded(let reason): .sessionEnd(reason: wire(reason))
        case .raw(let type, let payload): .other(type: type, json: payload)
        }
    }

    private static func sessionStart(_ facts: SessionStart) -> WirePayload {
        let capabilities = WireCapabilities(
            streaming: facts.isStreaming, maxMessageSizeBytes: facts.maxMessageBytes,
            maxReconnectAttempts: facts.maxReconnectAttempts,
            heartbeatIntervalSeconds: facts.heartbeatIntervalSeconds,
            extensions: facts.extensions.names)
        return .sessionStart(capabilities, contextID: facts.contextID)
    }

    private static func person(_ profile: SpeakerProfile) -> WirePerson {
        WirePerson(
            id: profile.id.isEmpty ? nil : profile.id, name: profile.name.isEmpty ? nil : profile.name,
            avatarURL: profile.avatar)
    }

    private static func wire(_ message: Message, sender: WirePerson) -> WireMessage {
        WireMessage(messageID: message.id, text: message.text, parts: wire(message.parts), sender: sender)
    }

    private static func wire(_ chunk: Chunk) -> WireChunk {
        var parts = wire(chunk.parts)
        if !chunk.isComplete { (parts.callActions, parts.endsConversation) = ([], false) }
        return WireChunk(
            messageID: chunk.messageID, index: chunk.index, isComplete: chunk.isComplete, text: chunk.text,
            parts: parts)
    }

    private static func wire(_ parts: MessageParts) -> WireParts {
        WireParts(
            attachments: parts.attachments.filter { $0.kind != .form }.map(wire),
            suggestions: parts.suggestions.map(wire),
            callActions: parts.calls.map(wire), endsConversation: parts.endsConversation)
    }

    private static func wire(_ attachment: Attachment) -> WireAttachment {
        WireAttachment(
            contentType: attachment.kind == .image ? .image : .url, contentURL: attachment.url,
            previewImageURL: attachment.preview, title: attachment.title,
            callToActionText: attachment.button)
    }

    private static func wire(_ suggestion: Suggestion) -> WireSuggestion {
        WireSuggestion(messageText: suggestion.text, payload: suggestion.payload)
    }

    private static func wire(_ call: CallAction) -> WireCallAction {
        WireCallAction(title: call.title, contactNumber: call.number)
    }

    private static func typing(_ state: TypingState) -> WireTyping {
        WireTyping(isStarted: state == .started)
    }

    private static func wire(_ level: NoticeLevel) -> WireLevel {
        switch level {
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }

    private static func words(_ text: NoticeText) -> String {
        switch text {
        case .known(let problem, let detail): ErrorCatalog.notice(problem, detail: detail)
        case .words(let words): words
        }
    }

    private static func wire(_ reason: EndReason) -> String {
        switch reason {
        case .natural: WireEndReason.natural
        case .user: WireEndReason.user
        case .abandoned: WireEndReason.abandoned
        }
    }

    private static func wire(_ change: MessageChange) -> WireChange {
        let kind: WireChange.Kind =
            switch change.kind {
            case .text(let text): .text(text)
            case .deleted: .deleted
            case .reaction(let text, let isOn): .reaction(text, isOn: isOn)
            case .file(let id, let state, let file): wire(id, state, file)
            }
        return WireChange(
            change.messageID, kind, by: change.by == .liveAgent ? "live_agent" : change.by.rawValue)
    }

    private static func wire(
        _ id: String, _ state: MessageChange.FileState, _ file: UserFile?
    ) -> WireChange.Kind {
        let details = file.map { WireChange.Details(name: $0.name, type: $0.type, size: $0.byteCount) }
        return switch state {
        case .uploading(let percent): .file(id, .uploading, percent: percent)
        case .ready: .file(id, .ready, percent: nil, details: details)
        case .cancelled: .file(id, .cancelled, percent: nil)
        case .failed: .file(id, .failed, percent: nil)
        }
    }

    static func receiptType(_ receipt: Receipt) -> EventType {
        switch receipt {
        case .userReceived: .userReceivedMessage
        case .userRead: .userReadMessage
        case .agentReceived: .agentReceivedMessage
        case .agentRead: .agentReadMessage
        case .liveAgentReceived: .liveAgentReceivedMessage
        case .liveAgentRead: .liveAgentReadMessage
        }
    }
}

extension MessageChange {
    init(_ wire: WireChange) {
        let kind: Kind =
            switch wire.kind {
            case .text(let text): .text(text)
            case .deleted: .deleted
            case .reaction(let text, let isOn): .reaction(text, isOn: isOn)
            case .file(let id, .uploading, let percent, _): .file(id, .uploading(percent: percent))
            case .file(let id, .ready, _, _): .file(id, .ready)
            case .file(let id, .cancelled, _, _): .file(id, .cancelled)
            case .file(let id, .failed, _, _): .file(id, .failed)
            }
        self.init(wire.messageID, kind)
    }
}
