import Clocks
import ConversationEngine
import LawBook

/// What the server knows of a session besides its conversation: how far its clients were told of the journal.
final class SessionWire {
    let handle: SessionHandle
    /// The session's own id, for the log.
    let id: String
    let dialect: Int
    /// The file of its script, for the log.
    let file: String
    /// Where the law book keeps the session.
    var lawPlace = LawBook.Place()
    /// Entries of the journal that were told, the first ones. What they are on the wire is put together anew for
    /// each history: it would cost more memory than the rest of the session.
    var toldCount = 0
    /// Bytes of these entries on the wire.
    var byteCount = 0
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
}
