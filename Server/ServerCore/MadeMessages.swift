package import DialectKit

/// Messages that have their place in a connection's output, and are put together meanwhile. Touched on the loop alone.
package final class MadeMessages: Equatable {
    /// Nil until they are there.
    package var messages: [RenderedMessage]?

    package init() {}

    package static func == (left: MadeMessages, right: MadeMessages) -> Bool { left === right }
}
