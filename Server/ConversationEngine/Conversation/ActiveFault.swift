package import Clocks
package import Matching

/// An active fault with its counters, for one session or for requests outside sessions.
package struct ActiveFault: Sendable {
    package let fault: Fault
    /// The id by which the fault can be removed; nil for a fault of the script.
    package let id: UInt64?
    /// The only connection that the fault affects; nil means all connections.
    package let connection: ConnectionID?
    package private(set) var firings = 0
    /// The fault's own random stream, so that other faults do not change its random decisions.
    private var chances: SeededGenerator

    package init(_ fault: Fault, id: UInt64? = nil, connection: ConnectionID? = nil, seed: UInt64) {
        self.fault = fault
        self.id = id
        self.connection = connection
        chances = SeededGenerator(seed: seed).stream("trouble \(fault.name)")
    }

    /// Counts a firing and returns true if the fault fires at `moment`. A fault fires at most `times` times (default
    /// 1). `standsForMore` is true for the last chunk of a reply: a fault at a later chunk number then fires at this
    /// chunk.
    package mutating func fires(at moment: Fault.Moment, standsForMore: Bool = false) -> Bool {
        let times = fault.times ?? 1
        guard firings < times, fault.moment.covers(moment, times: times, standsForMore: standsForMore)
        else { return false }
        let hits = fault.chance >= 1 || chances.unit() < fault.chance
        if hits { firings += 1 }
        return hits
    }

    /// The firing that the server applies.
    package var firing: FiredFault {
        FiredFault(
            id: id, name: fault.name, effect: fault.effect, span: fault.span, connection: connection,
            place: fault.place)
    }
}

/// One firing of a fault. The server applies the effect to the next bytes it sends.
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
    /// The response if the effect refuses a request; otherwise nil.
    package var refusal: (status: Int, type: String?, retryAfter: Interval?, answer: Fault.Answer?)? {
        guard case .refuse(let status, let type, let retryAfter, let answer) = effect else { return nil }
        return (status, type, retryAfter, answer)
    }
}

extension Fault {
    /// True if the server applies the effect instead of the engine.
    package var isOnTheWire: Bool { effect.kind.target.isOnTheWire }
}
