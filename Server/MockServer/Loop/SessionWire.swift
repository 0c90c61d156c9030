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
    /// Bytes on the wire of each entry of the journal that was told. The bytes themselves are put together anew for
    /// each history: they would cost more memory than the rest of the session.
    private(set) var sizes: [UInt32] = []
    /// All of these bytes.
    private(set) var byteCount = 0
    /// Entries of the journal that were told, the first ones.
    var toldCount: Int { sizes.count }
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

    /// One more entry of the journal was told.
    func noteTold(_ size: Int) {
        sizes.append(UInt32(clamping: size))
        byteCount += size
    }
}
