/// JSON of a run request in its dialect's form. A class, so that all owners share one copy.
package final class RunBody: Equatable, Sendable {
    package static let empty = RunBody([])

    /// The part of the request that later requests of the thread need.
    package let thread: [UInt8]
    /// Index of ``thread``, made by the dialect so that the thread is not parsed again.
    package let notes: (any Sendable)?
    /// The whole request; nil if it equals ``thread``.
    private let rest: [UInt8]?

    package init(_ thread: [UInt8], whole: [UInt8]? = nil, notes: (any Sendable)? = nil) {
        self.thread = thread
        self.notes = notes
        rest = whole
    }

    package var isEmpty: Bool { thread.isEmpty }
    package var whole: [UInt8] { rest ?? thread }
    package var byteCount: Int { thread.count + (rest?.count ?? 0) }

    /// Body without the whole request.
    package var threadAlone: RunBody { rest == nil ? self : RunBody(thread, notes: notes) }

    package static func == (left: RunBody, right: RunBody) -> Bool {
        left === right || left.thread == right.thread && left.rest == right.rest
    }
}
