package import ConversationEngine
package import DialectKit
package import Matching

/// What rows say of a part of a script.
package struct ScriptLocation {
    package var part: ScriptPart
    /// Where it begins in the file; 0: nowhere.
    package var line: UInt32
    /// Empty: it is no rule.
    package var rule: String
    /// The timer that has it told; empty: none.
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

/// What the server knows of a session besides its conversation: what its clients were told of the journal.
package final class DeliveryLog {
    package let handle: SessionHandle
    /// The session's own id, for the log.
    package let id: String
    package let dialect: Int
    /// The file of its script, for the log.
    package let file: String
    /// The program that asked for the session, as it names itself.
    package let userAgent: String?
    /// Encodes the session for all of its clients.
    package let encoder: any SessionEncoder
    /// For the laws (``ClientLaws/judge(_:at:place:)``).
    package var lawPlace = -1
    /// Index + 1 is the sequence. The bytes of an entry are put together anew for each history: kept, they would
    /// take as much memory again as the entries. The entries outlive the conversation: a history that is on its way
    /// when the session is forgotten is told to its end.
    private var told: [(entry: JournalEntry, size: UInt32)] = []
    /// What all of it takes on the wire.
    package private(set) var journalBytes = 0
    /// Bytes of the session's runs and of its contact, as of the last ``settle(runs:contact:in:)``; nil for a session with neither.
    private var settled: Box<(runs: Int, contact: Int)>?
    /// The metadata of what the user said last, and the client's own id in it.
    package var heard: (metadata: String, localID: String?)?
    /// The part of the script that spoke last, in words. The next entry is most often from the same.
    package var spoken = ScriptLocation()

    package init(
        handle: SessionHandle, id: String, dialect: Int, encoder: any SessionEncoder, file: String,
        userAgent: String? = nil
    ) {
        self.handle = handle
        self.id = id
        self.dialect = dialect
        self.encoder = encoder
        self.file = file
        self.userAgent = userAgent
    }

    /// Entries that were told.
    package var count: Int { told.count }

    /// The entries behind `sequence`, `limit` at most.
    package func entries(after sequence: Int, limit: Int = .max) -> [JournalEntry] {
        told.dropFirst(sequence).prefix(limit).map(\.entry)
    }

    /// An entry was told, in `size` bytes. One that is told again was counted already.
    ///
    /// - Returns: the bytes that it adds.
    package func append(_ entry: JournalEntry, size: Int) -> Int {
        guard let sequence = entry.sequence, sequence == UInt64(told.count) + 1 else { return 0 }
        told.append((entry, UInt32(clamping: size)))
        journalBytes += size
        return size
    }

    /// Bytes that the session holds.
    package var heldBytes: Int { journalBytes + settledBytes }

    private var settledBytes: Int { (settled?.value.runs ?? 0) + (settled?.value.contact ?? 0) }

    /// Its runs and what its dialect remembers take so much now; the difference is charged.
    ///
    /// - Returns: whether they take more than before.
    package func settle(runs: Int, contact: Int, in ledger: inout MemoryLedger) -> Bool {
        let before = settled?.value ?? (runs: 0, contact: 0)
        guard (runs, contact) != before else { return false }
        ledger.charge(runs - before.runs, as: .runs)
        ledger.charge(contact - before.contact, as: .contacts)
        settled = Box((runs, contact))
        return runs + contact > before.runs + before.contact
    }

    /// The session is given up, and what it held counts no more.
    package func release(from ledger: inout MemoryLedger) {
        ledger.release(journalBytes, as: .journals)
        ledger.release(settled?.value.runs ?? 0, as: .runs)
        ledger.release(settled?.value.contact ?? 0, as: .contacts)
        (journalBytes, settled) = (0, nil)
    }

    /// The next page of a history, and where the page after it begins.
    ///
    /// A page has at most `size` bytes, unless its only entry is longer, so that it fills one message. It leaves no
    /// entry alone behind it: clients that treat a message of one event otherwise than longer ones would show it
    /// before them. A first page reaches to the first joining of the agent: start and joining must not come apart.
    package func page(
        from history: Channel.History, atMost size: Int
    ) -> (page: JournalPage, next: Int) {
        let start = min(history.next, count)
        var end = start
        let leads = history.isFirst && history.leadsWithStart && start > 0
        if history.isFirst, start == 0,
            let joined = told.firstIndex(where: { $0.entry.kind == .agentJoined })
        {
            end = joined + 1
        }
        let least = max(end, start + 1)
        // With the comma that each has.
        func room(_ index: Int) -> Int { Int(told[index].size) + 1 }
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
        let page = told[start..<end].map(\.entry)
        return (JournalPage((leads ? [told[0].entry] : []) + page, bytes: bytes), end)
    }
}
