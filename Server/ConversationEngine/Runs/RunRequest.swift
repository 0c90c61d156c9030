/// Request of a client for a run: its input and context.
package struct RunRequest: Equatable, Sendable {
    package enum Words: Equatable, Sendable {
        /// Nothing new: the agent greets where the talk begins.
        case nothing
        case text(String)
        /// Answers of tools that the client has.
        case answers([RunAnswer])
        /// Decisions on what was asked.
        case decisions([RunDecision])
        /// Only what happened so far is wanted.
        case replay
    }

    package var thread: String
    package var run: String
    package var parent: String?
    package var words: Words
    /// The client's id of the message.
    package var message: String?
    /// What the request adds to the thread, where ``message`` and ``words`` are not all of it; opaque here.
    package var said = ""
    /// Of what its message holds besides text, such as pictures; 0 for nothing.
    package var digest: UInt64 = 0
    /// It has the thread with it: messages that it lacks are gone. Else it only adds to what there is.
    package var bringsThread = true
    /// It has a state with it.
    package var bringsState = false
    /// Values for placeholders and conditions: `state.plan.status`, `tools.get_weather`.
    package var given: [String: String]
    /// The request itself, for the dialect of the run.
    package var input: RunBody
    /// Version of the encoding that the client asks for, numbered by its protocol.
    package var manner: Int
    /// Without decisions it fails while a question waits for some.
    package var needsDecisions = false
    /// Decisions on what the agent did not ask are passed over.
    package var toleratesStrangeDecisions: Bool

    package init(
        thread: String, run: String, parent: String? = nil, words: Words, given: [String: String] = [:],
        input: RunBody = .empty, manner: Int = 0, toleratesStrangeDecisions: Bool = false
    ) {
        self.thread = thread
        self.run = run
        self.parent = parent
        self.words = words
        self.given = given
        self.input = input
        self.manner = manner
        self.toleratesStrangeDecisions = toleratesStrangeDecisions
    }

    /// Bytes of a waiting request, which are most of the bytes of its thread.
    package var heldBytes: Int {
        let bytes = input.byteCount + said.utf8.count + words.heldBytes
        return given.reduce(bytes) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}

extension RunRequest.Words {
    /// Bytes of their texts, of which the request itself has a copy.
    var heldBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .answers(let answers):
            answers.reduce(0) { $0 + $1.content.utf8.count + ($1.error?.utf8.count ?? 0) }
        case .nothing, .decisions, .replay: 0
        }
    }
}

/// Result of a tool of the client.
package struct RunAnswer: Equatable, Sendable {
    package var call: String
    package var content: String
    /// It failed, or the user declined.
    package var error: String?
    /// Members of the content, for placeholders and conditions: `city` for the `city` of a JSON object.
    package var parts: [String: String]

    package init(call: String, content: String, error: String? = nil, parts: [String: String] = [:]) {
        self.call = call
        self.content = content
        self.error = error
        self.parts = parts
    }
}

/// Decision of a user on a ``RunAsk``.
package struct RunDecision: Equatable, Sendable {
    package var ask: String
    package var isResolved: Bool
    package var parts: [String: String]

    package init(ask: String, isResolved: Bool, parts: [String: String] = [:]) {
        self.ask = ask
        self.isResolved = isResolved
        self.parts = parts
    }
}
