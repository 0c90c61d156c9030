import Expectations
import FuzzTargets
import Testing

@Suite("Inputs made from a seed")
struct SessionTests {
    /// Breaks its rule for inputs with an `x`.
    private let noX = FuzzTarget("no-x", words: ["word"], maxBytes: 100) { (bytes) throws(BrokenRule) in
        if bytes.contains(UInt8(ascii: "x")) { throw BrokenRule("there is an x") }
        return Trait()
    }

    private func inputs(seed: UInt64, _ count: Int = 300) -> [[UInt8]] {
        var session = FuzzSession(noX, corpus: [Array("one".utf8), Array("two".utf8)], seed: seed)
        return (0..<count).map { _ in session.next() }
    }

    @Test("The same seed makes the same inputs, another one makes others")
    func repeatable() {
        expectEqual(inputs(seed: 1), inputs(seed: 1))
        #expect(inputs(seed: 1) != inputs(seed: 2))
    }

    @Test("The corpus comes first, as it is")
    func corpusFirst() {
        expectEqual(inputs(seed: 1, 2), [Array("one".utf8), Array("two".utf8)])
    }

    @Test("No input is longer than its target allows, and words of the target come up")
    func bounds() {
        let all = inputs(seed: 3, 5_000)
        #expect(all.allSatisfy { $0.count <= 100 })
        #expect(all.contains { String(decoding: $0, as: UTF8.self).contains("word") })
        #expect(Set(all).count > 3_000)
    }

    @Test("An input that breaks a rule is cut down to what breaks it")
    func shrinking() {
        let input = Array(repeatElement(UInt8(ascii: "a"), count: 90)) + Array("x".utf8)
        expectEqual(noX.shrunk(input), Array("x".utf8))
    }

    @Test("An input that is taken in a new way is used again")
    func learning() {
        var session = FuzzSession(noX, corpus: [Array("1".utf8)], seed: 4)
        _ = session.next()
        session.learn(Trait("new"), from: Array("a long and peculiar text".utf8))
        session.learn(Trait("new"), from: Array("again".utf8))
        expectEqual(session.traitCount, 1)
        let later = (0..<200).map { _ in String(decoding: session.next(), as: UTF8.self) }
        #expect(later.contains { $0.contains("peculiar") })
        #expect(!later.contains { $0.contains("again") })
    }
}
