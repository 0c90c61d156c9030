import Expectations
import Testing
import Texts

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

    @Test("A talk shows the ends of its lines or keeps them")
    func talk() {
        expectEqual(ForeignText.talkLine("a\r\nb\nc\rd\te\u{202E}"), #"a\nb\nc\nd    e\u{202E}"#)
        expectEqual(ForeignText.talkLines("a\r\nb\tc\u{1B}"), "a\nb    c\\u{1B}")
    }

    @Test("A text for a terminal keeps its lines and has a mark for what is harmful")
    func marked() {
        expectEqual(ForeignText.marked("a\n\tb\u{1B}[2J\r"), "a\n\tb\u{FFFD}[2J\u{FFFD}")
    }

    @Test(
        "JSON keeps its meaning and its line ends",
        arguments: ["\u{9B}31m", "\u{7F}", "\u{2028}", "\u{E0041}"] as [String])
    func json(text: String) {
        let json = ForeignText.json("{\n\"a\":\"\(text)\"}\n")
        let values = json.unicodeScalars.filter { $0 != "\n" }
        #expect(!values.contains(where: ForeignText.isHarmful))
        #expect(json.contains("\\u") && json.hasSuffix("}\n"))
    }

    @Test("What people write stays as it is", arguments: ["Grüße", "שלום", "👩‍👧 ok", "日本語", ""] as [String])
    func harmless(text: String) {
        expectEqual(ForeignText.line(text), text)
        expectEqual(ForeignText.talkLine(text), text)
        expectEqual(ForeignText.marked(text), text)
        expectEqual(ForeignText.json(text), text)
    }
}
