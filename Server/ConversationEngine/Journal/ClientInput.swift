/// What a client said on an open connection, in the engine's words.
package struct ClientInput: Equatable, Sendable {
    package enum Word: Equatable, Sendable {
        case join(greeting: String?)
        case say(String)
        case typing(TypingState)
        /// The client has got or read a message.
        case receipt(Receipt, messageID: String)
        case end
        case heartbeat
        /// Asks for a run.
        indirect case run(RunRequest)
        /// Not acceptable: answered with a notice to the sender only; nothing is journaled.
        case refused(KnownProblem, detail: String?)
        /// Accepted without an answer.
        case ignored
    }

    package var word: Word
    /// The `metadata.custom` object of the event: JSON text, verbatim; nil when there was none.
    package var metadata: String?
    /// The client's own id of what it says, where the dialect looked for one; repetitions carry the same.
    package var localID: String?
    /// What the shell calls it. Whatever comes of it says so (``Cause/mark``); 0: it has no name.
    package var mark: UInt32 = 0

    package init(_ word: Word, metadata: String? = nil, localID: String? = nil) {
        self.word = word
        self.metadata = metadata
        self.localID = localID
    }
}

/// A session of the engine: a slot and the generation that tells a reused slot apart.
package struct SessionHandle: Hashable, Sendable {
    package let slot: Int32
    package let generation: UInt32

    package init(slot: Int32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
