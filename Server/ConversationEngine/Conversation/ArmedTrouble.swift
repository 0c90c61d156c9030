package import Clocks
package import Matching

/// An active trouble and its counters, in one session, or for requests without a session.
package struct ArmedTrouble: Sendable {
    package let trouble: Trouble
    /// Set for troubles from outside, for their removal.
    package let id: UInt64?
    /// The only connection it acts on; nil for all.
    package let connection: ConnectionID?
    package private(set) var strikes = 0
    /// Separate random stream, so that troubles do not affect each other.
    private var chances: SeededGenerator

    package init(_ trouble: Trouble, id: UInt64? = nil, connection: ConnectionID? = nil, seed: UInt64) {
        self.trouble = trouble
        self.id = id
        self.connection = connection
        chances = SeededGenerator(seed: seed).stream("trouble \(trouble.name)")
    }

    /// Counts a strike, up to the trouble's `times` (default 1). A chunk that `standsForMore` is the last of its reply
    /// and counts as all later ones.
    package mutating func strikes(at moment: Trouble.Moment, standsForMore: Bool = false) -> Bool {
        let times = trouble.times ?? 1
        guard strikes < times, trouble.moment.covers(moment, times: times, standsForMore: standsForMore)
        else { return false }
        let hits = trouble.chance >= 1 || chances.unit() < trouble.chance
        if hits { strikes += 1 }
        return hits
    }

    /// The effect for the shell.
    package var strike: Strike {
        Strike(
            id: id, name: trouble.name, effect: trouble.effect, span: trouble.span, connection: connection,
            place: trouble.place)
    }
}

/// One firing of a trouble; the shell applies it to the next bytes it sends.
package struct Strike: Equatable, Sendable {
    package var id: UInt64?
    package var name: String
    package var effect: Trouble.Effect
    package var span: Trouble.Span
    package var connection: ConnectionID?
    package var place: SourcePlace

    package init(
        id: UInt64? = nil, name: String, effect: Trouble.Effect, span: Trouble.Span = .session,
        connection: ConnectionID? = nil, place: SourcePlace = SourcePlace()
    ) {
        self.id = id
        self.name = name
        self.effect = effect
        self.span = span
        self.connection = connection
        self.place = place
    }
}

extension Strike {
    /// Response to a refused request.
    package var refusal: (status: Int, type: String?, retryAfter: Interval?, answer: Trouble.Answer?)? {
        guard case .refuse(let status, let type, let retryAfter, let answer) = effect else { return nil }
        return (status, type, retryAfter, answer)
    }
}

extension Trouble {
    /// True for effects on bytes, which are the shell's.
    package var isOnTheWire: Bool { effect.kind.target.isOnTheWire }
}
