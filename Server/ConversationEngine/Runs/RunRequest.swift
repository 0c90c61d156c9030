package struct RunRequest: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// The request contains no new input.
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
    package var message: String?
    package var said = ""
    /// Hash of the message's parts that are not text, such as pictures; 0 if there are none.
    package var digest: UInt64 = 0
    /// Whether the request has the whole thread.
    package var bringsThread = true
    package var bringsState = false
    /// Values for placeholders and conditions, such as `state.plan.status` or `tools.get_weather`.
    package var given: [String: String]
    /// The message's parts that are not text.
    package var files: [UserFile] = []
    package var input: RunBody
    package var manner: Int
    /// Whether the request fails without decisions on all pending interrupts.
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

package struct RunAnswer: Equatable, Sendable {
    package var call: String
    package var content: String
    /// Error, or the user's reason for a refusal.
    package var error: String?
    /// Members of the content, such as `city`, for placeholders and conditions.
    package var parts: [String: String]

    package init(call: String, content: String, error: String? = nil, parts: [String: String] = [:]) {
        self.call = call
        self.content = content
        self.error = error
        self.parts = parts
    }
}

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
