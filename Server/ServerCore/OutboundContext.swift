package import Clocks
package import ConversationEngine

/// Context of a message to a client, for its timeline row and the protocol rules. Only
/// ``become(_:type:session:localID:words:)`` changes it, and only while it has one owner. For `@exclusivity(unchecked)`
/// see decision 0001.
package final class OutboundContext: Equatable {
    @exclusivity(unchecked) package private(set) var session: String
    /// Time of the journal entry that the message comes from, if there is exactly one.
    @exclusivity(unchecked) package private(set) var time: Instant?
    @exclusivity(unchecked) package private(set) var type: String
    @exclusivity(unchecked) package private(set) var sequence: UInt64?
    /// The journal entry of an unchanged message; nil for a message of several entries or of none.
    @exclusivity(unchecked) package private(set) var entry: JournalEntry?
    /// The client's own id of an echoed message.
    @exclusivity(unchecked) package private(set) var localID: Substring?
    package let batch: [JournalEntry]
    package let isReplay: Bool
    @exclusivity(unchecked) package private(set) var isEcho: Bool
    @exclusivity(unchecked) package private(set) var words: ScriptLocation
    /// Row of the client's message that caused this one, or 0.
    @exclusivity(unchecked) package private(set) var cause: UInt32
    /// Name of the operator or test that sent the message. Nil for the script.
    @exclusivity(unchecked) package private(set) var author: String?
    package let fault: String
    /// The bytes before a fault or an interception changed them.
    package let original: [UInt8]?
    /// Whether the message is or was intercepted.
    package let isHeld: Bool

    package init(
        session: String, time: Instant? = nil, type: String, sequence: UInt64? = nil,
        entry: JournalEntry? = nil, localID: Substring? = nil, batch: [JournalEntry] = [],
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

    /// Creates the context of an entry's message.
    package convenience init(
        of entry: JournalEntry, type: String, session: String, localID: Substring?, words: ScriptLocation?
    ) {
        self.init(
            session: session, time: entry.time, type: type, sequence: entry.sequence, entry: entry,
            localID: localID, isEcho: entry.isUserMessage, words: words ?? ScriptLocation(),
            cause: entry.cause.mark,
            author: entry.pushedBy)
    }

    /// Takes the values of another entry's message, which saves an allocation per message. Only for a context that the
    /// initializer above has created, and that has one owner.
    package func become(
        _ entry: JournalEntry, type: String, session: String, localID: consuming Substring?,
        words: ScriptLocation?
    ) {
        self.session = session
        time = entry.time
        self.type = type
        sequence = entry.sequence
        self.entry = entry
        self.localID = consume localID
        isEcho = entry.isUserMessage
        if let words { self.words = words } else if self.words.part != .none { self.words = ScriptLocation() }
        cause = entry.cause.mark
        author = entry.pushedBy
    }

    /// Lends what a row and the protocol rules read. As parameters, since reading each property retains it.
    func lend<Other>(
        _ other: inout Other,
        _ body: (
            _ other: inout Other, _ session: inout String, _ type: inout String,
            _ words: inout ScriptLocation, _ entry: inout JournalEntry?, _ localID: inout Substring?
        ) -> Void
    ) { body(&other, &session, &type, &words, &entry, &localID) }

    /// ``session`` for other modules, whose accesses to a stored property are checked: 85 instructions each.
    package var owner: String { session }

    /// ``time`` for other modules.
    package var moment: Instant? { time }

    /// Whether no fault or person changed or held this message.
    package var isUnchanged: Bool { fault.isEmpty && original == nil && !isHeld }

    /// Whether the message's row has values that few rows have.
    var hasExtras: Bool {
        author != nil || !words.timer.isEmpty || !fault.isEmpty || original != nil
    }

    /// Returns the context after a fault. `original` has the earlier bytes. With `isRepeat`, the context has no entry.
    package func fired(by fault: String, original: [UInt8]?, isRepeat: Bool) -> OutboundContext {
        changed(
            entry: isRepeat ? nil : entry, author: author, fault: fault, original: original,
            isHeld: isHeld)
    }

    package var held: OutboundContext {
        changed(entry: entry, author: author, fault: fault, original: original, isHeld: true)
    }

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
