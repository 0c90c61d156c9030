/// An input of a client, independent of the protocol.
package struct ClientInput: Equatable, Sendable {
    package enum Word: Equatable, Sendable {
        case join(greeting: String?)
        case say(String)
        case file(UserFile)
        case typing(TypingState)
        /// The client has received or read a message.
        case receipt(Receipt, messageID: String)
        indirect case change(MessageChange)
        case end
        case heartbeat
        indirect case run(RunRequest)
        /// The server refused the input. The sender gets a notice; nothing is journaled.
        case refused(KnownProblem, detail: String?)
        /// Accepted without any effect.
        case ignored
    }

    package var word: Word
    /// The event's `metadata.custom` object as unchanged JSON text; nil if the event had none.
    package var metadata: String?
    /// The id that the client gave the input. A repeated input has the same id. Nil if the dialect did not read an id.
    package var localID: String?
    /// The ids of the files that a message names (extensions.md#files-of-a-message).
    package var files: [String] = []
    /// The server's number of the input; 0 means none. Events that the input causes contain the number in their
    /// ``Cause/mark``.
    package var mark: UInt32 = 0

    package init(_ word: Word, metadata: String? = nil, localID: String? = nil) {
        self.word = word
        self.metadata = metadata
        self.localID = localID
    }
}

/// A reference to a session: a slot and its generation. A reused slot has a new generation.
package struct SessionHandle: Hashable, Sendable {
    package let slot: Int32
    package let generation: UInt32

    package init(slot: Int32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
