/// Something a test should not let pass: a message that no rule heard, a request that no route takes, a law that a
/// client broke.
public struct Complaint: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened and why.
    public let text: String
    /// Where the test had it said; nil for what no call of ``MockChat`` caused.
    public let site: CallSite?
    /// The line of the fixture to look at; nil when there is none. ``text`` names it, too.
    public let place: CallSite?

    /// The text.
    public var description: String { text }

    /// What the plan says about it.
    public let policy: MockPlan.Policy

    init(_ sighting: Sighting, _ plan: MockPlan, saidAt site: CallSite? = nil) {
        self.site = site
        place = sighting.place
        policy = sighting.kind == .breach ? plan.breaches : plan.unheard
        text =
            switch sighting.kind {
            case .stray:
                "Nothing answers \(sighting.text): the server knows no such path. Expect .strayRequest, or let"
                    + " the test use .unheard(.pass), if it is meant."
            case .breach:
                "Law broken: \"\(sighting.text)\"" + (sighting.note.map { " (\($0))" } ?? "") + "."
            default:
                (sighting.note ?? "Nothing heard \"\(sighting.text)\".")
                    + (sighting.place.map { "\nIn the fixture: \($0.words)" } ?? "")
            }
    }
}
