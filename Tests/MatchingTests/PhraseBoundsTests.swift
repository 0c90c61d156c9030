import Expectations
import Patterns
import TestSupport
import Testing

@testable import Matching

@Suite("Phrases against hostile messages")
struct PhraseBoundsTests {
    @Test("Many gaps on a long message take a bounded number of steps")
    func manyGaps() throws {
        let text = String(repeating: "a ", count: Strength.of(10_000, full: 50_000))
        let heard = PreparedMessage(text)
        for phrase in [
            "{a} x {b} y", "a {a} a {b} a {c} z", "{a:number} {b:word} z", "{a} {b} {c} {d} {e} q",
        ] {
            let hears = try Hears.phrase(
                Phrase(phrase.replacing("z", with: "a z").replacing("x", with: "a x")))
            var cost = MatchCost()
            expectEqual(hears.match(heard, cost: &cost), nil)
            #expect(cost.steps <= 20 * heard.atoms.count)
        }
        // The words are all there, only not in this order, so that the sieve does not spare the search.
        let reversed = PreparedMessage("z " + text)
        var cost = MatchCost()
        try expectEqual(Hears.phrase(Phrase("a {a} a {b} a {c} z")).match(reversed, cost: &cost), nil)
        #expect(cost.steps > heard.atoms.count && cost.steps <= 20 * heard.atoms.count)
    }

    @Test("Over the budget a phrase is not heard, and that is told")
    func budget() throws {
        let text = PreparedMessage("z " + String(repeating: "a ", count: Strength.of(6_000, full: 60_000)))
        let gaps = (0..<60).map { "a {g\($0)}" }.joined(separator: " ")
        var cost = Strength.of(MatchCost(budget: 100_000), full: MatchCost())
        try expectEqual(Hears.phrase(Phrase(gaps + " z")).match(text, cost: &cost), nil)
        #expect(cost.isExhausted)
    }

    @Test(
        "Long runs of one sign are read in linear time",
        arguments: [
            "'", "d'u", "@", "a@b.cd ", "1,", "1-", "+", "%", "\u{301}", "l'a@", "(1)", "😀", "字", "7 ", "a ",
        ] as [String])
    func runs(_ piece: String) throws {
        let length = MatchingLimits.messageBytes / Strength.of(32, full: 4)
        let heard = PreparedMessage(String(repeating: piece, count: length / piece.utf8.count))
        for kind in SlotKind.allCases {
            var cost = MatchCost()
            _ = try Hears.phrase(Phrase("{x:\(kind.rawValue)} zz")).match(heard, cost: &cost)
            _ = try Hears.phrase(Phrase("{x:\(kind.rawValue)}")).match(heard, cost: &cost)
            #expect(!cost.isExhausted)
        }
    }

    @Test("Any text is either a phrase or a mistake inside it, and no message stops it")
    func anyPhrase() {
        var dice = Dice(seed: 9)
        let pieces = [
            "a", "{", "}", "{a}", "{b:number}", "{c:time}", "{d:day}", ":", " ", "at", "l'", "é", "*", "{{",
            "}}",
            "{e:word}", "{f:phone}", "{g:code}", "{h:email}", "4", "\u{0}",
        ]
        let said = [
            "a", "at", "4", "7.30pm", "next", "friday", "the", "5th", "may", "l'a", "a@b.cd", "+", "é",
            "half",
        ]
        var accepted = 0
        for _ in 0..<3000 {
            let source = (0..<(1 + dice.below(6))).map { _ in pieces[dice.below(pieces.count)] }.joined()
            let message = (0..<dice.below(10)).map { _ in said[dice.below(said.count)] }.joined(
                separator: " ")
            do throws(PhraseError) {
                let phrase = try Phrase(source)
                accepted += 1
                guard let captures = Hears.phrase(phrase).match(PreparedMessage(message)) else { continue }
                expectEqual(Set(captures.entries.map(\.name)), Set(phrase.slots.map(\.name)), "\(source)")
                #expect(captures.entries.allSatisfy { !$0.value.isEmpty }, "\(source) | \(message)")
            } catch {
                #expect((0...source.utf8.count).contains(error.offset), "\(source)")
            }
        }
        #expect(accepted > 500)
    }
}
