package import ConversationEngine
package import DialectKit
package import Matching

/// Place in a script that caused output, for rows of the timeline.
package struct ScriptLocation {
    package var part: ScriptPart
    /// First line in the file; 0 if unknown.
    package var line: UInt32
    package var rule: String
    package var timer: String

    package init(
        _ part: ScriptPart = .none, rule: String = "", place: SourcePlace = SourcePlace(), timer: String = ""
    ) {
        self.part = part
        self.rule = rule
        line = UInt32(clamping: place.line)
        self.timer = timer
    }
}

/// Delivery state of a session: journal entries sent to its clients, encoder, and memory charges. For
/// `@exclusivity(unchecked)` see decision 0001. It saves 520 of the 21,600 instructions of a streamed chunk.
package final class DeliveryLog {
    package let handle: SessionHandle
    package let id: String
    package let dialect: Int
    package let file: String
    package let userAgent: String?
    package let encoder: any SessionEncoder
    package let extensions: Extensions
    /// Index of the session's state in the protocol rules (``ClientProtocolRules/judge(_:at:place:)``).
    @exclusivity(unchecked) package var protocolRulePlace = -1
    /// Journal entries with encoded sizes; index + 1 is the sequence number. Encoded bytes are not kept, because they
    /// would double the memory. Entries outlive the conversation, so that replays can finish.
    @exclusivity(unchecked) private var delivered: [(entry: JournalEntry, size: UInt32)] = []
    @exclusivity(unchecked) package private(set) var journalBytes = 0
    /// Bytes for which ``settle(runs:contact:in:)`` has charged. Nil if it has charged nothing yet.
    @exclusivity(unchecked) private var settled: Box<(runs: Int, contact: Int)>?
    /// The user's last message, whose echo has the same metadata.
    @exclusivity(unchecked) private var heard: Decoded?
    /// Number of that message's row, or 0.
    @exclusivity(unchecked) private var heardRow: UInt32 = 0
    /// Bytes of the message that it came in.
    @exclusivity(unchecked) private var heardBytes: UInt32 = 0
    /// Script location of the last output, which the next entry usually shares.
    @exclusivity(unchecked) package var spoken = ScriptLocation()

    package init(
        handle: SessionHandle, id: String, dialect: Int, encoder: any SessionEncoder, file: String,
        userAgent: String? = nil, extensions: Extensions = []
    ) {
        self.handle = handle
        self.id = id
        self.dialect = dialect
        self.encoder = encoder
        self.file = file
        self.userAgent = userAgent
        self.extensions = extensions
    }

    // Functions of this module, because an access from another module is checked: 85 instructions each.

    /// Keeps a user's message of `count` bytes, for ``localID(of:_:)``. Returns the earlier one, which can be filled
    /// again, if it had at most `maxSpare`.
    package func hear(
        _ decoded: consuming Decoded, row: UInt32, bytes count: Int, keeping maxSpare: Int
    ) -> Decoded? {
        guard decoded.isMessage else { return nil }
        var earlier: Decoded? = decoded
        swap(&earlier, &heard)
        let isSmall = heardBytes <= maxSpare
        (heardRow, heardBytes) = (row, UInt32(clamping: count))
        return isSmall ? earlier : nil
    }

    package func speak(at place: consuming ScriptLocation) { spoken = place }

    /// Returns the client's own id of the message that the entry echoes, if any.
    package func localID(of entry: JournalEntry, _ dialects: [any Dialect]) -> Substring? {
        // The echo of a row that was just heard. A comparison of the metadata takes 400 instructions.
        if heardRow > 0, entry.cause.mark == heardRow { return Self.localID(&heard) }
        if let heard, entry.metadata == heard.input.metadata { return heard.input.localID }
        return entry.metadata.flatMap { dialects[dialect].localID(in: $0) }.map { $0[...] }
    }

    /// With a parameter, since reading the property retains its object.
    private static func localID(_ heard: inout Decoded?) -> Substring? { heard?.localID }

    package var count: Int { delivered.count }

    package func entries(after sequence: Int, limit: Int = .max) -> [JournalEntry] {
        delivered.dropFirst(sequence).prefix(limit).map(\.entry)
    }

    /// Appends an entry. Returns the bytes added: `size`, or 0 for an entry that is not the journal's next one.
    package func append(_ entry: JournalEntry, size: Int) -> Int {
        guard let sequence = entry.sequence, sequence == UInt64(delivered.count) + 1 else { return 0 }
        delivered.append((entry, UInt32(clamping: size)))
        journalBytes += size
        return size
    }

    package var heldBytes: Int { journalBytes + settledBytes }

    private var settledBytes: Int { (settled?.value.runs ?? 0) + (settled?.value.contact ?? 0) }

    /// Charges the change in the bytes of runs and of the dialect's state (`contact`) since the last call. Returns
    /// whether their sum grew.
    package func settle(runs: Int, contact: Int, in ledger: inout MemoryLedger) -> Bool {
        let before = settled?.value ?? (runs: 0, contact: 0)
        guard (runs, contact) != before else { return false }
        ledger.charge(runs - before.runs, as: .runs)
        ledger.charge(contact - before.contact, as: .contacts)
        settled = Box((runs, contact))
        return runs + contact > before.runs + before.contact
    }

    package func release(from ledger: inout MemoryLedger) {
        ledger.release(journalBytes, as: .journals)
        ledger.release(settled?.value.runs ?? 0, as: .runs)
        ledger.release(settled?.value.contact ?? 0, as: .contacts)
        (journalBytes, settled) = (0, nil)
    }

    /// Returns the next page of a history, and the index after the page. The page has at most `size` bytes, unless the
    /// entries that it must contain are longer.
    package func page(from history: Channel.History, atMost size: Int) -> (page: JournalPage, next: Int) {
        let start = min(history.next, count)
        var end = start
        let leads = history.isFirst && history.leadsWithStart && start > 0
        if history.isFirst, start == 0,
            let joined = delivered.firstIndex(where: { $0.entry.kind == .agentJoined })
        {
            end = joined + 1
        }
        let least = max(end, start + 1)
        // Adds one byte for the comma after each entry.
        func room(_ index: Int) -> Int { Int(delivered[index].size) + 1 }
        var bytes = (start..<end).reduce(leads ? room(0) : 0) { $0 + room($1) }
        while end < count, end < least || bytes + room(end) <= size {
            bytes += room(end)
            end += 1
        }
        if end == count - 1, end > least, end - start + (leads ? 1 : 0) > 2,
            room(end - 1) + room(end) <= size
        {
            end -= 1
            bytes -= room(end)
        }
        let page = delivered[start..<end].map(\.entry)
        return (JournalPage((leads ? [delivered[0].entry] : []) + page, bytes: bytes), end)
    }
}
