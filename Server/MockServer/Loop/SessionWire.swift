import ConversationEngine
import DialectKit

/// What a session's clients were told, encoded once: connections and replays share the bytes.
struct SessionWire {
    let handle: SessionHandle
    /// The session's own id, for the log.
    let id: String
    let dialect: Int
    /// Index + 1 is the sequence.
    var entries: [EncodedEntry] = []

    /// The entries behind `cursor`; the first of all leads when `includesStart`.
    func history(after cursor: UInt64, includesStart: Bool) -> [EncodedEntry] {
        let start = Int(min(cursor, UInt64(entries.count)))
        guard start > 0, includesStart, let first = entries.first else { return Array(entries[start...]) }
        return [first] + entries[start...]
    }
}
