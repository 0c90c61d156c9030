import Texts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The chunks of one streamed reply, combined into its text, attachments, suggestions and call actions. Duplicate
/// attachments, suggestions and call actions are dropped.
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

    /// Whether there is nothing to show.
    package var isEmpty: Bool {
        chunks.byteCount == 0 && attachments.isEmpty && suggestions.isEmpty && callActions.isEmpty
    }

    /// Whether the reply is complete: the chunk marked as the last has arrived, and no earlier chunk is missing.
    package var isWhole: Bool { isComplete && chunks.isGapless }
    /// Size of all chunks in UTF-8 bytes.
    package var byteCount: Int { chunks.byteCount }

    /// Returns the texts of the chunks, joined in the order of the chunk indexes.
    package mutating func text() -> String { chunks.text() }

    /// Returns the payload of the reply as it is with the chunks so far.
    mutating func payload() -> AgentMessagePayload {
        AgentMessagePayload(
            messageId: messageID, text: text(), attachments: attachments, responseSuggestions: suggestions,
            chatCallActions: callActions, endConversation: endsConversation)
    }

    /// Adds a chunk. Returns false if a chunk with this index was added before, or if a size limit is reached.
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

    /// Memory address of the chunks. Tests check with it that adding a chunk does not copy the earlier chunks.
    package var address: UInt { chunks.address }
}
