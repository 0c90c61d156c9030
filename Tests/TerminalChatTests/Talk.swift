import Clocks
import Foundation
import PolyMessaging

@testable import TerminalChat

/// What a client would tell, made by hand, and the time it happens.
struct Talk {
    var now = Instant(secondsSince1970: 1_768_469_400)
    private var sequence = 0

    mutating func pass(_ interval: Interval) { now = now + interval }

    mutating func envelope() -> Envelope {
        sequence += 1
        return Envelope(
            id: "e\(sequence)", sequence: sequence,
            timestamp: Date(timeIntervalSince1970: Double(now.secondsSince1970)))
    }

    /// A session that is open and has started.
    mutating func opening() -> [ChatInput] {
        [
            .update(.status(.connecting)), .update(.sessionChanged("0123456789")), .update(.status(.open)),
            .update(
                .event(.sessionStart(envelope(), SessionStartPayload(capabilities: SessionCapabilities())))),
            .update(.event(.agentJoined(envelope(), AgentJoinedPayload(agentName: "Ada")))),
        ]
    }

    mutating func agent(
        _ text: String, id: String = "m", suggestions: [String] = [], attachments: [Attachment] = []
    ) -> ChatInput {
        .update(
            .event(
                .agentMessage(
                    envelope(),
                    AgentMessagePayload(
                        messageId: id, text: text, attachments: attachments,
                        responseSuggestions: suggestions.map { ResponseSuggestion(messageText: $0) }))))
    }

    mutating func chunk(_ text: String, _ index: Int, id: String) -> ChatInput {
        .update(
            .event(
                .agentMessageChunk(
                    envelope(),
                    AgentMessageChunkPayload(messageId: id, chunkIndex: index, isComplete: false, text: text))
            ))
    }

    mutating func thinking() -> ChatInput { .update(.event(.agentThinking(envelope()))) }

    func pending(_ text: String, draft: String) -> ChatInput {
        .update(.event(.messagePending(draftId: draft, text: text)))
    }

    func confirmed(_ draft: String) -> ChatInput {
        .update(.event(.messageConfirmed(draftId: draft, messageId: "u-\(draft)")))
    }

    func failed(_ draft: String) -> ChatInput { .update(.event(.messageFailed(draftId: draft))) }

    mutating func ended(_ reason: String) -> ChatInput {
        .update(.event(.sessionEnd(envelope(), SessionEndPayload(reason: reason))))
    }
}

extension ChatProgram {
    /// Lets time pass up to the next deadline; nil when there is none.
    mutating func wait(_ talk: inout Talk) -> [ChatOutput]? {
        guard let deadline = nextDeadline else { return nil }
        talk.now = max(talk.now, deadline)
        return handle(.tick, at: talk.now)
    }
}

extension [ChatOutput] {
    var text: String {
        let bytes = flatMap { output -> [UInt8] in if case .write(let bytes) = output { bytes } else { [] } }
        return String(decoding: bytes, as: UTF8.self)
    }

    var said: [String] {
        compactMap { if case .call(.send(let text)) = $0 { text } else { nil } }
    }

    var talk: [String] {
        compactMap { if case .talk(let line) = $0 { line } else { nil } }
    }

    var exit: Int32? {
        compactMap { if case .exit(let code) = $0 { code } else { nil } }.first
    }
}
