/// Messages of one connection that are put together away from the loop: pure work on what there was at their moment.
package struct DeferredMessages: Equatable, Sendable {
    /// About what is looked at for it; more takes longer.
    package let bytes: Int
    package let make: @Sendable () -> [RenderedMessage]

    package init(from bytes: Int, _ make: @escaping @Sendable () -> [RenderedMessage]) {
        self.bytes = bytes
        self.make = make
    }

    /// Functions cannot be compared; tests compare what they make.
    package static func == (left: DeferredMessages, right: DeferredMessages) -> Bool {
        left.make() == right.make()
    }
}

extension EncodedMessages {
    /// Each as a message of its own.
    package var messages: [RenderedMessage] {
        var messages: [RenderedMessage] = []
        forEach { messages.append(RenderedMessage(type: $0, text: Array($1))) }
        return messages
    }
}
