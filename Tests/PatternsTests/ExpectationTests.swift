import Expectations
import Patterns
import Testing

@Suite("Regular expressions of --expect")
struct ExpectationTests {
    private func found(_ pattern: String, in text: String) throws -> Bool {
        try RegularExpression(pattern, .expectation).isFound(in: text)
    }

    @Test(
        "Each construct finds what it means",
        arguments: [
            ("^Hello", "Hello there", "hello"), ("(?i)how many", "HOW many?", "how"), ("", "x", "-"),
            ("said: h.$", "said: hi", "said: hiya"), ("^two$", "one\ntwo\nthree", "one two"),
            ("^two$", "one\r\ntwo\r\nthree", "two three"), (#"\Atwo"#, "two", "one\ntwo"),
            (#"one\z"#, "one", "one\ntwo"), ("a.c", "aüc", "a\nc"), ("(?s)a.c", "a\nc", "ac"),
            (#"\bcat\b"#, "the cat.", "concat"), (#"\p{Lu}{2}"#, "aBC", "aBc"), (#"^\w+$"#, "grüße", "a b"),
            (#"^\d+$"#, "١٢", "a"), ("(?i:É)x", "éx", "éX"), ("a(?-i)B", "aB", "ab"), ("(?<n>a)b", "ab", "b"),
            (#"\x{1F600}"#, "😀", "x"), ("a{,2}b$", "aab", "ac"), ("(?i)[à-ö]+$", "ÀÉ", "x"),
            ("£ ?5", "£5", "5"),
            ("(?im)^b", "a\nB", "a b"), ("a{x", "a{x", "ax"), (#"4\.50 €"#, "4.50 €", "4x50 €"),
            (#"^\w$"#, "é", "—"), (#"^\w$"#, "_", "ⓐ"), (#"^\d$"#, "9", ":"),
        ] as [(String, String, String)])
    func constructs(_ pattern: String, _ text: String, _ other: String) throws {
        #expect(try found(pattern, in: text))
        if !pattern.isEmpty { #expect(try !found(pattern, in: other)) }
    }

    @Test(
        "What no linear matcher does is refused with its place and what to write",
        arguments: [
            ("(?=a)", 0), ("a(?!b)", 1), ("(?<=a)b", 0), (#"(a)\1"#, 3), ("(?>a)", 0), ("a++", 2), ("(a", 0),
            ("[[:alpha:]]", 1), ("[a&&b]", 2), (#"\X"#, 0), ("*", 0), ("(?x)a", 0),
        ] as [(String, Int)])
    func refused(_ pattern: String, _ offset: Int) {
        let error = #expect(throws: PatternError.self) { try RegularExpression(pattern, .expectation) }
        expectEqual(error?.offset, offset)
        #expect(error?.message.hasPrefix("it ") == true && error?.message.hasSuffix(".") == true)
    }

    @Test("A match costs steps linear to the text")
    func slowElsewhere() throws {
        let text = String(repeating: "a", count: 20_000)
        #expect(try !found("(a+)+$", in: text + "b"))
        #expect(try !found("(a|a)*b", in: text))
    }
}

@Suite("Regular expressions over bytes")
struct ByteTests {
    private func found(_ pattern: String, _ bytes: [UInt8]) throws -> Bool {
        let expression = try RegularExpression(pattern, .filter(ignoresCase: false))
        return bytes.withUnsafeBufferPointer { expression.isFound(in: $0) }
    }

    @Test("A byte that is no text is taken by nothing, and what stands beside it is found")
    func broken() throws {
        #expect(try found("ab", [0xFF, 0x61, 0x62, 0x80]))
        #expect(try found("ü", [0xE2, 0xC3, 0xBC]))
        #expect(try !found("^.", [0xFF]))
        #expect(try !found("^[^a]", [0x80]))
        #expect(try !found("a.b", [0x61, 0xC3, 0x62]))
        #expect(try found("", [0xFF]))
        // "x" in a form that is longer than it need be.
        #expect(try !found("x", [0xC1, 0xB8]))
        #expect(try !found("x", [0xE0, 0x81, 0xB8]))
    }
}
