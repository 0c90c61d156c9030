/// Messages for one connection that are encoded outside the server's loop. `make` is a pure function of a snapshot of
/// the session.
package struct DeferredMessages: Equatable, Sendable {
    /// Approximate size of the input, from which the server estimates the duration.
    package let bytes: Int
    package let make: @Sendable () -> [RenderedMessage]

    package init(from bytes: Int, _ make: @escaping @Sendable () -> [RenderedMessage]) {
        self.bytes = bytes
        self.make = make
    }

    /// Compares the messages that both values make, because functions cannot be compared. Only tests use this operator.
    package static func == (left: DeferredMessages, right: DeferredMessages) -> Bool {
        left.make() == right.make()
    }
}

extension EncodedMessages {
    /// The messages as separate values.
    package var messages: [RenderedMessage] {
        var messages: [RenderedMessage] = []
        forEach { messages.append(RenderedMessage(type: $0, text: Array($1))) }
        return messages
    }
}
