package import Clocks

/// The record of an event. A journaled event has a sequence number; a transient event has none.
package struct JournalEntry: Equatable, Sendable {
    // Each entry has one such object. The order of the members makes the object as small as possible.
    package final class Contents: Sendable {
        private let number: UInt64
        let id: UniqueID
        let time: Instant
        package let event: Event
        let kind: EventKind
        // Declared here, where the member fills padding bytes.
        let mark: UInt32
        let part: ScriptPart
        let metadata: String?
        private let pusher: Pusher?

        var sequence: UInt64? { number == 0 ? nil : number }
        var pushedBy: String? { pusher?.name }

        /// The author of a pushed event. A class, so that an entry without an author, the usual case, stores only a
        /// null reference.
        private final class Pusher: Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }

        fileprivate init(
            sequence: UInt64?, id: UniqueID, time: Instant, event: Event, metadata: String?,
            pushedBy: String?, cause: Cause
        ) {
            number = sequence ?? 0
            mark = cause.mark
            self.id = id
            self.time = time
            self.event = event
            kind = event.kind
            part = cause.part
            self.metadata = metadata
            pusher = pushedBy.map { Pusher($0) }
        }
    }

    /// The stored values of the entry. In hot paths, read `contents.event`, which is not copied; ``event`` is copied.
    package let contents: Contents

    /// The sequence number, counted from 1 in the session; nil for a transient event.
    package var sequence: UInt64? { contents.sequence }
    package var id: UniqueID { contents.id }
    package var time: Instant { contents.time }
    package var event: Event { contents.event }
    package var kind: EventKind { contents.kind }
    /// The `metadata.custom` object of the client event that the entry echoes or answers, as unchanged JSON text.
    package var metadata: String? { contents.metadata }
    package var pushedBy: String? { contents.pushedBy }
    /// The cause of the entry; empty for a pushed event.
    package var cause: Cause { Cause(mark: contents.mark, part: contents.part) }

    package enum Author: Equatable, Sendable {
        /// The script or the server.
        case script
        /// A client, whose input the entry echoes.
        case client
        /// An operator or a test.
        case pushed(by: String)
    }

    package var author: Author {
        if let pushedBy { return .pushed(by: pushedBy) }
        if case .messageChanged(let change) = contents.event, change.by == .user { return .client }
        switch kind {
        case .joinRequested, .userMessage, .userFile, .userTyping, .userEnded, .heartbeat: return .client
        default: return .script
        }
    }

    package init(
        sequence: UInt64?, id: UniqueID, time: Instant, event: Event, metadata: String? = nil,
        pushedBy: String? = nil, cause: Cause = Cause()
    ) {
        contents = Contents(
            sequence: sequence, id: id, time: time, event: event, metadata: metadata, pushedBy: pushedBy,
            cause: cause)
    }

    package static func == (left: Self, right: Self) -> Bool {
        if left.contents === right.contents { return true }
        return left.sequence == right.sequence && left.id == right.id && left.time == right.time
            && left.event == right.event && left.metadata == right.metadata && left.pushedBy == right.pushedBy
    }
}
