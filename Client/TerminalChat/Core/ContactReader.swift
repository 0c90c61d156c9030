import ConnectChat
import PolyMessaging
import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Says what happens in a contact of Amazon Connect chat as the SDK of the Messaging API would, so that one program shows
/// both.
struct ContactReader: Sendable {
    /// What was told of a row.
    private struct Told: Sendable {
        var characters = 0
        var pieces = 0
        var isOver = false
    }

    private var rows: [String: Told] = [:]
    private var sequence = 0
    private var hasStarted = false
    private var isTyping = false

    mutating func read(_ event: ChatSessionEvent) -> [ClientUpdate] {
        switch event {
        case .connectionEstablished, .connectionReEstablished:
            guard !hasStarted else { return [.status(.open)] }
            hasStarted = true
            let start = SessionStartPayload(capabilities: SessionCapabilities(streaming: true))
            return [.status(.open), .event(.sessionStart(envelope(""), start))]
        case .connectionBroken: return [.status(.reconnecting(attempt: 1))]
        case .waiting(_, let attempt) where hasStarted: return [.status(.reconnecting(attempt: attempt))]
        case .chatEnded:
            return [.event(.sessionEnd(envelope(""), SessionEndPayload())), .status(.closed(nil))]
        case .transcriptUpdated(let snapshot):
            let updates = snapshot.rows.flatMap { read($0) }
            return updates + typing(snapshot.rows)
        default: return []
        }
    }

    private static let person = "AGENT"

    /// The server does not tell that typing is over; its row goes.
    private mutating func typing(_ rows: [TranscriptRow]) -> [ClientUpdate] {
        let row = rows.last { $0.contentType == ContentType.typing.rawValue && $0.direction != .Outgoing }
        guard (row != nil) != isTyping else { return [] }
        isTyping = row != nil
        let typing = LiveAgentTypingPayload(
            state: isTyping ? .started : .stopped, agentName: row?.displayName)
        return [.event(.liveAgentTyping(envelope(""), typing))]
    }

    private mutating func read(_ row: TranscriptRow) -> [ClientUpdate] {
        var told = rows[row.persistentId] ?? Told()
        guard !told.isOver else { return [] }
        defer { rows[row.persistentId] = told }
        guard row.kind == .message else {
            told.isOver = true
            guard row.participant == Self.person else { return [] }
            switch row.contentType {
            case ContentType.joined.rawValue:
                let joined = LiveAgentJoinedPayload(agentName: row.displayName)
                return [.event(.liveAgentJoined(envelope(row), joined))]
            case ContentType.left.rawValue:
                return [.event(.liveAgentLeft(envelope(row), LiveAgentLeftPayload()))]
            default: return []
            }
        }
        if row.direction == .Outgoing { return own(row, &told) }
        guard row.isComplete else {
            let text = String(row.text.dropFirst(told.characters))
            guard !text.isEmpty else { return [] }
            told.characters = row.text.count
            told.pieces += 1
            let chunk = AgentMessageChunkPayload(
                messageId: row.id, chunkIndex: told.pieces, isComplete: false, text: text)
            return [.event(.agentMessageChunk(envelope(row), chunk))]
        }
        told.isOver = true
        return [reply(row)]
    }

    private mutating func own(_ row: TranscriptRow, _ told: inout Told) -> [ClientUpdate] {
        let draft = row.persistentId
        let isNew = told.pieces == 0
        told.pieces = 1
        switch row.status {
        case .Sending?: return isNew ? [.event(.messagePending(draftId: draft, text: row.text))] : []
        case .Failed?:
            // It can be sent again.
            told.pieces = 0
            return isNew ? [] : [.event(.messageFailed(draftId: draft))]
        case .Sent?, .Delivered?, .Read?, .Unknown?, nil:
            told.isOver = true
            guard isNew else { return [.event(.messageConfirmed(draftId: draft, messageId: row.id))] }
            let echo = UserMessageEchoPayload(messageId: row.id, text: row.text)
            return [.event(.userMessage(envelope(row), echo))]
        }
    }

    private mutating func reply(_ row: TranscriptRow) -> ClientUpdate {
        let (text, choices) = Self.shown(row)
        let suggestions = choices.map { ResponseSuggestion(messageText: $0) }
        guard row.participant == Self.person else {
            return .event(
                .agentMessage(
                    envelope(row),
                    AgentMessagePayload(
                        messageId: row.id, text: text, agentName: row.displayName,
                        responseSuggestions: suggestions)))
        }
        return .event(
            .liveAgentMessage(
                envelope(row),
                LiveAgentMessagePayload(
                    messageId: row.id, text: text, agentName: row.displayName,
                    responseSuggestions: suggestions)))
    }

    /// What an interactive message says, and what there is to choose from.
    private static func shown(_ row: TranscriptRow) -> (text: String, choices: [String]) {
        guard row.contentType == ContentType.interactiveText.rawValue else { return (row.text, []) }
        let (title, subtitle, choices): (String, String?, [String])
        if let shown = QuickReplyContent.decode(from: row.text) as? QuickReplyContent {
            (title, subtitle, choices) = (shown.title, shown.subtitle, shown.options)
        } else if let shown = ListPickerContent.decode(from: row.text) as? ListPickerContent {
            (title, subtitle, choices) = (shown.title, shown.subtitle, shown.options.map(\.title))
        } else if let shown = PanelContent.decode(from: row.text) as? PanelContent {
            (title, subtitle, choices) = (shown.title, shown.subtitle, shown.options.map(\.title))
        } else {
            return (row.text, [])
        }
        return ([title, subtitle ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"), choices)
    }

    private mutating func envelope(_ row: TranscriptRow) -> Envelope {
        envelope(row.id, row.timeStamp)
    }

    /// Numbered as they come: the transcript is in order.
    private mutating func envelope(_ id: String, _ time: String = "") -> Envelope {
        sequence += 1
        let seconds = Double(TimeStamp.parse(time) ?? 0) / 1_000_000_000
        return Envelope(id: id, sequence: sequence, timestamp: Date(timeIntervalSince1970: seconds))
    }
}
