package import Matching

/// An unmatched message and its fallback answer.
package struct UnmatchedMessage: Equatable, Sendable {
    /// A rule of `otherwise`.
    package struct Substitute: Equatable, Sendable {
        package var name: String
        package var place: SourcePlace
        /// Uses in this session, including this one.
        package var uses: Int
        package var limit: Int?
        /// Template of its first text.
        package var text: Template?

        package init(
            name: String, place: SourcePlace = SourcePlace(), uses: Int, limit: Int? = nil,
            text: Template? = nil
        ) {
            (self.name, self.place, self.uses, self.limit, self.text) = (name, place, uses, limit, text)
        }
    }

    package var text: String
    /// Number of the user's message, from 1.
    package var number: Int
    /// Current stage; empty without stages.
    package var stage: String
    /// Index into the script's handoffs, if a live agent was present.
    package var handoff: Int?
    /// nil without a fallback.
    package var substitute: Substitute?
    /// Mark of the message (``ClientInput/mark``).
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
