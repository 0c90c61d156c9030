/// Messages for one connection, encoded outside the server's loop.
package struct DeferredMessages: Equatable, Sendable {
    /// Approximate bytes of the input of `make`.
    package let bytes: Int
    package let make: @Sendable () -> [RenderedMessage]

    package init(from bytes: Int, _ make: @escaping @Sendable () -> [RenderedMessage]) {
        self.bytes = bytes
        self.make = make
    }

    /// Compares the messages, because functions cannot be compared.
    package static func == (left: DeferredMessages, right: DeferredMessages) -> Bool {
        left.make() == right.make()
    }
}

extension EncodedMessages {
    package var messages: [RenderedMessage] {
        var messages: [RenderedMessage] = []
        forEach { messages.append(RenderedMessage(type: $0, text: Array($1))) }
        return messages
    }
}
