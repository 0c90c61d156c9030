/// The pieces of one streamed reply, put together the same way while it grows and when it is whole
/// (client-sdk 2.15).
package struct ChunkAssembly: Sendable, Equatable {
    package let messageID: String
    /// The pieces in the order of their index, without anything between them.
    package private(set) var text = ""
    package private(set) var attachments: [Attachment] = []
    package private(set) var suggestions: [ResponseSuggestion] = []
    package private(set) var callActions: [ChatCallAction] = []
    package private(set) var endsConversation = false
    private var pieces: [Piece] = []
    private var byteCount = 0

    private struct Piece: Sendable, Equatable {
        var index: Int
        var text: String
    }

    package init(messageID: String) {
        self.messageID = messageID
    }

    /// Nothing an app could show.
    package var isEmpty: Bool {
        text.isEmpty && attachments.isEmpty && suggestions.isEmpty && callActions.isEmpty
    }

    /// False when a chunk with this index is there already, or there is no room.
    package mutating func add(_ chunk: AgentMessageChunkPayload) -> Bool {
        let place = self.place(of: chunk.chunkIndex)
        if place < pieces.count, pieces[place].index == chunk.chunkIndex { return false }
        let new = chunk.text ?? ""
        guard pieces.count < Limits.maxChunks, byteCount + new.utf8.count <= Limits.maxStreamBytes else {
            return false
        }
        byteCount += new.utf8.count
        pieces.insert(Piece(index: chunk.chunkIndex, text: new), at: place)
        if place == pieces.count - 1 {
            text += new
        } else {
            text = pieces.lazy.map(\.text).joined()
        }
        take(chunk)
        return true
    }

    private mutating func take(_ chunk: AgentMessageChunkPayload) {
        for attachment in chunk.attachments {
            let isKnown =
                attachment.contentUrl != nil
                && attachments.contains { $0.contentUrl == attachment.contentUrl }
            if !isKnown { attachments.append(attachment) }
        }
        for suggestion in chunk.responseSuggestions {
            let isKnown = suggestions.contains {
                $0.messageText == suggestion.messageText && $0.payload == suggestion.payload
            }
            if !isKnown { suggestions.append(suggestion) }
        }
        for action in chunk.chatCallActions {
            let isKnown = callActions.contains {
                $0.title == action.title && $0.contactNumber == action.contactNumber
            }
            if !isKnown { callActions.append(action) }
        }
        endsConversation = endsConversation || chunk.endConversation
    }

    /// Where a piece with this index is, or belongs. Nearly always the end.
    private func place(of index: Int) -> Int {
        var place = pieces.count
        while place > 0, pieces[place - 1].index >= index { place -= 1 }
        return place
    }
}
