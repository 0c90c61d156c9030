package import Clocks
package import ConversationEngine

/// Context of a message to a client, for its row and for the protocol rules; shared by all readers.
package final class OutboundContext: Equatable, Sendable {
    package let session: String
    /// The time of its entry; nil for a message made when it is sent.
    package let time: Instant?
    package let type: String
    package let sequence: UInt64?
    /// For the protocol rules; nil where none needs it.
    package let entry: JournalEntry?
    /// The client's own id of the echoed message.
    package let localID: String?
    /// The entries of a page of history.
    package let batch: [JournalEntry]
    package let isReplay: Bool
    package let isEcho: Bool
    /// The part of the script that caused it.
    package let words: ScriptLocation
    /// The row of the client's message that caused it; 0: none.
    package let cause: UInt32
    /// The person or test that pushed it; nil for the script.
    package let author: String?
    /// The faults that changed it.
    package let fault: String
    /// The bytes before a fault or a person changed them.
    package let original: [UInt8]?
    /// It waits, or waited, for a person.
    package let isHeld: Bool

    package init(
        session: String, time: Instant? = nil, type: String, sequence: UInt64? = nil,
        entry: JournalEntry? = nil, localID: String? = nil, batch: [JournalEntry] = [],
        isReplay: Bool = false,
        isEcho: Bool = false, words: ScriptLocation = ScriptLocation(), cause: UInt32 = 0,
        author: String? = nil, fault: String = "", original: [UInt8]? = nil, isHeld: Bool = false
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

    /// The context of a message that the fault named `fault` has changed. `original` has the bytes before, nil if they
    /// are unchanged; with `isToldBefore` the protocol rules do not see the entry again.
    package func fired(by fault: String, original: [UInt8]?, isToldBefore: Bool) -> OutboundContext {
        changed(
            entry: isToldBefore ? nil : entry, author: author, fault: fault, original: original,
            isHeld: isHeld)
    }

    /// The context of the message held for a person.
    package var held: OutboundContext {
        changed(entry: entry, author: author, fault: fault, original: original, isHeld: true)
    }

    /// The context of the message edited by a person.
    package func edited(from original: [UInt8], by name: String?) -> OutboundContext {
        let first = self.original ?? original
        return changed(entry: entry, author: name ?? author, fault: fault, original: first, isHeld: true)
    }

    private func changed(
        entry: JournalEntry?, author: String?, fault: String, original: [UInt8]?, isHeld: Bool
    ) -> OutboundContext {
        OutboundContext(
            session: session, time: time, type: type, sequence: sequence, entry: entry, localID: localID,
            batch: batch, isReplay: isReplay, isEcho: isEcho, words: words, cause: cause, author: author,
            fault: fault, original: original, isHeld: isHeld)
    }

    package static func == (left: OutboundContext, right: OutboundContext) -> Bool {
        left.session == right.session && left.type == right.type && left.sequence == right.sequence
            && left.entry == right.entry && left.fault == right.fault
    }
}
