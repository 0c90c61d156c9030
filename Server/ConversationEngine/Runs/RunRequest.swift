/// Request for a run: input and context.
package struct RunRequest: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// Nothing new. At the start of a conversation the agent greets.
        case nothing
        case text(String)
        /// Results of client tools.
        case answers([RunAnswer])
        /// Decisions of a user on pending questions.
        case decisions([RunDecision])
        /// Replays the history.
        case replay
    }

    package var thread: String
    package var run: String
    package var parent: String?
    package var words: Content
    /// Message id of the client.
    package var message: String?
    /// Additions to the thread besides ``message`` and ``words``; opaque here.
    package var said = ""
    /// Digest of message parts besides text, such as pictures; 0 for none.
    package var digest: UInt64 = 0
    /// Whether the request carries the whole thread, so missing messages are removed; otherwise it adds to
    /// the thread.
    package var bringsThread = true
    /// Whether the request carries a state.
    package var bringsState = false
    /// Values of placeholders and conditions: `state.plan.status`, `tools.get_weather`.
    package var given: [String: String]
    /// Body for the dialect.
    package var input: RunBody
    /// Requested encoding, numbered by the protocol.
    package var manner: Int
    /// Whether the request fails without decisions on pending questions.
    package var needsDecisions = false
    /// Whether decisions on unknown questions are ignored.
    package var toleratesStrangeDecisions: Bool

    package init(
        thread: String, run: String, parent: String? = nil, words: Content, given: [String: String] = [:],
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

    /// Bytes of a waiting request.
    package var heldBytes: Int {
        let bytes = input.byteCount + said.utf8.count + words.heldBytes
        return given.reduce(bytes) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}

extension RunRequest.Content {
    /// Bytes of texts, also contained in the request.
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
    /// Error, also for a refusal by the user.
    package var error: String?
    /// Members of the content for placeholders and conditions: `city` of a JSON object.
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
