package import Clocks

/// Record of an event. A journaled event has a sequence number; a transient event has none.
package struct JournalEntry: Equatable, Sendable {
    package enum Values: Sendable {
        case event(Contents)
        case said(SaidMessage)
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

    /// The echo of a user's message, packed. A short message takes 208 bytes and one allocation in place of 352 and four,
    /// because its id's prefix, its text and its metadata are stored in the object.
    package final class SaidMessage: Sendable {
        fileprivate let head: Head
        private let word: UInt64
        /// The id's prefix, the text and the metadata.
        package let words: InlineBytes
        private let textEnd: UInt32
        private let prefixEnd: UInt8
        private let hasMetadata: Bool

        private init(
            _ head: Head, word: UInt64, _ words: InlineBytes, textEnd: UInt32, prefixEnd: UInt8,
            hasMetadata: Bool
        ) {
            self.words = words
            self.head = head
            self.word = word
            self.textEnd = textEnd
            self.prefixEnd = prefixEnd
            self.hasMetadata = hasMetadata
        }

        /// Packs a user's message, unless its id is a text. Returns nil for other events.
        fileprivate static func packed(_ head: Head, _ event: Event, metadata: String?) -> SaidMessage? {
            guard case .userMessage(let id, let text) = event else { return nil }
            return packed(head, id, text, metadata: metadata)
        }

        fileprivate static func packed(
            _ head: Head, _ id: MessageID, _ text: String, metadata: String?
        ) -> SaidMessage? {
            guard let word = id.word,
                let prefixEnd = UInt8(exactly: id.prefix.utf8.count),
                let textEnd = UInt32(exactly: Int(prefixEnd) + text.utf8.count)
            else { return nil }
            let words = InlineBytes(count: Int(textEnd) + (metadata?.utf8.count ?? 0)) { room in
                copy(id.prefix, to: room, at: 0)
                copy(text, to: room, at: Int(prefixEnd))
                if let metadata { copy(metadata, to: room, at: Int(textEnd)) }
            }
            return SaidMessage(
                head, word: word, words, textEnd: textEnd, prefixEnd: prefixEnd, hasMetadata: metadata != nil)
        }

        /// Copies the text as a block. As a C string, since its view of bytes would retain it.
        @inline(__always)
        private static func copy(_ text: String, to room: UnsafeMutableRawBufferPointer, at start: Int) {
            let count = text.utf8.count
            let place = UnsafeMutableRawBufferPointer(rebasing: room[start..<start + count])
            text.withCString { place.copyMemory(from: UnsafeRawBufferPointer(start: $0, count: count)) }
        }

        /// Place of the text in ``words``.
        package var text: Range<Int> { Int(prefixEnd)..<Int(textEnd) }
        /// Place of the metadata in ``words``.
        package var customMetadata: Range<Int>? { hasMetadata ? Int(textEnd)..<words.count : nil }

        /// Bytes of the text of the message's id.
        package var idBytes: Int { Int(prefixEnd) + UniqueID.wordBytes }

        /// Writes the text of the message's id. Returns its length.
        package func writeID(to room: UnsafeMutableRawBufferPointer) -> Int {
            words.withUnsafeBytes {
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<Int(prefixEnd)]))
            }
            UniqueID.write(word, to: room, at: Int(prefixEnd))
            return idBytes
        }

        fileprivate var metadata: String? {
            customMetadata.map(words.text)
        }

        fileprivate var event: Event {
            .userMessage(id: MessageID(words.text(0..<Int(prefixEnd)), word), text: words.text(text))
        }
    }

    /// Values of the entry. Hot paths read them here, because ``event`` and ``metadata`` copy.
    package let values: Values

    private var head: Head {
        switch values {
        case .event(let contents): contents.head
        case .said(let message): message.head
        }
    }

    package var sequence: UInt64? { head.number == 0 ? nil : head.number }
    package var id: UniqueID { head.id }
    package var time: Instant { head.time }
    package var cause: Cause { head.cause }
    package var event: Event {
        switch values {
        case .event(let contents): contents.event
        case .said(let message): message.event
        }
    }
    package var isUserMessage: Bool { kind == .userMessage }
    package var kind: EventKind {
        switch values {
        case .event(let contents): contents.kind
        case .said: .userMessage
        }
    }
    /// `metadata.custom` of the client event that the entry echoes or answers, as unchanged JSON text.
    package var metadata: String? {
        switch values {
        case .event(let contents): contents.metadata
        case .said(let message): message.metadata
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
        if pushedBy == nil, let message = SaidMessage.packed(head, event, metadata: metadata) {
            values = .said(message)
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
        if pushedBy == nil, let message = SaidMessage.packed(head, message, text, metadata: metadata) {
            values = .said(message)
        } else {
            let event = Event.userMessage(id: message, text: text)
            values = .event(Contents(head, event: event, metadata: metadata, pushedBy: pushedBy))
        }
    }

    /// Creates the entry of an object that was in ``values``.
    package init?(_ object: AnyObject) {
        if let message = object as? SaidMessage {
            values = .said(message)
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
