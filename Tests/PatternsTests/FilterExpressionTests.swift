import Expectations
import Patterns
import Testing

@Suite("Regular expressions of filters")
struct FilterExpressionTests {
    private func found(_ pattern: String, in text: String, ignoringCase: Bool = false) throws -> Bool {
        let pattern = try RegularExpression(pattern, .filter(ignoresCase: ignoringCase))
        return Array(text.utf8).withUnsafeBufferPointer { pattern.isFound(in: $0) }
    }

    @Test(
        "Each construct finds what it means",
        arguments: [
            ("", "", "-"), ("abc", "xabcx", "ab"), ("a.c", "aüc", "a\nc"), ("^a", "ab", "ba"),
            ("b$", "ab", "ba"),
            ("^$", "", "a"), ("ab*c", "ac", "adc"), ("ab+c", "abbc", "ac"), ("ab?c", "abc", "abbc"),
            ("a|b", "xb", "c"), ("^(ab|c)d$", "abd", "abcd"), ("(?:ab)+$", "abab", "aba"),
            ("^a{2}$", "aa", "aaa"), ("^a{2,}$", "aaaa", "a"), ("^a{1,2}$", "aa", "aaa"),
            ("^a{0}b$", "b", "ab"),
            ("[a-c]", "b", "d"), ("[^a-c]", "d", "abc"), ("[]x]", "]", "y"), ("[a-]", "-", "b"),
            ("[äö]", "ö", "o"),
            ("^[^x]$", "ü", "x"), (#"\d\d"#, "a12", "1a2"), (#"^\D$"#, "ü", "1"), (#"\w-\s"#, "a- ", "--"),
            (#"[\d.]+x"#, "1.5x", "x"), (#"^\S\W$"#, "a!", "ab"), (#"a\.b"#, "a.b", "axb"),
            (#"\$\["#, "$[", "$"),
            (#"a\tb"#, "a\tb", "atb"), ("a*?b", "aab", "a"), ("(a*)*b", "aab", "aac"), ("(|a)b", "b", "a"),
            ("ü+", "xüü", "u"), ("a]}", "a]}", "a]"),
            ("[a-cb]", "c", "d"), (#"\d"#, "9", ":"), (#"\d"#, "0", "/"),
        ] as [(String, String, String)])
    func constructs(_ pattern: String, _ text: String, _ other: String) throws {
        #expect(try found(pattern, in: text))
        if !pattern.isEmpty { #expect(try !found(pattern, in: other)) }
    }

    @Test("Case counts unless told otherwise")
    func cases() throws {
        #expect(try !found("ÄB[c-d]", in: "äbD"))
        #expect(try found("ÄB[c-d]", in: "äbD", ignoringCase: true))
        #expect(try !found("^[^a]$", in: "A", ignoringCase: true))
    }

    @Test("Expressions that make others wait for ever are through in steps linear to the text")
    func slowElsewhere() throws {
        let text = String(repeating: "a", count: 20_000)
        #expect(try !found("(a+)+$", in: text + "b"))
        #expect(try !found("(a|a)*b", in: text))
        #expect(try !found("(.*a){12}b", in: text))
    }

    @Test(
        "What this matcher does not do is refused with its place",
        arguments: [
            ("(a", 0), ("a)", 1), ("[a", 0), ("a**", 2), ("*a", 0), ("a|+", 2), (#"a\"#, 1), (#"\1"#, 0),
            (#"\bx"#, 0), ("(?=a)", 0), ("(?<n>a)", 0), ("a{2,1}", 1), ("a{x}", 1), ("a{1001}", 1),
            ("[z-a]", 1),
            ("[ä-ö]", 1), ("(a{1000}){1000}", 0), (String(repeating: "(", count: 40), 32),
        ] as [(String, Int)])
    func refused(_ pattern: String, _ offset: Int) {
        let error = #expect(throws: PatternError.self) {
            try RegularExpression(pattern, .filter(ignoresCase: false))
        }
        expectEqual(error?.offset, offset)
        expectEqual(error?.fix.isEmpty, false)
    }
}
