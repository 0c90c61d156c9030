package import Matching

/// An unmatched message and its fallback answer.
package struct Unheard: Equatable, Sendable {
    /// A rule of `otherwise`.
    package struct Substitute: Equatable, Sendable {
        package var name: String
        package var place: SourcePlace
        /// How often it has answered in this session, this time included.
        package var uses: Int
        package var limit: Int?
        /// The first thing it says, with its gaps.
        package var text: Template?

        package init(
            name: String, place: SourcePlace = SourcePlace(), uses: Int, limit: Int? = nil,
            text: Template? = nil
        ) {
            self.name = name
            self.place = place
            self.uses = uses
            self.limit = limit
            self.text = text
        }
    }

    package var text: String
    /// The user's messages count from 1 within the session.
    package var number: Int
    /// The name of the stage; empty in a script without stages.
    package var stage: String
    /// Index into the script's handoffs, when a person listened.
    package var handoff: Int?
    /// nil when nothing answers.
    package var substitute: Substitute?
    /// The shell's number of the message (``ClientInput/mark``).
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
