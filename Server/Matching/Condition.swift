import Texts

/// Test of one memory slot, from a rule's `if`.
package struct Condition: Equatable, Sendable {
    package enum Test: Equatable, Sendable {
        case equals(String)
        case differs(String)
        /// The value is a number, at least this large.
        case atLeast(Double)
        case atMost(Double)
        /// `true` requires that the slot has a value, `false` that it has none.
        case isKnown(Bool)
        /// The local time (slot `now`) is within these hours.
        case isWithin(Hours)
    }

    package var slot: String
    package var test: Test

    package init(slot: String, test: Test) {
        self.slot = slot
        self.test = test
    }

    /// Returns why `value` fails the test. The text does not show values of headers, which may be credentials.
    package func complaint(about value: String?) -> String {
        let found = value.map { "\(slot) is \"\(ForeignText.clipped($0))\"" } ?? "there is no \(slot)"
        if slot.hasPrefix("header.") {
            guard value != nil else { return found }
            let isUnwanted = test == .isKnown(false)
            return "\(slot) is \(isUnwanted ? "there, where nothing" : "another than") is expected"
        }
        func plain(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
        return switch test {
        case .equals(let wanted): "\(found), where \"\(wanted)\" is expected"
        case .differs(let other): "\(found), where anything but \"\(other)\" is expected"
        case .atLeast(let bound): "\(found), where at least \(plain(bound)) is expected"
        case .atMost(let bound): "\(found), where at most \(plain(bound)) is expected"
        case .isKnown(true): found
        case .isKnown(false): "\(found), where nothing is expected"
        case .isWithin: "the clock shows another time than is expected"
        }
    }
}

/// Line and column in a fixture file, from 1; 0 in a script made in code.
package struct SourcePlace: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int = 0, column: Int = 0) {
        self.line = line
        self.column = column
    }
}
