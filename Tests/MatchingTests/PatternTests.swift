import Expectations
import Patterns
import TestSupport
import Testing

@testable import Matching

@Suite("Patterns")
struct PatternTests {
    private func match(_ pattern: String, _ text: String) throws -> Captures? {
        try Hears.pattern(RegularExpression(hears: pattern)).match(PreparedMessage(text))
    }

    @Test(
        "Found",
        arguments: [
            ("\\bclos(e|ing)\\b", "CLOSING!"), ("a.c", "abc"), ("^abc$", "ABC"), ("colou?r", "my color"),
            ("\\d{3}", "call 555"), ("^\\d{2,4}$", "1234"), ("^\\d{2,}$", "123456"), ("a{0}b", "b"),
            ("[a-f]+[^a-f]", "fadg"), ("[^\\d]", "1a"), ("[]x]", "]"), ("[a-]", "-"), ("[\\]]", "]"),
            ("\\x41", "a"), ("\\u0041", "a"), ("\\u{1F600}", "😀"), ("\\p{L}+\\d", "è1"), ("^\\p{Lu}", "Éa"),
            ("^\\P{L}", "1"), ("\\p{P}", "hm…"), ("\\s", "a b"), ("\\S\\s\\S", "a\u{A0}b"), ("^\\W+$", "?! "),
            ("straße", "STRASSE"), ("strasse", "straße"), ("^ß+$", "ssss"), ("sì", "SI"), ("[é]", "E"),
            ("[À-Ö]", "a"), ("(?:ab)+$", "xabab"), ("a|", "zzz"), ("^$", ""), ("a\\.b", "a.b"), ("{x", "{x"),
            ("a{,3}", "a{,3}"), ("that's", "that’s"), ("\\w+-\\w+", "e-mail"), ("[\\w-]+@", "a-b@c"),
            ("^(a|ab)(c|bcd)$", "abcd"), ("(a*)*b", "aaab"), ("(?:a|b*)*c", "abbc"), ("\\Bb", "ab"),
            ("^.{3}$", "字が😀"), ("a\\tb", "a\tb"), ("é\u{301}?", "e"), ("x*", ""), ("(a|b|c|d)$", "d"),
            ("[а-я]+", "ДА"), ("\\/", "/"), ("[\\b]", "\u{8}"), ("\\bfoo\\b", "foo."), ("()", "x"),
            ("^.{2}$", "한국"), ("[가-힣]+", "네"), ("[ァ-ヶ]", "ガ"),
        ] as [(String, String)])
    func found(_ pattern: String, _ text: String) throws {
        try expectEqual(match(pattern, text), [:])
    }

    @Test(
        "Not found",
        arguments: [
            ("\\bclos(e|ing)\\b", "enclosed"), ("^a", "ba"), ("a$", "ab"), ("a.c", "a\nc"),
            ("^\\d{2,4}$", "12345"),
            ("[^a-z]", "aZ"), ("\\p{Lu}", "abc"), ("^\\p{Ll}", "Abc"), ("\\D", "12"), ("\\bfoo\\b", "food"),
            ("a{3}", "aa"), ("\\S", " \n"), ("a+b", "aac"), ("\\Ba", "a"), ("^(?:ab)+$", "aba"), ("x", ""),
        ] as [(String, String)])
    func notFound(_ pattern: String, _ text: String) throws {
        try expectEqual(match(pattern, text), nil)
    }

    @Test("Named groups give the original spelling")
    func captures() throws {
        try expectEqual(match("name is (?<name>\\w+)", "My NAME is Zoë!"), ["name": "Zoë"])
        try expectEqual(
            match("(?<a>\\d+)(-(?<b>\\d+))?", "x12-34"), ["a": "12", "b": "34"])
        try expectEqual(match("(?<a>\\d+)(-(?<b>\\d+))?", "x12-"), ["a": "12"])
        try expectEqual(match("(?<s>s)$", "Straß"), ["s": "ß"])
        try expectEqual(match("(?<n>e)$", "cafe\u{301}"), ["n": "e\u{301}"])
        try expectEqual(RegularExpression(hears: "(?<b>x)(y)(?<a>z)").groupNames, ["b", "a"])
    }

    @Test("Greedy takes much, lazy takes little, the leftmost wins, then the first alternative")
    func preference() throws {
        try expectEqual(match("<(?<x>.*)>", "<a><b>"), ["x": "a><b"])
        try expectEqual(match("<(?<x>.*?)>", "<a><b>"), ["x": "a"])
        try expectEqual(match("(?<x>a|ab)", "cab"), ["x": "a"])
        try expectEqual(match("(?<x>\\d{2,3}?)", "12345"), ["x": "12"])
        try expectEqual(match("(?<x>\\d{2,3})", "12345"), ["x": "123"])
        try expectEqual(match("(?<x>\\d+)", "a 12 345"), ["x": "12"])
        try expectEqual(match("(?<x>a?)b", "xb"), ["x": ""])
        try expectEqual(match("((?<x>a)|b)+", "ab"), ["x": "a"])
    }

    @Test(
        "Mistakes are told with their place",
        arguments: [
            ("(a", 0), ("a)", 1), ("é[b", 2), ("*a", 0), ("a**", 2), ("a|+", 2), ("(?=a)", 0), ("x(?!a)", 1),
            ("(?<=a)", 0), ("(?<!a)", 0), ("(a)\\1", 3), ("\\k<a>", 0), ("\\", 0), ("[z-a]", 1),
            ("a{3,2}", 1),
            ("a{1001}", 1), ("(?<1>a)", 3), ("(?<a>x)(?<a>y)", 10), ("(?i)a", 0), ("\\q", 0), ("\\xZZ", 0),
            ("\\u{110000}", 0), ("\\p{Greek}", 0), ("", 0), ("[ß]", 1), ("^*", 1), ("(?<a", 3), ("(?<>a)", 3),
            ("a{2}{3}", 4), ("\\x+1", 0), ("{3}", 0),
        ] as [(String, Int)])
    func mistakes(_ source: String, _ offset: Int) {
        do {
            _ = try RegularExpression(hears: source)
            Issue.record("\(source) was accepted")
        } catch {
            expectEqual(error.offset, offset, "\(source): \(error.message)")
            #expect(error.message.hasSuffix("."), "\(error.message)")
        }
    }

    @Test("Look-around and back-references are named in the refusal")
    func refusals() {
        let back = #expect(throws: PatternError.self) { try RegularExpression(hears: "(a)\\1") }
        #expect(back?.reason == "refers back to a group, which this matcher does not do" && back?.offset == 3)
        let ahead = #expect(throws: PatternError.self) { try RegularExpression(hears: "a(?=b)") }
        expectEqual(ahead?.fix, "use \"all\" and \"none\" in \"hears\" instead")
    }

    @Test(
        "A repetition of a repetition is noticed",
        arguments: [
            ("(a+)+$", true), ("(a*)*", true), ("(\\w+\\s?)+", true), ("(a|b+)*", true),
            ("((?<x>a+))+", true),
            ("(\\w+\\s)+", false), ("(ab)+", false), ("(a+)?", false), ("a+b+", false), ("(a+){3}", false),
            ("(a+b)*", false), ("((a+)+b)", true), ("(a{2,})+", true),
        ] as [(String, Bool)])
    func nested(_ source: String, _ expected: Bool) throws {
        try expectEqual(RegularExpression(hears: source).repeatsARepetition, expected)
    }

    @Test(
        "Patterns that hang other engines take a bounded number of steps on a long text",
        arguments: [
            ("(a+)+$", "a"), ("^(a*)*$", "a"), ("(a|aa)+$", "a"), ("^(a|a?)+$", "a"), ("(.*)*x", "a"),
            ("^(([a-z])+.)+[A-Z]([a-z])+$", "a"), ("(\\w+\\s?)+$", "a "), ("a*a*a*a*b", "a"),
            ("(?<x>a+)+$", "a"), ("(x+x+)+y", "x"),
        ] as [(String, String)])
    func hostile(_ pattern: String, _ piece: String) throws {
        let length = Strength.of(10_000, full: 100_000)
        let text = String(repeating: piece, count: length / piece.utf8.count) + "!"
        let heard = PreparedMessage(text)
        var cost = MatchCost()
        let found = try Hears.pattern(RegularExpression(hears: pattern)).match(heard, cost: &cost)
        expectEqual(found, nil)
        #expect(!cost.isExhausted)
        #expect(cost.steps <= 40 * heard.scalars.count)
    }

    @Test("Over the budget a pattern is not heard, and that is told (limit matchSteps)")
    func budget() throws {
        let pattern = try Hears.pattern(RegularExpression(hears: #"(a?){400}b\b"#))
        let long = PreparedMessage(String(repeating: "a", count: Strength.of(10_000, full: 100_000)))
        var cost = MatchCost()
        expectEqual(pattern.match(long, cost: &cost), nil)
        #expect(cost.isExhausted)
        expectEqual(cost.steps, MatchingLimits.matchSteps)
        var small = MatchCost(budget: 10)
        try expectEqual(
            Hears.none([.pattern(RegularExpression(hears: #"a+b\b"#))]).match(
                PreparedMessage("aaaaaaaaaaaa"), cost: &small), nil)
        #expect(small.isExhausted)
    }

    @Test(
        "Patterns that would grow too large are refused (limits patternInstructions, -Depth and -Bytes)",
        arguments: [
            "((a{100}){100}){100}", "((((){1000}){1000}){1000}){1000}", "(\\d{1000}){1000}",
            String(repeating: "(", count: 51) + String(repeating: ")", count: 51),
            String(repeating: "a", count: 4097), String(repeating: "(", count: 4000),
        ] as [String])
    func tooLarge(_ source: String) {
        #expect(throws: PatternError.self) { try RegularExpression(hears: source) }
    }

    @Test("Any text is either a pattern or a mistake inside it, and matching it ends")
    func anyPattern() {
        var dice = Dice(seed: 5)
        let alphabet = Array("ab(|)*+?{2,}[^]-\\dwbp<>x:éß.$").map(String.init)
        let message = PreparedMessage("abab 12 éß aab-(x)")
        var accepted = 0
        for _ in 0..<5000 {
            let source = (0..<(1 + dice.below(12))).map { _ in alphabet[dice.below(alphabet.count)] }.joined()
            do {
                let pattern = try RegularExpression(hears: source)
                var cost = MatchCost()
                _ = Hears.pattern(pattern).match(message, cost: &cost)
                #expect(!cost.isExhausted, "\(source)")
                accepted += 1
            } catch {
                #expect((0...source.utf8.count).contains(error.offset), "\(source)")
            }
        }
        #expect(accepted > 500)
    }
}
