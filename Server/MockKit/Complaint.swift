/// A problem that a test should not ignore: an unmatched message, an unmatched request, or a protocol violation.
///
/// ```swift
/// for complaint in mock.complaints { print(complaint.text) }
/// ```
public struct Complaint: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem in words, with its reason.
    public let text: String
    /// The call of ``MockChat`` that caused the complaint; nil for other causes.
    public let site: CallSite?
    /// The line of the fixture that the complaint is about, or nil. ``text`` contains it too.
    public let place: CallSite?

    /// The same as ``text``.
    public var description: String { text }

    /// The plan's policy for this complaint.
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
