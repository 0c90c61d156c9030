import Clocks

/// The latest user messages of a session with their echoes. `local_id` and text are hashed.
struct EchoMemory: Sendable {
    struct Entry: Sendable {
        var id: Int
        var text: Int
        var connection: UInt64?
        var echoedAt: Instant?
    }

    private var entries: [Entry] = []
    private var oldest = 0

    /// Returns the earlier entry with this `local_id`, or records the message.
    mutating func note(_ id: String, text: String) -> Entry? {
        let hash = id.hashValue
        if let known = entries.first(where: { $0.id == hash }) { return known }
        let entry = Entry(id: hash, text: text.hashValue)
        if entries.count < ProtocolRuleLimits.localIDs {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % ProtocolRuleLimits.localIDs
        }
        return nil
    }

    func isOther(_ text: String, than entry: Entry) -> Bool { entry.text != text.hashValue }

    mutating func echoed(_ id: String, on connection: UInt64, at now: Instant) {
        let hash = id.hashValue
        guard let place = entries.firstIndex(where: { $0.id == hash }) else { return }
        guard entries[place].connection != connection else { return }
        entries[place].connection = connection
        entries[place].echoedAt = now
    }
}
