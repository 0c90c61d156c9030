import Clocks
import Expectations
import Testing

@testable import TerminalChat

@Suite("Keys and the line editor")
struct EditorTests {
    static let typed = Array("aé漢\u{1B}[D\u{1B}b\u{1B}\r\u{1B}[200~x\ny\u{1B}[201~\u{7F}\r\u{3}".utf8)
    static let keys: [Key] = [
        .text("aé漢"), .left, .wordLeft, .newLine, .paste("x\ny"), .backspace, .enter, .interrupt,
    ]

    @Test("Keys are read from their bytes")
    func keys() {
        var reader = KeyReader()
        expectEqual(reader.read(Self.typed), Self.keys)
    }

    @Test("Text, sequences and pastes may be cut anywhere but behind an ESC", arguments: 0...40)
    func split(cut: Int) {
        guard cut <= Self.typed.count, cut == 0 || Self.typed[cut - 1] != 0x1B else { return }
        var reader = KeyReader()
        let keys = reader.read(Array(Self.typed.prefix(cut))) + reader.read(Array(Self.typed.dropFirst(cut)))
        var joined: [Key] = []
        for key in keys {
            if case .text(let more) = key, case .text(let text)? = joined.last {
                joined[joined.count - 1] = .text(text + more)
            } else {
                joined.append(key)
            }
        }
        expectEqual(joined, Self.keys)
    }

    @Test("Bytes that mean nothing never stop the reader")
    func noise() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var reader = KeyReader()
            _ = reader.read((0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) })
            _ = reader.read(Array("\u{1B}[201~".utf8) + Array(repeating: 0x41, count: 40))
            let keys = reader.read([0x0D])
            #expect(keys.contains(.enter))
        }
    }

    @Test("The editor moves by words, kills and yanks")
    func editing() {
        var editor = LineEditor()
        expectEqual(editor.insert("one two three"), true)
        for key in [Key.wordLeft, .killWord, .end, .yank, .home, .delete] {
            expectEqual(editor.press(key), true)
        }
        expectEqual(editor.text, "ne threetwo ")
        expectEqual(editor.press(.pageUp), false)
    }

    @Test("A mark joins the character before it, and counts as one with it")
    func marks() {
        var editor = LineEditor()
        _ = editor.insert("e")
        _ = editor.insert("\u{301}")
        #expect(editor.characters.count == 1 && editor.cursor == 1)
    }

    @Test("Up and down bring back what was written; the line begun meanwhile is kept")
    func history() {
        var editor = LineEditor()
        for line in ["one", "two"] {
            _ = editor.insert(line)
            _ = editor.submit()
        }
        _ = editor.insert("thr")
        let seen = [Key.up, .up, .up, .down, .down, .down].map { key -> String in
            _ = editor.press(key)
            return editor.text
        }
        expectEqual(seen, ["two", "one", "one", "two", "thr", "thr"])
    }

    @Test("A message has 500 characters at most")
    func length() {
        var editor = LineEditor()
        expectEqual(editor.insert(String(repeating: "x", count: 500)), true)
        expectEqual(editor.insert("y"), false)
        expectEqual(editor.text, String(repeating: "x", count: 500))
    }

    @Test(
        "Columns are counted as terminals do",
        arguments: [
            ("a", 1), ("漢", 2), ("é", 1), ("e\u{301}", 1), ("😀", 2), ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("❤️", 2), ("ｱ", 1),
            ("한", 2), ("\u{301}", 0), ("–", 1), ("ل", 1),
        ] as [(String, Int)])
    func width(text: String, columns: Int) {
        expectEqual(DisplayWidth.of(text), columns)
    }

    @Test("Lines break at spaces, or anywhere in a word that is too long")
    func wrapping() {
        let rows = [Cell].styled("one two threefourfive\nsix").wrapped(to: 8)
        expectEqual(rows.map { String($0.map(\.character)) }, ["one two", "threefou", "rfive", "six"])
    }

    @Test(
        "Marks of agents become looks; what is not closed stays as it is",
        arguments: [
            ("**b** *i* `c`", "b i c"), ("2 * 3 * 4", "2 * 3 * 4"), ("snake_case_name", "snake_case_name"),
            ("**open", "**open"), ("[t](https://x)", "t <https://x>"),
            ("[t](javascript:x)", "t"), ("```\na *b*\n```", "    a *b*"), ("# Head", "Head"),
            ("See https://a.example, a@b.example", "See https://a.example, a@b.example"),
            ("one\n\ntwo\n- a\n  1. b\n- c\n\nend", "one\n\ntwo\n- a\n  1. b\n- c\nend"),
            ("&#27;[2J <b>x</b>", "\\u{1B}[2J x"),
        ] as [(String, String)])
    func markdown(text: String, shown: String) {
        expectEqual(String(Markdown.cells(text).map(\.character)), shown)
    }
}
