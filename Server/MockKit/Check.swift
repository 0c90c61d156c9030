import Clocks
import Matching
import Patterns

/// One expectation: its patterns, count and time limit.
struct Check: Sendable {
    enum Count: Sendable, Equatable {
        case atLeast(Int)
        case exactly(Int)
        case never
    }

    enum Verdict: Equatable {
        case holds
        case open
        case fails
    }

    var steps: [Pattern]
    var count: Count
    var within: Interval
    /// Whether ``steps`` must match in order.
    var isOrdered = false

    init(_ pattern: Pattern, _ count: Count, within: Interval) {
        steps = [pattern]
        self.count = count
        self.within = within
    }

    init(inOrder steps: [Pattern], within: Interval) {
        self.steps = steps
        count = .atLeast(1)
        self.within = within
        isOrdered = true
    }

    /// The reason why the check is useless: always true, never true, or true for any event of its kind. Nil for a valid
    /// check.
    var problem: String? {
        for step in steps {
            if step.kind == .queue, let position = step.text.flatMap({ Int($0) }), position < 1 {
                return "Expected \(step.one), but the front of a queue is 1."
            }
            if let text = step.text, !step.isExact, Folding.fold(text).isEmpty {
                return
                    "Expected \(step.one), which has no letter or digit to look for, so any would do: write words,"
                    + " or leave the parentheses out."
            }
        }
        if steps.isEmpty { return "expectInOrder was given no patterns, so it would hold whatever happens." }
        switch count {
        case .atLeast(let wanted) where wanted < 1:
            return
                "Expected at least \(wanted) of something, which holds whatever happens: ask for 1 or more."
        case .exactly(let wanted) where wanted < 0:
            return "Expected exactly \(wanted) of something, which never holds: ask for 0 or more."
        default: return nil
        }
    }

    func matches(in observedEvents: [ObservedEvent]) -> [ObservedEvent] {
        guard isOrdered else { return observedEvents.filter { steps[0].matches($0) } }
        var matches: [ObservedEvent] = []
        for observed in observedEvents where matches.count < steps.count {
            if steps[matches.count].matches(observed) { matches.append(observed) }
        }
        return matches
    }

    func verdict(_ observedEvents: [ObservedEvent], isOver: Bool) -> Verdict {
        let seen = matches(in: observedEvents).count
        if isOrdered { return seen == steps.count ? .holds : isOver ? .fails : .open }
        switch count {
        case .atLeast(let wanted): return seen >= wanted ? .holds : isOver ? .fails : .open
        case .exactly(let wanted):
            if seen > wanted { return .fails }
            // A later event could still match, so an expected count of zero holds only at the time limit.
            if wanted == 0 { return isOver ? .holds : .open }
            return seen == wanted ? .holds : isOver ? .fails : .open
        case .never: return seen > 0 ? .fails : isOver ? .holds : .open
        }
    }
}
