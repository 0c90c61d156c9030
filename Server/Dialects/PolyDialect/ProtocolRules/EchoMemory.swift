import Clocks

/// The latest user messages of a session with their echoes. `local_id` and text are hashed.
struct EchoMemory: Sendable {
    struct Entry: Sendable {
        var id: UInt64
        var text: UInt64
        var connection: UInt64?
        @Packed var echoedAt: Instant?
    }

    private var entries: [Entry] = []
    private var oldest: UInt8 = 0
    /// Index of the entry added last, which is usually the next one to be echoed.
    private var newest: UInt8 = 0

    /// Returns the earlier entry with this `local_id`, or records the message.
    mutating func note(_ id: Substring, text: String) -> Entry? {
        let hash = Self.hash(id)
        if let known = place(of: hash) { return entries[known] }
        let entry = Entry(id: hash, text: Self.hash(text))
        if entries.count < ProtocolRuleLimits.localIDs {
            newest = UInt8(entries.count)
            entries.append(entry)
        } else {
            newest = oldest
            entries[Int(oldest)] = entry
            oldest = (oldest + 1) % UInt8(ProtocolRuleLimits.localIDs)
        }
        return nil
    }

    /// In a loop over the memory, because a new id is compared with all: 130 instructions in place of 260.
    private func place(of hash: UInt64) -> Int? {
        entries.withUnsafeBufferPointer { entries in
            var place = 0
            while place < entries.count {
                if entries[place].id == hash { return place }
                place &+= 1
            }
            return nil
        }
    }

    func isOther(_ text: String, than entry: Entry) -> Bool { entry.text != Self.hash(text) }

    mutating func echoed(_ id: Substring, on connections: some Sequence<UInt64>, at now: Instant) {
        let hash = Self.hash(id)
        let newest = Int(newest)
        let isNewest = newest < entries.count && entries[newest].id == hash
        guard let place = isNewest ? newest : place(of: hash) else { return }
        for connection in connections where entries[place].connection != connection {
            entries[place].connection = connection
            entries[place].echoedAt = now
        }
    }

    /// Hashes 16 bytes at a time, the last of which overlap those before. `hashValue` cost 370 instructions per text, and
    /// a message needs three hashes.
    static func hash(_ text: some StringProtocol) -> UInt64 {
        text.utf8.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) }
            ?? Array(text.utf8).withUnsafeBytes { hash($0) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        func mix(_ left: UInt64, _ right: UInt64) {
            // Both halves of the product, since the low half alone made texts with counters collide.
            let product = (hash ^ left).multipliedFullWidth(by: right ^ 0xD6E8_FEB8_6659_FD93)
            hash = (product.high ^ product.low) &+ 0x9E37_79B9_7F4A_7C15
        }
        func word(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) }
        let count = bytes.count
        if count >= 16 {
            for index in stride(from: 0, to: count - 16, by: 16) { mix(word(index), word(index + 8)) }
            mix(word(count - 16), word(count - 8))
        } else if count >= 8 {
            mix(word(0), word(count - 8))
        } else {
            mix(bytes.reduce(0) { $0 << 8 | UInt64($1) }, 0)
        }
        return hash
    }
}
