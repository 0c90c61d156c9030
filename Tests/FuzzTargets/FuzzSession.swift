import Clocks

/// The inputs of one run: every file of the corpus as it is, then mutations of those and of what they led to.
///
/// Deterministic for a corpus and a seed, whatever the clock says.
package struct FuzzSession: Sendable {
    /// Inputs kept besides the corpus, because they were taken in a way not seen before.
    private static let keptInputs = 512
    private static let keptBytes = 1_024
    private static let keptTraits = 16_384

    private let corpus: [[UInt8]]
    private var fed = 0
    private var kept: [[UInt8]] = []
    private var traits: Set<Trait> = []
    private var mutator: Mutator

    package init(_ target: FuzzTarget, corpus: [[UInt8]], seed: UInt64) {
        self.corpus = corpus.isEmpty ? [[]] : corpus
        mutator = Mutator(
            generator: SeededGenerator(seed: seed).stream(target.name), words: target.words,
            maxBytes: target.maxBytes)
    }

    /// How many ways of being taken were seen.
    package var traitCount: Int { traits.count }

    package mutating func next() -> [UInt8] {
        if fed < corpus.count {
            fed += 1
            return corpus[fed - 1]
        }
        return mutator.mutated(pick(), with: pick())
    }

    package mutating func learn(_ trait: Trait, from input: [UInt8]) {
        guard traits.count < Self.keptTraits, traits.insert(trait).inserted, fed >= corpus.count,
            input.count <= Self.keptBytes
        else { return }
        if kept.count < Self.keptInputs {
            kept.append(input)
        } else {
            kept[mutator.below(kept.count)] = input
        }
    }

    private mutating func pick() -> [UInt8] {
        let place = mutator.below(corpus.count + kept.count)
        return place < corpus.count ? corpus[place] : kept[place - corpus.count]
    }
}

extension FuzzTarget {
    /// A shorter input that breaks a rule too, by leaving out parts as long as it helps. `tries` bounds the work.
    package func shrunk(_ input: [UInt8], tries: Int = 20_000) -> [UInt8] {
        var best = input
        var left = tries
        var size = max(1, input.count / 2)
        while left > 0 {
            var isShorter = false
            var start = 0
            while start < best.count, left > 0 {
                var shorter = best
                shorter.removeSubrange(start..<min(best.count, start + size))
                left -= 1
                if breaksRule(shorter) {
                    best = shorter
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { break }
            size = max(1, size / 2)
        }
        return best
    }

    private func breaksRule(_ input: [UInt8]) -> Bool {
        do throws(BrokenRule) {
            _ = try entry(input)
            return false
        } catch {
            return true
        }
    }
}
