import Clocks
import ConversationEngine
import Expectations
import TestSupport
import Testing

@Suite("Cutting replies into chunks")
struct ChunkTests {
    static func chunks(_ text: String, size: Int, _ unit: Pace.Unit) throws -> [String] {
        var script = Script.plain
        script.pace = Pace(think: .zero, chunkSize: size, chunkUnit: unit, every: .zero)
        script.greeting = [Step(says(text))]
        let talk = try Talk.joined(script, isStreaming: true)
        return Self.chunks(of: talk)
    }

    static func chunks(of talk: Talk) -> [String] {
        talk.journal.compactMap { entry in
            if case .agentChunk(let chunk) = entry.event { return chunk.text }
            return nil
        }
    }

    @Test("Words keep the blanks behind them; leading blanks go with the first word")
    func words() throws {
        try expectEqual(
            Self.chunks("one two  three\nfour", size: 1, .words), ["one ", "two  ", "three\n", "four"])
        try expectEqual(Self.chunks("  one two three", size: 2, .words), ["  one two ", "three"])
        try expectEqual(Self.chunks("one", size: 3, .words), ["one"])
    }

    @Test("Words of plain text are cut as those of a text with other characters", arguments: 1...3)
    func plainWords(size: Int) {
        for text in ["", " ", "one", "  one\t two\r\n\u{B}three  ", "a b c d e f\u{1C}g h"] {
            // The word behind it makes it one with other characters.
            let words = ChunkCutter.cut(text, size: size, unit: .words).joined(separator: "|")
            let other = ChunkCutter.cut(text + " é é é é", size: size, unit: .words).joined(separator: "|")
            #expect(other.hasPrefix(words) || text.isEmpty, "\(text.debugDescription): \(words) \(other)")
        }
    }

    @Test("Characters are what a reader sees, not code points")
    func characters() throws {
        try expectEqual(Self.chunks("ae\u{301}👩‍👩‍👧🇩🇪b", size: 1, .characters), ["a", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "b"])
        try expectEqual(Self.chunks("abcde", size: 2, .characters), ["ab", "cd", "e"])
    }

    @Test("Tokens are at most four characters of a word, blanks in front")
    func tokens() throws {
        try expectEqual(
            Self.chunks("Hello big world", size: 1, .tokens), ["Hell", "o", " big", " worl", "d"])
        try expectEqual(Self.chunks("Hello big world", size: 2, .tokens), ["Hello", " big worl", "d"])
    }

    @Test("A sentence ends with a mark and a blank, or with its line; the blanks go with it")
    func sentences() throws {
        try expectEqual(
            Self.chunks("Hello! \"What?\"  (Well.) 3.50 at 7.30pm… ok", size: 1, .sentences),
            ["Hello! ", "\"What?\"  ", "(Well.) ", "3.50 at 7.30pm… ", "ok"])
        try expectEqual(
            Self.chunks("# Title\n\n- one\n- two.", size: 1, .sentences),
            [
                "# Title\n\n", "- one\n", "- two.",
            ])
        try expectEqual(Self.chunks("好。吃了吗？", size: 1, .sentences), ["好。", "吃了吗？"])
        try expectEqual(Self.chunks("One. Two. Three.", size: 2, .sentences), ["One. Two. ", "Three."])
    }

    @Test("A line takes the line breaks in front of it, so that a blank between two lines is not seen")
    func lines() throws {
        let text = "**All**\n\n- a list\r\n- of two"
        let lines = try Self.chunks(text, size: 1, .lines)
        expectEqual(lines, ["**All**", "\n\n- a list", "\r\n- of two"])
        expectEqual(lines.joined(separator: " "), "**All** \n\n- a list \r\n- of two")
        try expectEqual(Self.chunks("\n\nfirst\nlast\n", size: 1, .lines), ["\n\nfirst", "\nlast", "\n"])
        try expectEqual(Self.chunks("a\nb\nc", size: 2, .lines), ["a\nb", "\nc"])
    }

    @Test("A whole reply is one chunk, whatever its size")
    func whole() throws {
        try expectEqual(Self.chunks("One.\nTwo. Three", size: 7, .whole), ["One.\nTwo. Three"])
    }

    @Test("A size below 1 counts as 1", arguments: [0, -5] as [Int])
    func sizeBelowOne(_ size: Int) throws {
        try expectEqual(Self.chunks("a b", size: size, .words), ["a ", "b"])
        try expectEqual(Self.chunks("ab", size: size, .characters), ["a", "b"])
        try expectEqual(Self.chunks("a b", size: size, .tokens), ["a", " b"])
    }

    @Test("An empty text, and one of blanks, is one complete chunk")
    func blank() throws {
        for unit in Pace.Unit.allCases {
            try expectEqual(Self.chunks("", size: 9, unit), [""])
            try expectEqual(Self.chunks("   ", size: 9, unit), ["   "])
        }
    }

    static let pieces = [
        "a", "Z", "7", " ", "  ", "\n", "\r\n", ".", "…", "é", "e\u{301}\u{323}", "ß", "中", "日本", "가",
        "ᄀ\u{1161}",
        "👍", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇫🇷", "❤️", "1️⃣", "שלום", "שָׁ", "مرحبا", "لّ", "\u{200F}", "\u{2067}x\u{2069}",
        "क्ष", "नि", "ไทย", "ก็", "\u{301}", "\u{200D}", "\u{FE0F}", "𝒳", "\t", "\u{A0}",
    ]

    static func randomText(_ seed: UInt64) -> String {
        var random = SeededGenerator(seed: seed)
        return (0..<Int.random(in: 0..<60, using: &random)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }.joined()
    }

    /// protocol.md#chunk-text
    @Test("Joined chunks equal the unstreamed text, and no chunk splits a character")
    func randomTexts() throws {
        for seed in 0..<Strength.of(150, full: 600) as Range<UInt64> {
            let text = Self.randomText(seed)
            var random = SeededGenerator(seed: seed)
            let unit = Pace.Unit.allCases[Int(seed % 6)]
            let chunks = try Self.chunks(text, size: Int.random(in: 1...5, using: &random), unit)
            expectEqual(Array(chunks.joined().unicodeScalars), Array(text.unicodeScalars))
            let borders = Set(
                text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) } + [text.utf8.count])
            var offset = 0
            for chunk in chunks {
                offset += chunk.utf8.count
                #expect(borders.contains(offset), "seed \(seed) cuts a character")
                #expect(!chunk.isEmpty || text.isEmpty)
            }
        }
    }

    @Test("The streamed reply and the whole reply of one script have the same text", arguments: 0..<30)
    func streamedEqualsWhole(_ seed: UInt64) throws {
        var script = Script.plain
        let text = Self.randomText(seed)
        script.greeting = [Step(says(text))]
        guard case .agentMessage(let message)? = try Talk.joined(script).journal.last?.event else {
            Issue.record("no message")
            return
        }
        expectEqual(message.text, text)
        expectEqual(Self.chunks(of: try Talk.joined(script, isStreaming: true)).joined(), text)
    }

    @Test("Exact chunks are sent as written, gaps filled, and joined where the session does not stream")
    func exactChunks() throws {
        var script = Script.plain
        script.greeting = [
            Step(
                .say(
                    SayStep(
                        texts: [template("One {agent.name}.")],
                        chunks: [template("O"), template("ne {agent.name}"), template("."), template("")])))
        ]
        let streamed = try Talk.joined(script, isStreaming: true)
        expectEqual(Self.chunks(of: streamed), ["O", "ne Juno", ".", ""])
        expectEqual(streamed.journalLines.last, "7 CHUNK 4 |")
        try expectEqual(Talk.joined(script).journalLines.last, "4 MESSAGE One Juno.")
    }

    @Test(
        "What the session asked for goes before exact cuts, a step's size and the pace; a step's size before the pace"
    )
    func wishes() throws {
        var script = Script.plain
        script.pace = Pace(think: .zero, chunkSize: 1, every: .zero)
        script.greeting = [
            Step(
                .say(SayStep(texts: [template("A b. C d.")], chunks: [template("A b"), template(". C d.")]))),
            Step(.say(SayStep(texts: [template("E f. G h.")], cut: ChunkSize(unit: .sentences)))),
            Step(says("I j.")),
        ]
        let usual = try Talk.joined(script, isStreaming: true)
        expectEqual(Self.chunks(of: usual), ["A b", ". C d.", "E f. ", "G h.", "I ", "j."])
        let whole = try Talk.joined(script, isStreaming: true, chunks: .whole)
        expectEqual(Self.chunks(of: whole), ["A b. C d.", "E f. G h.", "I j."])
        let words = try Talk.joined(script, isStreaming: true, chunks: .words)
        expectEqual(Self.chunks(of: words), ["A ", "b. ", "C ", "d.", "E ", "f. ", "G ", "h.", "I ", "j."])
    }

    @Test("A fault at a later chunk acts on the last chunk of a reply that the session had cut otherwise")
    func faultAtTheLast() throws {
        var script = Script.plain
        script.greeting = [Step(says("One two three four five six"))]
        let later = Fault(name: "t", moment: .replyChunk(1, 3), effect: .agentError(.highLoad))
        try expectEqual(
            Talk.joined(script, isStreaming: true, chunks: .whole, faults: [later]).lines.last,
            "- error high load")
        let cut = try Talk.joined(script, isStreaming: true, chunks: .words, faults: [later])
        expectEqual(Self.chunks(of: cut), ["One ", "two "])
        // The fixture's own chunks are counted as they are.
        let beyond = Fault(name: "t", moment: .replyChunk(1, 30), effect: .agentError(.highLoad))
        try expectEqual(Self.chunks(of: Talk.joined(script, isStreaming: true, faults: [beyond])).count, 3)
        try expectEqual(
            Self.chunks(of: Talk.joined(script, isStreaming: true, chunks: .words, faults: [beyond]))
                .count, 5)
    }
}
