import Expectations
import Testing
import Texts

@Suite("Searching texts")
struct TextSearchTests {
    @Test(
        "The first place of a word, as the standard library finds it",
        arguments: [
            ("http://a/b://c", "://"), ("aab", "ab"), ("ababac", "abac"), ("Grüße://", "://"),
            ("none", "://"), ("", "a"), ("a", "aa"), ("..", ".."), ("x..y..z", ".."), ("1....", ".."),
        ] as [(String, String)])
    func place(text: String, word: String) {
        expectEqual(text.firstPlace(of: word), text.firstRange(of: word))
        expectEqual(text.holds(word), text.contains(word))
        let rest = ("before" + text).dropFirst(6)
        expectEqual(rest.firstPlace(of: word), rest.firstRange(of: word))
    }

    @Test("An empty word stands nowhere")
    func empty() {
        expectEqual("text".firstPlace(of: ""), nil)
        #expect("text".holds("") && "".holds(""))
        expectEqual("text".pieces(between: ""), ["text"])
    }

    @Test(
        "Pieces around a word, joined by another, are the text with the word replaced",
        arguments: ["", "HOST", "a HOST b", "HOSTHOST", "HOSHOST HOS", "ünHOSTü"] as [String])
    func pieces(text: String) {
        let pieces = text.pieces(between: "HOST")
        expectEqual(pieces.joined(separator: "x"), text.replacing("HOST", with: "x"))
        expectEqual(pieces.joined(separator: "HOST"), text)
    }
}
