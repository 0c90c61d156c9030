import Clocks

final class CutPlan: Sendable {
    private struct State {
        var cuts: [Int: Interruption]
        var arrived: [[UInt8]] = []
        var fired = 0
    }

    private let state: Locked<State>

    init(_ cuts: [Interruption]) {
        state = Locked(
            State(cuts: Dictionary(cuts.map { ($0.message, $0) }, uniquingKeysWith: { first, _ in first })))
    }

    var arrived: [[UInt8]] { state.withLock { $0.arrived } }
    var fired: Int { state.withLock { $0.fired } }
    /// Whether the client cannot have noticed a gap: no event with a sequence has followed the missing message.
    var endsInHole: Bool {
        state.withLock { state in
            state.arrived.indices.reversed().first { index in
                state.cuts[index + 1]?.kind == .skip || SweepText.hasSequence(state.arrived[index])
            }
            .map { state.cuts[$0 + 1]?.kind == .skip } ?? false
        }
    }

    func receive(_ message: [UInt8]) -> Interruption? {
        state.withLock { state in
            state.arrived.append(message)
            guard let cut = state.cuts[state.arrived.count] else { return nil }
            state.fired += 1
            return cut
        }
    }
}
