package import Clocks

/// Record of an event. A journaled event has a sequence number; a transient event has none.
package struct JournalEntry: Equatable, Sendable {
    package enum Values: Sendable {
        case event(Contents)
        case said(SaidMessage)
        case long(LongMessage)
    }

    fileprivate struct Head: Sendable {
        let number: UInt64
        let id: UniqueID
        let time: Instant
        let cause: Cause
    }

    // The members are ordered so that the object is small.
    package final class Contents: Sendable {
        fileprivate let head: Head
        package let event: Event
        fileprivate let kind: EventKind
        fileprivate let metadata: String?
        private let pusher: Pusher?

        fileprivate var pushedBy: String? { pusher?.name }

        /// Author of a pushed event. A class, so that other entries store only a null reference.
        private final class Pusher: Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }

        fileprivate init(_ head: Head, event: consuming Event, metadata: String?, pushedBy: String?) {
            self.head = head
            kind = event.kind
            self.event = event
            self.metadata = metadata
            pusher = pushedBy.map { Pusher($0) }
        }
    }

    /// Where the echo of a user's message has its id's prefix, its text and its metadata in its bytes.
    package struct SaidPlaces: Sendable {
        private let word: UInt64
        private let textEnd: UInt32
        fileprivate let count: UInt32
        private let prefixEnd: UInt8
        private let hasMetadata: Bool

        /// Nil for an id that is a text.
        fileprivate init?(_ id: MessageID, _ text: String, _ metadata: String?) {
            guard let word = id.word,
                let prefixEnd = UInt8(exactly: id.prefix.utf8.count),
                let textEnd = UInt32(exactly: Int(prefixEnd) + text.utf8.count),
                let count = UInt32(exactly: Int(textEnd) + (metadata?.utf8.count ?? 0))
            else { return nil }
            self.word = word
            self.textEnd = textEnd
            self.count = count
            self.prefixEnd = prefixEnd
            hasMetadata = metadata != nil
        }

        package var text: Range<Int> { Int(prefixEnd)..<Int(textEnd) }
        package var customMetadata: Range<Int>? { hasMetadata ? Int(textEnd)..<Int(count) : nil }

        /// Bytes of the text of the message's id.
        package var idBytes: Int { Int(prefixEnd) + UniqueID.wordBytes }

        /// Writes the text of the message's id. Returns its length.
        package func writeID(of words: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int
        {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: words[..<Int(prefixEnd)]))
            UniqueID.write(word, to: room, at: Int(prefixEnd))
            return idBytes
        }

        /// Lends the bytes of prefix, text and metadata to `use`. As C strings, since views of bytes would retain them.
        @inline(__always)
        fileprivate static func parts(
            _ id: MessageID, _ text: String, _ metadata: String?, _ use: (UnsafeRawBufferPointer) -> Void
        ) {
            part(id.prefix, use)
            part(text, use)
            if let metadata { part(metadata, use) }
        }

        @inline(__always)
        private static func part(_ text: String, _ use: (UnsafeRawBufferPointer) -> Void) {
            let count = text.utf8.count
            text.withCString { use(UnsafeRawBufferPointer(start: $0, count: count)) }
        }

        fileprivate func metadata(in words: UnsafeRawBufferPointer) -> String? {
            customMetadata.map { Self.string($0, in: words) }
        }

        fileprivate func event(in words: UnsafeRawBufferPointer) -> Event {
            let prefix = Self.string(0..<Int(prefixEnd), in: words)
            return .userMessage(id: MessageID(prefix, word), text: Self.string(text, in: words))
        }

        private static func string(_ place: Range<Int>, in words: UnsafeRawBufferPointer) -> String {
            String(decoding: UnsafeRawBufferPointer(rebasing: words[place]), as: UTF8.self)
        }
    }

    /// The echo of a user's message, packed. Takes 208 bytes and one allocation in place of 352 and four, because its id's
    /// prefix, its text and its metadata are stored in the object.
    package final class SaidMessage: Sendable {
        fileprivate let head: Head
        package let places: SaidPlaces
        package let words: InlineBytes

        fileprivate init(_ head: Head, _ places: SaidPlaces, _ words: consuming InlineBytes) {
            self.head = head
            self.places = places
            self.words = words
        }
    }

    /// Like ``SaidMessage``, for more bytes than that has room for.
    package final class LongMessage: Sendable {
        fileprivate let head: Head
        package let places: SaidPlaces
        package let words: [UInt8]

        fileprivate init(_ head: Head, _ places: SaidPlaces, _ words: consuming [UInt8]) {
            self.head = head
            self.places = places
            self.words = words
        }
    }

    /// Packs a user's message; nil for an id that is a text.
    private static func packed(_ head: Head, _ id: MessageID, _ text: String, metadata: String?) -> Values? {
        guard let places = SaidPlaces(id, text, metadata) else { return nil }
        if places.count <= InlineBytes.capacity {
            let words = InlineBytes { room in
                var end = 0
                SaidPlaces.parts(id, text, metadata) {
                    UnsafeMutableRawBufferPointer(rebasing: room[end...]).copyMemory(from: $0)
                    end += $0.count
                }
            }
            return .said(SaidMessage(head, places, words))
        }
        var words: [UInt8] = []
        words.reserveCapacity(Int(places.count))
        SaidPlaces.parts(id, text, metadata) { words.append(contentsOf: $0) }
        return .long(LongMessage(head, places, words))
    }

    /// Values of the entry. Hot paths read them here, because ``event`` and ``metadata`` copy.
    package let values: Values

    private var head: Head {
        switch values {
        case .event(let contents): contents.head
        case .said(let message): message.head
        case .long(let message): message.head
        }
    }

    package var sequence: UInt64? { head.number == 0 ? nil : head.number }
    package var id: UniqueID { head.id }
    package var time: Instant { head.time }
    package var cause: Cause { head.cause }
    package var event: Event {
        switch values {
        case .event(let contents): contents.event
        case .said(let message): message.words.withUnsafeBytes { message.places.event(in: $0) }
        case .long(let message): message.words.withUnsafeBytes { message.places.event(in: $0) }
        }
    }
    package var isUserMessage: Bool { kind == .userMessage }
    package var kind: EventKind {
        switch values {
        case .event(let contents): contents.kind
        case .said, .long: .userMessage
        }
    }
    /// `metadata.custom` of the client event that the entry echoes or answers, as unchanged JSON text.
    package var metadata: String? {
        switch values {
        case .event(let contents): contents.metadata
        case .said(let message): message.words.withUnsafeBytes { message.places.metadata(in: $0) }
        case .long(let message): message.words.withUnsafeBytes { message.places.metadata(in: $0) }
        }
    }
    package var pushedBy: String? {
        if case .event(let contents) = values { contents.pushedBy } else { nil }
    }
    /// The object that has the values.
    private var object: AnyObject {
        switch values {
        case .event(let contents): contents
        case .said(let message): message
        case .long(let message): message
        }
    }

    package enum Author: Equatable, Sendable {
        case script
        /// A client, whose input the entry echoes.
        case client
        case pushed(by: String)
    }

    package var author: Author {
        if let pushedBy { return .pushed(by: pushedBy) }
        switch kind {
        case .joinRequested, .userMessage, .userFile, .userTyping, .userEnded, .heartbeat: return .client
        case .messageChanged:
            if case .messageChanged(let change) = event, change.by == .user { return .client }
            return .script
        default: return .script
        }
    }

    package init(
        sequence: UInt64?, id: UniqueID, time: Instant, event: consuming Event, metadata: String? = nil,
        pushedBy: String? = nil, cause: Cause = Cause()
    ) {
        let head = Head(number: sequence ?? 0, id: id, time: time, cause: cause)
        if pushedBy == nil, case .userMessage(let id, let text) = event,
            let packed = Self.packed(head, id, text, metadata: metadata)
        {
            values = packed
        } else {
            values = .event(Contents(head, event: event, metadata: metadata, pushedBy: pushedBy))
        }
    }

    /// Creates the entry of a user's message.
    init(
        sequence: UInt64?, id: UniqueID, time: Instant, message: MessageID, text: String, metadata: String?,
        pushedBy: String?, cause: Cause
    ) {
        let head = Head(number: sequence ?? 0, id: id, time: time, cause: cause)
        if pushedBy == nil, let packed = Self.packed(head, message, text, metadata: metadata) {
            values = packed
        } else {
            let event = Event.userMessage(id: message, text: text)
            values = .event(Contents(head, event: event, metadata: metadata, pushedBy: pushedBy))
        }
    }

    /// Creates the entry of an object that was in ``values``.
    package init?(_ object: AnyObject) {
        if let message = object as? SaidMessage {
            values = .said(message)
        } else if let message = object as? LongMessage {
            values = .long(message)
        } else if let contents = object as? Contents {
            values = .event(contents)
        } else {
            return nil
        }
    }

    package static func == (left: Self, right: Self) -> Bool {
        if left.object === right.object { return true }
        return left.sequence == right.sequence && left.id == right.id && left.time == right.time
            && left.event == right.event && left.metadata == right.metadata && left.pushedBy == right.pushedBy
    }
}
