/// Something that a test should not let pass: a message without a matching rule, a request without a route, a protocol
/// rule broken by a client.
public struct Complaint: Error, Sendable, Equatable, CustomStringConvertible {
    /// The event and its reason.
    public let text: String
    /// The call that sent it; nil for what no call of ``MockChat`` caused.
    public let site: CallSite?
    /// The line of the fixture to look at, also named in ``text``; nil when there is none.
    public let place: CallSite?

    /// The text.
    public var description: String { text }

    /// The policy of the plan for it.
    public let policy: MockPlan.Policy

    init(_ sighting: Sighting, _ plan: MockPlan, saidAt site: CallSite? = nil) {
        self.site = site
        place = sighting.place
        policy = sighting.kind == .violation ? plan.violations : plan.unmatched
        text =
            switch sighting.kind {
            case .unmatchedRequest:
                "Nothing answers \(sighting.text): the server knows no such path. Expect .unmatchedRequest, or let"
                    + " the test use .unmatched(.pass), if it is meant."
            case .violation:
                "Protocol rule broken: \"\(sighting.text)\"" + (sighting.note.map { " (\($0))" } ?? "") + "."
            default:
                (sighting.note ?? "Nothing heard \"\(sighting.text)\".")
                    + (sighting.place.map { "\nIn the fixture: \($0.words)" } ?? "")
            }
    }
}
