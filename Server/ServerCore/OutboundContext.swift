package import Clocks
package import ConversationEngine

/// What a message to a client is about: for its row, and for the laws. Shared by all who hear of the message.
package final class OutboundContext: Equatable, Sendable {
    package let session: String
    /// When it was said; nil for what is put together when it is sent.
    package let time: Instant?
    package let type: String
    package let sequence: UInt64?
    /// For the laws; nil for what none of them asks about.
    package let entry: JournalEntry?
    /// The client's own id of what the entry echoes.
    package let localID: String?
    /// The entries of a page of the history.
    package let batch: [JournalEntry]
    package let isReplay: Bool
    /// It shows a client what it said itself.
    package let isEcho: Bool
    /// The part of the script that said it.
    package let words: ScriptLocation
    /// The row of what the client sent, and brought this about; 0: none.
    package let cause: UInt32
    /// The person or test that pushed it; nil for what the script says.
    package let author: String?
    /// The trouble that changed it.
    package let fault: String
    /// The bytes before a trouble, or a person, changed them.
    package let original: [UInt8]?
    /// It waits, or waited, for a person.
    package let isHeld: Bool

    package init(
        session: String, time: Instant? = nil, type: String, sequence: UInt64? = nil,
        entry: JournalEntry? = nil,
        localID: String? = nil, batch: [JournalEntry] = [], isReplay: Bool = false, isEcho: Bool = false,
        words: ScriptLocation = ScriptLocation(), cause: UInt32 = 0, author: String? = nil,
        fault: String = "",
        original: [UInt8]? = nil, isHeld: Bool = false
    ) {
        self.isHeld = isHeld
        self.session = session
        self.time = time
        self.type = type
        self.sequence = sequence
        self.entry = entry
        self.localID = localID
        self.batch = batch
        self.isReplay = isReplay
        self.isEcho = isEcho
        self.words = words
        self.cause = cause
        self.author = author
        self.fault = fault
        self.original = original
    }

    /// The same message, changed by troubles.
    ///
    /// - Parameters:
    ///   - fault: their names.
    ///   - original: the bytes before that; nil when they are the same.
    ///   - isToldBefore: the laws have heard of it, or are not to.
    /// - Returns: what it is about then.
    package func struck(by fault: String, original: [UInt8]?, isToldBefore: Bool) -> OutboundContext {
        OutboundContext(
            session: session, time: time, type: type, sequence: sequence,
            entry: isToldBefore ? nil : entry, localID: localID, batch: batch, isReplay: isReplay,
            isEcho: isEcho, words: words, cause: cause,
            author: author, fault: fault, original: original, isHeld: isHeld)
    }

    /// The same message, held back for a person.
    package var held: OutboundContext { heldBack(original: original, by: author) }

    /// The same, changed by that person; `original` is what it was.
    package func edited(from original: [UInt8], by name: String?) -> OutboundContext {
        heldBack(original: self.original ?? original, by: name ?? author)
    }

    private func heldBack(original: [UInt8]?, by author: String?) -> OutboundContext {
        OutboundContext(
            session: session, time: time, type: type, sequence: sequence, entry: entry,
            localID: localID, batch: batch,
            isReplay: isReplay, isEcho: isEcho, words: words, cause: cause, author: author, fault: fault,
            original: original, isHeld: true)
    }

    package static func == (left: OutboundContext, right: OutboundContext) -> Bool {
        left.session == right.session && left.type == right.type && left.sequence == right.sequence
            && left.entry == right.entry && left.fault == right.fault
    }
}
