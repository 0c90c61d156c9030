import Clocks

/// The load's use of the heap: a deadline only ever moves ahead, and one that comes too early is set anew by its owner.
extension DeadlineHeap {
    var next: Instant? { first?.deadline }

    /// Makes sure that `slot` comes up at `deadline`, or before.
    mutating func arm(_ slot: Int, at deadline: Instant) {
        let slot = Int32(slot)
        if let present = self.deadline(of: slot), present <= deadline { return }
        set(deadline, for: slot)
    }
}
