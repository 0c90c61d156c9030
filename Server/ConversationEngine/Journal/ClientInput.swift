/// Input of a client on an open connection, independent of the protocol.
package struct ClientInput: Equatable, Sendable {
    package enum Word: Equatable, Sendable {
        case join(greeting: String?)
        case say(String)
        case typing(TypingState)
        /// The client has received or read a message.
        case receipt(Receipt, messageID: String)
        case end
        case heartbeat
        indirect case run(RunRequest)
        /// Refused: the sender gets a notice; nothing is journaled.
        case refused(KnownProblem, detail: String?)
        /// Accepted without an answer.
        case ignored
    }

    package var word: Word
    /// The `metadata.custom` object of the event: JSON text, verbatim; nil when there was none.
    package var metadata: String?
    /// The client's id of the input, the same for repetitions; nil if unread.
    package var localID: String?
    /// The shell's number of the input, repeated in the cause of its results (``Cause/mark``); 0 for none.
    package var mark: UInt32 = 0

    package init(_ word: Word, metadata: String? = nil, localID: String? = nil) {
        self.word = word
        self.metadata = metadata
        self.localID = localID
    }
}

/// Handle of a session: a slot and its generation.
package struct SessionHandle: Hashable, Sendable {
    package let slot: Int32
    package let generation: UInt32

    package init(slot: Int32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
