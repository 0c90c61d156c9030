package struct RunRequest: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// The request contains nothing new. At the start of a session, the agent answers it with the greeting.
        case nothing
        case text(String)
        case answers([RunAnswer])
        /// Decisions of a user on pending interrupts.
        case decisions([RunDecision])
        /// A request to send the history again.
        case replay
    }

    package var thread: String
    package var run: String
    package var parent: String?
    package var words: Content
    /// The client's id of the message.
    package var message: String?
    /// The new parts of the thread that ``message`` and ``words`` do not contain, in the form of the dialect.
    package var said = ""
    /// A hash of the message's parts that are not text, such as pictures; 0 if all parts are text.
    package var digest: UInt64 = 0
    /// Whether the request contains the whole thread. If true, messages that the request lacks are removed from the
    /// thread. Otherwise the request's messages are added to the thread.
    package var bringsThread = true
    package var bringsState = false
    /// Values for placeholders and conditions, such as `state.plan.status` or `tools.get_weather`.
    package var given: [String: String]
    /// The request's body, for the dialect.
    package var input: RunBody
    /// The number of the requested encoding. The protocol's dialect defines the numbers.
    package var manner: Int
    /// Whether the request fails if decisions on pending interrupts are missing.
    package var needsDecisions = false
    /// Whether decisions on unknown interrupts are ignored.
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

    /// Approximate bytes of a queued request.
    package var heldBytes: Int {
        let bytes = input.byteCount + said.utf8.count + words.heldBytes
        return given.reduce(bytes) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}

extension RunRequest.Content {
    var heldBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .answers(let answers):
            answers.reduce(0) { $0 + $1.content.utf8.count + ($1.error?.utf8.count ?? 0) }
        case .nothing, .decisions, .replay: 0
        }
    }
}

/// The result of a client tool.
package struct RunAnswer: Equatable, Sendable {
    package var call: String
    package var content: String
    /// The error, or the user's reason for a refusal.
    package var error: String?
    /// Members of the content for placeholders and conditions, such as `city` of a JSON object.
    package var parts: [String: String]

    package init(call: String, content: String, error: String? = nil, parts: [String: String] = [:]) {
        self.call = call
        self.content = content
        self.error = error
        self.parts = parts
    }
}

/// A user's decision on a ``RunAsk``.
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
