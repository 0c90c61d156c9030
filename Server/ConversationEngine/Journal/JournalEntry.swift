package import Clocks

/// Record of an event. A journaled event has a sequence number; a transient event has none.
package struct JournalEntry: Equatable, Sendable {
    // The members are ordered so that the object is small.
    package final class Contents: Sendable {
        private let number: UInt64
        let id: UniqueID
        let time: Instant
        package let event: Event
        let kind: EventKind
        // Needs no extra space here, because it fills the padding after `kind`.
        let mark: UInt32
        let part: ScriptPart
        let metadata: String?
        private let pusher: Pusher?

        var sequence: UInt64? { number == 0 ? nil : number }
        var pushedBy: String? { pusher?.name }

        /// Author of a pushed event. A class, so that other entries store only a null reference.
        private final class Pusher: Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }

        fileprivate init(
            sequence: UInt64?, id: UniqueID, time: Instant, event: consuming Event, metadata: String?,
            pushedBy: String?, cause: Cause
        ) {
            number = sequence ?? 0
            mark = cause.mark
            self.id = id
            self.time = time
            kind = event.kind
            self.event = event
            part = cause.part
            self.metadata = metadata
            pusher = pushedBy.map { Pusher($0) }
        }
    }

    /// Values of the entry. Hot paths read `contents.event`, because ``event`` copies.
    package let contents: Contents

    package var sequence: UInt64? { contents.sequence }
    package var id: UniqueID { contents.id }
    package var time: Instant { contents.time }
    package var event: Event { contents.event }
    package var kind: EventKind { contents.kind }
    /// `metadata.custom` of the client event that the entry echoes or answers, as unchanged JSON text.
    package var metadata: String? { contents.metadata }
    package var pushedBy: String? { contents.pushedBy }
    package var cause: Cause { Cause(mark: contents.mark, part: contents.part) }

    package enum Author: Equatable, Sendable {
        case script
        /// A client, whose input the entry echoes.
        case client
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
        sequence: UInt64?, id: UniqueID, time: Instant, event: consuming Event, metadata: String? = nil,
        pushedBy: String? = nil, cause: Cause = Cause()
    ) {
        contents = Contents(
            sequence: sequence, id: id, time: time, event: event, metadata: metadata, pushedBy: pushedBy,
            cause: cause)
    }

    package init(_ contents: Contents) { self.contents = contents }

    package static func == (left: Self, right: Self) -> Bool {
        if left.contents === right.contents { return true }
        return left.sequence == right.sequence && left.id == right.id && left.time == right.time
            && left.event == right.event && left.metadata == right.metadata && left.pushedBy == right.pushedBy
    }
}
