package import Matching

/// Message that no rule matched, with its fallback.
package struct UnmatchedMessage: Equatable, Sendable {
    package struct Substitute: Equatable, Sendable {
        package var name: String
        package var place: SourcePlace
        /// Number of uses of the rule in this session, including this one.
        package var uses: Int
        package var limit: Int?
        package var text: Template?

        package init(
            name: String, place: SourcePlace = SourcePlace(), uses: Int, limit: Int? = nil,
            text: Template? = nil
        ) {
            (self.name, self.place, self.uses, self.limit, self.text) = (name, place, uses, limit, text)
        }
    }

    package var text: String
    package var file: UserFile?
    package var number: Int
    package var stage: String
    package var handoff: Int?
    /// The fallback rule that answered; nil if none did.
    package var substitute: Substitute?
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
