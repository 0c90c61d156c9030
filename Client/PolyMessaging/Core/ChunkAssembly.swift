import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Text and parts of one streamed reply, assembled from its chunks.
package struct ChunkAssembly: Sendable {
    package let messageID: String
    package private(set) var attachments: [Attachment] = []
    package private(set) var suggestions: [ResponseSuggestion] = []
    package private(set) var callActions: [ChatCallAction] = []
    package private(set) var endsConversation = false
    private var isComplete = false
    private var chunks = ChunkedText(
        maxChunks: MessagingLimits.maxChunks, maxBytes: MessagingLimits.maxStreamBytes)
    private var seen: Set<[String?]> = []

    package init(messageID: String) {
        self.messageID = messageID
    }

    package var isEmpty: Bool {
        chunks.byteCount == 0 && attachments.isEmpty && suggestions.isEmpty && callActions.isEmpty
    }

    package var isWhole: Bool { isComplete && chunks.isGapless }
    package var byteCount: Int { chunks.byteCount }

    /// Returns the texts, joined in the order of the chunk indexes.
    package mutating func text() -> String { chunks.text() }

    mutating func payload() -> AgentMessagePayload {
        AgentMessagePayload(
            messageId: messageID, text: text(), attachments: attachments, responseSuggestions: suggestions,
            chatCallActions: callActions, endConversation: endsConversation)
    }

    /// Adds a chunk. Returns false if the chunk is ignored.
    package mutating func add(_ chunk: AgentMessageChunkPayload) -> Bool {
        guard chunks.add(chunk.text ?? "", at: chunk.chunkIndex) else { return false }
        isComplete = isComplete || chunk.isComplete
        addParts(of: chunk)
        return true
    }

    private mutating func addParts(of chunk: AgentMessageChunkPayload) {
        for attachment in chunk.attachments
        where attachment.contentUrl == nil
            || seen.insert(["attachment", attachment.contentUrl?.absoluteString]).inserted
        {
            attachments.append(attachment)
        }
        for suggestion in chunk.responseSuggestions
        where seen.insert(["suggestion", suggestion.messageText, suggestion.payload]).inserted {
            suggestions.append(suggestion)
        }
        for action in chunk.chatCallActions
        where seen.insert(["action", action.title, action.contactNumber]).inserted {
            callActions.append(action)
        }
        endsConversation = endsConversation || chunk.endConversation
    }

    package var address: UInt { chunks.address }
}
