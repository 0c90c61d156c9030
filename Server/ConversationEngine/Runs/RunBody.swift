/// The JSON text of a request, as its dialect keeps it; opaque here. A reference: all who keep it share one copy, and
/// letting go of megabytes costs as little as letting go of a word.
package final class RunBody: Equatable, Sendable {
    /// That of a client without runs.
    package static let empty = RunBody([])

    /// The part that later requests of the thread build on.
    package let thread: [UInt8]
    /// The dialect's notes on ``thread``, so that the text need not be parsed again.
    package let notes: (any Sendable)?
    /// The whole request; nil where ``thread`` is.
    private let rest: [UInt8]?

    package init(_ thread: [UInt8], whole: [UInt8]? = nil, notes: (any Sendable)? = nil) {
        self.thread = thread
        self.notes = notes
        rest = whole
    }

    package var isEmpty: Bool { thread.isEmpty }
    package var whole: [UInt8] { rest ?? thread }
    package var byteCount: Int { thread.count + (rest?.count ?? 0) }

    /// The body without the whole request, which is needed only for an event that echoes the request.
    package var threadAlone: RunBody { rest == nil ? self : RunBody(thread, notes: notes) }

    package static func == (left: RunBody, right: RunBody) -> Bool {
        left === right || left.thread == right.thread && left.rest == right.rest
    }
}
