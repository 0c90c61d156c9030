package import Clocks
package import Matching

/// An active fault with its counters, for one session or for requests outside sessions.
package struct ActiveFault: Sendable {
    package let fault: Fault
    /// Id for the removal of the fault; nil for a fault of the script.
    package let id: UInt64?
    /// The only affected connection; nil for all.
    package let connection: ConnectionID?
    package private(set) var firings = 0
    /// The fault's own random stream, independent of other faults.
    private var chances: SeededGenerator

    package init(_ fault: Fault, id: UInt64? = nil, connection: ConnectionID? = nil, seed: UInt64) {
        self.fault = fault
        self.id = id
        self.connection = connection
        chances = SeededGenerator(seed: seed).stream("trouble \(fault.name)")
    }

    /// Returns whether the fault fires at `moment`, and counts the firing. With `standsForMore`, the last chunk of a
    /// reply also counts as all later chunk numbers.
    package mutating func fires(at moment: Fault.Moment, standsForMore: Bool = false) -> Bool {
        let times = fault.times ?? 1
        guard firings < times, fault.moment.covers(moment, times: times, standsForMore: standsForMore)
        else { return false }
        let hits = fault.chance >= 1 || chances.unit() < fault.chance
        if hits { firings += 1 }
        return hits
    }

    package var firing: FiredFault {
        FiredFault(
            id: id, name: fault.name, effect: fault.effect, span: fault.span, connection: connection,
            place: fault.place)
    }
}

/// One firing of a fault.
package struct FiredFault: Equatable, Sendable {
    package var id: UInt64?
    package var name: String
    package var effect: Fault.Effect
    package var span: Fault.Span
    package var connection: ConnectionID?
    package var place: SourcePlace

    package init(
        id: UInt64? = nil, name: String, effect: Fault.Effect, span: Fault.Span = .session,
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

extension FiredFault {
    package var refusal: (status: Int, type: String?, retryAfter: Interval?, answer: Fault.Answer?)? {
        guard case .refuse(let status, let type, let retryAfter, let answer) = effect else { return nil }
        return (status, type, retryAfter, answer)
    }
}

extension Fault {
    /// Whether the server applies the effect instead of the engine.
    package var isOnTheWire: Bool { effect.kind.target.isOnTheWire }
}
