/// A test on one memory slot, from a rule's `if`.
package struct Condition: Equatable, Sendable {
    package enum Test: Equatable, Sendable {
        /// Equal after folding.
        case equals(String)
        case differs(String)
        /// Numeric; a slot that holds no number fails.
        case atLeast(Double)
        case atMost(Double)
        /// Filled (true) or empty (false).
        case isKnown(Bool)
        /// The clock of the talk shows a time in these hours; the slot is `now`.
        case isWithin(Hours)
    }

    package var slot: String
    package var test: Test

    package init(slot: String, test: Test) {
        self.slot = slot
        self.test = test
    }
}

/// A place in a fixture file, both from 1; zeros for scripts made in code.
package struct SourcePlace: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int = 0, column: Int = 0) {
        self.line = line
        self.column = column
    }
}
