import Clocks
import ConversationEngine
import DialectKit
import LawBook

/// What a session's clients were told, encoded once: connections and replays share the bytes.
final class SessionWire {
    let handle: SessionHandle
    /// The session's own id, for the log.
    let id: String
    let dialect: Int
    /// The file of its script, for the log.
    let file: String
    /// Where the law book keeps the session.
    var lawPlace = LawBook.Place()
    /// Index + 1 is the sequence.
    private(set) var entries: [EncodedEntry] = []
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

    func append(_ entry: EncodedEntry) {
        byteCount += entry.bytes.count
        entries.append(entry)
    }

    /// The next entries of a history, and where the page after them begins.
    ///
    /// A first page reaches to the first joining of the agent: start and joining must not come apart
    /// (poly-messaging 2.4).
    func page(
        from history: Connection.History, atLeast size: Int
    ) -> (entries: [EncodedEntry], next: Int) {
        let start = min(history.next, entries.count)
        var end = start
        var bytes = 0
        while end < entries.count, bytes < size {
            bytes += entries[end].bytes.count
            end += 1
        }
        if history.isFirst, start == 0, let joined = entries.firstIndex(where: { $0.kind == .agentJoined }) {
            end = max(end, joined + 1)
        }
        var page = Array(entries[start..<end])
        if history.isFirst, history.leadsWithStart, start > 0, let first = entries.first {
            page.insert(first, at: 0)
        }
        return (page, end)
    }
}
