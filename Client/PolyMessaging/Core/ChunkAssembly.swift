#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pieces of one streamed reply, put together the same way while it grows and when it is whole.
///
/// A chunk costs the same however many came before it, in whatever order they come: pieces are kept as they arrive
/// and put in order when the text is asked for.
package struct ChunkAssembly: Sendable {
    package let messageID: String
    package private(set) var attachments: [Attachment] = []
    package private(set) var suggestions: [ResponseSuggestion] = []
    package private(set) var callActions: [ChatCallAction] = []
    package private(set) var endsConversation = false
    private var byteCount = 0

    private struct Piece: Sendable {
        var index: Int
        var text: String
    }

    /// As they arrived, until the text is asked for.
    private var pieces: [Piece] = []
    /// The largest index so far.
    private var last: Int?
    /// What is known of indexes once one of them is not the largest; nil before.
    private var known: Set<Int>?
    /// How many of the pieces are in ``built``, which are the first of them.
    private var builtCount = 0
    private var built = ""
    private var isInOrder = true
    /// What was seen of extras, so that each is there once.
    private var seen: Set<[String?]> = []

    package init(messageID: String) {
        self.messageID = messageID
    }

    /// Nothing an app could show.
    package var isEmpty: Bool {
        byteCount == 0 && attachments.isEmpty && suggestions.isEmpty && callActions.isEmpty
    }

    /// The pieces in the order of their index, without anything between them. What was put together before is not put
    /// together again unless a late piece belongs into it.
    package mutating func text() -> String {
        if !isInOrder {
            pieces.sort { $0.index < $1.index }
            isInOrder = true
            builtCount = 0
            built = ""
        }
        if builtCount == 0 { built.reserveCapacity(byteCount) }
        for piece in pieces[builtCount...] { built += piece.text }
        builtCount = pieces.count
        return built
    }

    /// False when a chunk with this index is there already, or there is no room.
    package mutating func add(_ chunk: AgentMessageChunkPayload) -> Bool {
        let new = chunk.text ?? ""
        guard pieces.count < Limits.maxChunks, byteCount + new.utf8.count <= Limits.maxStreamBytes,
            isNew(chunk.chunkIndex)
        else { return false }
        byteCount += new.utf8.count
        pieces.append(Piece(index: chunk.chunkIndex, text: new))
        take(chunk)
        return true
    }

    private mutating func isNew(_ index: Int) -> Bool {
        guard let last else {
            last = index
            return true
        }
        if index > last {
            self.last = index
            known?.insert(index)
            return true
        }
        if known == nil { known = Set(pieces.map(\.index)) }
        guard known?.insert(index).inserted == true else { return false }
        isInOrder = false
        return true
    }

    private mutating func take(_ chunk: AgentMessageChunkPayload) {
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

    /// Where the pieces are in memory: it changes a few times while a reply grows, not with every chunk. For tests.
    package var address: UInt { pieces.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}
