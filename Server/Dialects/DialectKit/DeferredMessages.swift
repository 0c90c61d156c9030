/// Messages of one connection that are encoded away from the loop: pure work on a snapshot of the state.
package struct DeferredMessages: Equatable, Sendable {
    /// Approximate input bytes; more take longer.
    package let bytes: Int
    package let make: @Sendable () -> [RenderedMessage]

    package init(from bytes: Int, _ make: @escaping @Sendable () -> [RenderedMessage]) {
        self.bytes = bytes
        self.make = make
    }

    /// Compares the resulting messages, since functions cannot be compared. For tests.
    package static func == (left: DeferredMessages, right: DeferredMessages) -> Bool {
        left.make() == right.make()
    }
}

extension EncodedMessages {
    /// The messages, each separate.
    package var messages: [RenderedMessage] {
        var messages: [RenderedMessage] = []
        forEach { messages.append(RenderedMessage(type: $0, text: Array($1))) }
        return messages
    }
}
