import Clocks
import Testing

@Suite("Foreign text made harmless")
struct ForeignTextTests {
    /// CSI and NEL of C1, DEL, ESC, marks of direction, separators, an invisible blank and a tag.
    private static let harmful =
        "\u{9B}\u{85}\u{7F}\u{1B}\u{202E}\u{2066}\u{2028}\u{2029}\u{200B}\u{FEFF}\u{E0041}"

    @Test("A line holds nothing that acts on a terminal, and shows what was there")
    func line() {
        let line = ForeignText.line("a" + Self.harmful + "b\nc\td")
        #expect(!line.unicodeScalars.contains(where: ForeignText.isHarmful))
        #expect(line.hasPrefix(#"a\u{9B}\u{85}\u{7F}\u{1B}\u{202E}"#))
        #expect(line.hasSuffix("b c d"))
    }

    @Test(
        "JSON keeps its meaning and its line ends",
        arguments: ["\u{9B}31m", "\u{7F}", "\u{2028}", "\u{E0041}"])
    func json(text: String) {
        let json = ForeignText.json("{\n\"a\":\"\(text)\"}\n")
        let values = json.unicodeScalars.filter { $0 != "\n" }
        #expect(!values.contains(where: ForeignText.isHarmful))
        #expect(json.contains("\\u") && json.hasSuffix("}\n"))
    }

    @Test("What people write stays as it is", arguments: ["Grüße", "שלום", "👩‍👧 ok", "日本語", ""])
    func harmless(text: String) {
        #expect(ForeignText.line(text) == text)
        #expect(ForeignText.json(text) == text)
    }
}
