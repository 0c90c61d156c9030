/// JSON of a request as its dialect keeps it, opaque here. A class: all owners share one copy, and releasing megabytes
/// is cheap.
package final class RunBody: Equatable, Sendable {
    /// An empty body, for clients without runs.
    package static let empty = RunBody([])

    /// Part that later requests of the thread use.
    package let thread: [UInt8]
    /// The dialect's index of ``thread``, which saves parsing.
    package let notes: (any Sendable)?
    /// Whole request; nil if it is ``thread``.
    private let rest: [UInt8]?

    package init(_ thread: [UInt8], whole: [UInt8]? = nil, notes: (any Sendable)? = nil) {
        self.thread = thread
        self.notes = notes
        rest = whole
    }

    package var isEmpty: Bool { thread.isEmpty }
    package var whole: [UInt8] { rest ?? thread }
    package var byteCount: Int { thread.count + (rest?.count ?? 0) }

    /// Without the whole request, which only an echoing event needs.
    package var threadAlone: RunBody { rest == nil ? self : RunBody(thread, notes: notes) }

    package static func == (left: RunBody, right: RunBody) -> Bool {
        left === right || left.thread == right.thread && left.rest == right.rest
    }
}
