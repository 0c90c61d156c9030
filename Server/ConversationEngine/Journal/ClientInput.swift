/// An input of a client, independent of the protocol.
package struct ClientInput: Equatable, Sendable {
    package enum Word: Equatable, Sendable {
        case join(greeting: String?)
        case say(String)
        case file(UserFile)
        case typing(TypingState)
        case receipt(Receipt, messageID: String)
        indirect case change(MessageChange)
        case end
        case heartbeat
        indirect case run(RunRequest)
        /// The dialect refused the input.
        case refused(KnownProblem, detail: String?)
        /// Accepted without any effect.
        case ignored
    }

    package var word: Word
    /// The event's `metadata.custom` as unchanged JSON text, or nil.
    package var metadata: String?
    /// The client's own id of the input, which a repetition has too; or nil.
    package var localID: Substring?
    /// Ids of the files that a message names (extensions.md#files-of-a-message).
    package var files: [String] = []
    /// Number of the input; 0 for none.
    package var mark: UInt32 = 0
}

extension ClientInput {
    /// By the memberwise initializer: of a value that is set member by member, the compiler returns a copy, which costs
    /// 350 of the 33,400 instructions of a round trip.
    package init(_ word: Word, metadata: String? = nil, localID: Substring? = nil) {
        self.init(word: word, metadata: metadata, localID: localID, files: [], mark: 0)
    }
}

/// Reference to a session: a slot and its generation, which changes when the slot is reused.
package struct SessionHandle: Hashable, Sendable {
    package let slot: Int32
    package let generation: UInt32

    package init(slot: Int32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    /// Explicit, since other modules call a synthesized comparison through its witness.
    package static func == (left: Self, right: Self) -> Bool {
        left.slot == right.slot && left.generation == right.generation
    }
}
