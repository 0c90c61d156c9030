import Clocks
import ConversationEngine
import LawBook

/// What the server knows of a session besides its conversation: what its clients were told of the journal.
final class SessionWire {
    let handle: SessionHandle
    /// The session's own id, for the log.
    let id: String
    let dialect: Int
    /// The file of its script, for the log.
    let file: String
    /// Where the law book keeps the session.
    var lawPlace = LawBook.Place()
    /// Index + 1 is the sequence. The bytes of an entry are put together anew for each history: kept, they would
    /// take as much memory again as the entries.
    private(set) var told: [(entry: JournalEntry, size: UInt32)] = []
    /// What all of it takes on the wire.
    private(set) var byteCount = 0
    /// When the user last said something.
    var lastHeard: Instant?
    /// The metadata of what the user said last, and the client's own id in it.
    var heard: (metadata: String, localID: String?)?
    /// The rule that answered last.
    var rule = ""

    init(handle: SessionHandle, id: String, dialect: Int, file: String) {
        self.handle = handle
        self.id = id
        self.dialect = dialect
        self.file = file
    }

    /// One more entry of the journal was told, in `size` bytes.
    func append(_ entry: JournalEntry, size: Int) {
        told.append((entry, UInt32(clamping: size)))
        byteCount += size
    }

    /// The next entries of a history, their bytes on the wire, and where the page after them begins.
    ///
    /// A page has at most `size` bytes, unless its only entry is longer, so that it fills one message. It leaves no
    /// entry alone behind it: clients that treat a message of one event otherwise than longer ones would show it
    /// before them. A first page reaches to the first joining of the agent: start and joining must not come apart.
    func page(
        from history: Connection.History, atMost size: Int
    ) -> (entries: [JournalEntry], bytes: Int, next: Int) {
        let start = min(history.next, told.count)
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
        while end < told.count, end < least || bytes + room(end) <= size {
            bytes += room(end)
            end += 1
        }
        if end == told.count - 1, end > least, end - start + (leads ? 1 : 0) > 2,
            room(end - 1) + room(end) <= size
        {
            end -= 1
            bytes -= room(end)
        }
        var page = told[start..<end].map(\.entry)
        if leads { page.insert(told[0].entry, at: 0) }
        return (page, bytes, end)
    }
}
