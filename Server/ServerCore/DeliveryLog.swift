package import ConversationEngine
package import DialectKit
package import Matching

/// Location of a part of a script, for rows.
package struct ScriptLocation {
    package var part: ScriptPart
    /// Its first line in the file; 0: none.
    package var line: UInt32
    /// Empty: no rule.
    package var rule: String
    /// The timer that caused it; empty: none.
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

/// Delivery state of a session: the entries that its clients received, its encoder and its memory charges.
package final class DeliveryLog {
    package let handle: SessionHandle
    package let id: String
    package let dialect: Int
    package let file: String
    package let userAgent: String?
    package let encoder: any SessionEncoder
    /// For the protocol rules (``ClientProtocolRules/judge(_:at:place:)``).
    package var protocolRulePlace = -1
    /// Index + 1 is the sequence. An entry is encoded anew for each history: kept bytes would double the memory. The entries
    /// outlive the conversation: a history in progress is sent to its end.
    private var told: [(entry: JournalEntry, size: UInt32)] = []
    package private(set) var journalBytes = 0
    /// Bytes charged for runs and contact by the last ``settle(runs:contact:in:)``; nil if the session has neither.
    private var settled: Box<(runs: Int, contact: Int)>?
    /// Metadata of the user's last message, and the client's own id in it.
    package var heard: (metadata: String, localID: String?)?
    /// The part of the script that spoke last; the next entry is most often from the same.
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

    package var count: Int { told.count }

    /// The entries after `sequence`, `limit` at most.
    package func entries(after sequence: Int, limit: Int = .max) -> [JournalEntry] {
        told.dropFirst(sequence).prefix(limit).map(\.entry)
    }

    /// Appends an entry of `size` bytes and returns the bytes it adds; none when it is delivered again.
    package func append(_ entry: JournalEntry, size: Int) -> Int {
        guard let sequence = entry.sequence, sequence == UInt64(told.count) + 1 else { return 0 }
        told.append((entry, UInt32(clamping: size)))
        journalBytes += size
        return size
    }

    package var heldBytes: Int { journalBytes + settledBytes }

    private var settledBytes: Int { (settled?.value.runs ?? 0) + (settled?.value.contact ?? 0) }

    /// Charges the change in bytes of runs and contact. True when they grew.
    package func settle(runs: Int, contact: Int, in ledger: inout MemoryLedger) -> Bool {
        let before = settled?.value ?? (runs: 0, contact: 0)
        guard (runs, contact) != before else { return false }
        ledger.charge(runs - before.runs, as: .runs)
        ledger.charge(contact - before.contact, as: .contacts)
        settled = Box((runs, contact))
        return runs + contact > before.runs + before.contact
    }

    /// Releases all charges of the session.
    package func release(from ledger: inout MemoryLedger) {
        ledger.release(journalBytes, as: .journals)
        ledger.release(settled?.value.runs ?? 0, as: .runs)
        ledger.release(settled?.value.contact ?? 0, as: .contacts)
        (journalBytes, settled) = (0, nil)
    }

    /// The next page of a history, and the start of the page after it. A page has at most `size` bytes, unless its only entry is
    /// longer. It leaves no single entry for the next one: some clients show a message of one event before longer ones. A first
    /// page includes the first joining of the agent, which must not be separated from the start.
    package func page(from history: Channel.History, atMost size: Int) -> (page: JournalPage, next: Int) {
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
