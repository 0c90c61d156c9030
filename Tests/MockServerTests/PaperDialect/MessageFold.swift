import Clocks
import ConversationEngine

/// One message of a talk, whole.
struct TalkMessage: Equatable, Sendable {
    enum Author: Equatable, Sendable {
        case user
        case agent
        case liveAgent(SpeakerProfile)
    }

    var id: String
    var author: Author
    var text: String
    var parts = MessageParts()
    /// The sequence of its first entry, and when that was told.
    var sequence: UInt64
    var time: Instant
    /// False while chunks are to come.
    var isComplete = true
    /// Journaled receipts of it.
    var receipts: [Receipt] = []
}

/// Puts messages together from a journal, when somebody asks: from any place, in both directions. Nothing is kept.
enum MessageFold {
    /// The messages that begin behind `sequence`, oldest first.
    static func messages(
        in journal: [JournalEntry], after sequence: UInt64 = 0, limit: Int = .max
    ) -> [TalkMessage] {
        var found: [TalkMessage] = []
        var places: [String: Int] = [:]
        let start = Int(min(sequence, UInt64(journal.count)))
        for index in start..<journal.count {
            let isFull = found.count >= limit
            if isFull, found.allSatisfy(\.isComplete) { break }
            let entry = journal[index]
            if case .agentChunk(let chunk) = entry.event {
                if let place = places[chunk.messageID] {
                    found[place].take(chunk)
                } else if !isFull, isFirst(chunk, at: index, in: journal) {
                    places[chunk.messageID] = found.count
                    found.append(TalkMessage(beginning: chunk, entry))
                }
            } else if case .receipt(let receipt, let id) = entry.event {
                if let place = found.lastIndex(where: { $0.id == id }) {
                    found[place].receipts.append(receipt)
                }
            } else if !isFull, let message = TalkMessage(entry) {
                found.append(message)
            }
        }
        return found
    }

    /// The last messages that begin before `sequence`, oldest first.
    static func messages(
        in journal: [JournalEntry], before sequence: UInt64, limit: Int
    ) -> [TalkMessage] {
        guard limit > 0 else { return [] }
        var index = Int(min(sequence == 0 ? 0 : sequence - 1, UInt64(journal.count)))
        let end = UInt64(index)
        var count = 0
        while index > 0, count < limit {
            index -= 1
            if begins(at: index, in: journal) { count += 1 }
        }
        return messages(in: journal, after: UInt64(index), limit: count).filter { $0.sequence <= end }
    }

    /// The whole text of the streamed message whose last chunk stands at `sequence`; nil when none ends there.
    static func wholeText(endingAt sequence: UInt64, in journal: [JournalEntry]) -> String? {
        guard sequence > 0, sequence <= UInt64(journal.count),
            case .agentChunk(let last) = journal[Int(sequence) - 1].event, last.isComplete
        else { return nil }
        var texts: [String] = []
        for entry in journal[..<Int(sequence)].reversed() {
            guard case .agentChunk(let chunk) = entry.event, chunk.messageID == last.messageID else {
                continue
            }
            texts.append(chunk.text)
            if chunk.index == 0 { break }
        }
        return texts.reversed().joined()
    }

    private static func begins(at index: Int, in journal: [JournalEntry]) -> Bool {
        if case .agentChunk(let chunk) = journal[index].event {
            return isFirst(chunk, at: index, in: journal)
        }
        return TalkMessage(journal[index]) != nil
    }

    /// Chunks may count from 0 or from 1, so that a 1 has to be looked for.
    private static func isFirst(_ chunk: Chunk, at index: Int, in journal: [JournalEntry]) -> Bool {
        guard chunk.index > 0 else { return true }
        guard chunk.index == 1 else { return false }
        return !journal[..<index].reversed().contains { entry in
            if case .agentChunk(let other) = entry.event { other.messageID == chunk.messageID } else { false }
        }
    }
}

extension TalkMessage {
    fileprivate init?(_ entry: JournalEntry) {
        switch entry.event {
        case .userMessage(let id, let text): self.init(id.text, .user, text, entry)
        case .agentMessage(let message): self.init(message, .agent, entry)
        case .liveAgentMessage(let message, let profile): self.init(message, .liveAgent(profile), entry)
        default: return nil
        }
    }

    private init(_ id: String, _ author: Author, _ text: String, _ entry: JournalEntry) {
        self.init(id: id, author: author, text: text, sequence: entry.sequence ?? 0, time: entry.time)
    }

    private init(_ message: Message, _ author: Author, _ entry: JournalEntry) {
        self.init(message.id, author, message.text, entry)
        parts = message.parts
    }

    fileprivate init(beginning chunk: Chunk, _ entry: JournalEntry) {
        self.init(chunk.messageID, .agent, "", entry)
        take(chunk)
    }

    fileprivate mutating func take(_ chunk: Chunk) {
        text += chunk.text
        parts += chunk.parts
        isComplete = chunk.isComplete
    }
}

extension MessageParts {
    /// Adds the parts of a further chunk.
    fileprivate static func += (parts: inout Self, more: Self) {
        parts.attachments += more.attachments
        parts.suggestions += more.suggestions
        parts.calls += more.calls
        parts.endsConversation = more.endsConversation
    }
}
