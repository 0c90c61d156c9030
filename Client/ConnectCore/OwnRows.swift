import Clocks

/// Own messages whose transcript items have not arrived, by content type and text.
struct OwnRows: Sendable {
    private struct Words: Hashable, Sendable {
        var contentType: String
        var text: String
    }

    struct Entry: Sendable {
        var persistentID: String
        var at: Instant?
    }

    private var entries: [Words: [Entry]] = [:]

    var all: [Entry] { entries.values.flatMap { $0 } }

    mutating func add(_ row: TranscriptRow, at moment: Instant? = nil) {
        let entry = Entry(persistentID: row.persistentId, at: moment)
        entries[Words(contentType: row.contentType, text: row.text), default: []].append(entry)
    }

    mutating func remove(_ row: TranscriptRow) {
        let words = Words(contentType: row.contentType, text: row.text)
        guard let place = entries[words]?.firstIndex(where: { $0.persistentID == row.persistentId }) else {
            return
        }
        entries[words]?.remove(at: place)
        if entries[words]?.isEmpty == true { entries[words] = nil }
    }

    func first(_ contentType: String, _ text: String, where fits: (Entry) -> Bool) -> Entry? {
        entries[Words(contentType: contentType, text: text)]?.first(where: fits)
    }
}
