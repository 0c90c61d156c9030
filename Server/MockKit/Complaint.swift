/// Something that a test should not let pass: a message without a matching rule, a request without a route, a protocol
/// rule broken by a client.
///
/// ```swift
/// for complaint in mock.complaints { print(complaint.text) }
/// ```
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

    init(_ observed: ObservedEvent, _ plan: MockPlan, saidAt site: CallSite? = nil) {
        self.site = site
        place = observed.place
        policy = observed.kind == .violation ? plan.violations : plan.unmatched
        text =
            switch observed.kind {
            case .unmatchedRequest:
                "Nothing answers \(observed.text): the server knows no such path. Expect .unmatchedRequest, or let"
                    + " the test use .unmatched(.pass), if it is meant."
            case .violation:
                "Protocol rule broken: \"\(observed.text)\"" + (observed.note.map { " (\($0))" } ?? "") + "."
            default:
                (observed.note ?? "Nothing heard \"\(observed.text)\".")
                    + (observed.place.map { "\nIn the fixture: \($0.words)" } ?? "")
            }
    }
}
