package import Matching

/// A message that no rule matched, with its fallback.
package struct UnmatchedMessage: Equatable, Sendable {
    /// The `otherwise` rule that answered.
    package struct Substitute: Equatable, Sendable {
        package var name: String
        package var place: SourcePlace
        /// The number of uses of the rule in this session, including the current use.
        package var uses: Int
        package var limit: Int?
        /// The template of the rule's first text.
        package var text: Template?

        package init(
            name: String, place: SourcePlace = SourcePlace(), uses: Int, limit: Int? = nil,
            text: Template? = nil
        ) {
            (self.name, self.place, self.uses, self.limit, self.text) = (name, place, uses, limit, text)
        }
    }

    package var text: String
    /// The file; nil for a text.
    package var file: UserFile?
    /// The number of the user's message, from 1.
    package var number: Int
    /// The current stage; empty if the script has no stages.
    package var stage: String
    /// The index in the script's handoffs, if a live agent was present.
    package var handoff: Int?
    /// Nil if nothing answered.
    package var substitute: Substitute?
    /// The server's number of the message (``ClientInput/mark``).
    package var mark: UInt32

    package init(
        text: String, number: Int, stage: String, handoff: Int? = nil, substitute: Substitute? = nil,
        mark: UInt32 = 0
    ) {
        self.text = text
        self.number = number
        self.stage = stage
        self.handoff = handoff
        self.substitute = substitute
        self.mark = mark
    }
}
