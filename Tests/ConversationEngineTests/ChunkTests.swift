import Clocks
import ConversationEngine
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
        #expect(
            try Self.chunks("one two  three\nfour", size: 1, .words) == ["one ", "two  ", "three\n", "four"])
        #expect(try Self.chunks("  one two three", size: 2, .words) == ["  one two ", "three"])
        #expect(try Self.chunks("one", size: 3, .words) == ["one"])
    }

    @Test("Characters are what a reader sees, not code points")
    func characters() throws {
        #expect(try Self.chunks("ae\u{301}👩‍👩‍👧🇩🇪b", size: 1, .characters) == ["a", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "b"])
        #expect(try Self.chunks("abcde", size: 2, .characters) == ["ab", "cd", "e"])
    }

    @Test("Tokens are at most four characters of a word, blanks in front")
    func tokens() throws {
        #expect(try Self.chunks("Hello big world", size: 1, .tokens) == ["Hell", "o", " big", " worl", "d"])
        #expect(try Self.chunks("Hello big world", size: 2, .tokens) == ["Hello", " big worl", "d"])
    }

    @Test("A size below 1 counts as 1", arguments: [0, -5])
    func sizeBelowOne(_ size: Int) throws {
        #expect(try Self.chunks("a b", size: size, .words) == ["a ", "b"])
        #expect(try Self.chunks("ab", size: size, .characters) == ["a", "b"])
        #expect(try Self.chunks("a b", size: size, .tokens) == ["a", " b"])
    }

    @Test("An empty text, and one of blanks, is one complete chunk")
    func blank() throws {
        for unit in [Pace.Unit.words, .characters, .tokens] {
            #expect(try Self.chunks("", size: 9, unit) == [""])
            #expect(try Self.chunks("   ", size: 9, unit) == ["   "])
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

    @Test("Joined chunks equal the unstreamed text, and no chunk splits a character (TS-4)")
    func randomTexts() throws {
        for seed in 0..<500 as Range<UInt64> {
            let text = Self.randomText(seed)
            var random = SeededGenerator(seed: seed)
            let unit = [Pace.Unit.words, .characters, .tokens][Int(seed % 3)]
            let chunks = try Self.chunks(text, size: Int.random(in: 1...5, using: &random), unit)
            #expect(Array(chunks.joined().unicodeScalars) == Array(text.unicodeScalars))
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

    @Test("The streamed reply and the whole reply of one script have the same text (TS-4)", arguments: 0..<30)
    func streamedEqualsWhole(_ seed: UInt64) throws {
        var script = Script.plain
        let text = Self.randomText(seed)
        script.greeting = [Step(says(text))]
        guard case .agentMessage(let message)? = try Talk.joined(script).journal.last?.event else {
            Issue.record("no message")
            return
        }
        #expect(message.text == text)
        #expect(Self.chunks(of: try Talk.joined(script, isStreaming: true)).joined() == text)
    }

    @Test("Exact chunks are sent as written, gaps filled, and joined where the session does not stream")
    func exactChunks() throws {
        var script = Script.plain
        script.greeting = [
            Step(
                .say(
                    Speech(
                        texts: [template("One {agent.name}.")],
                        chunks: [template("O"), template("ne {agent.name}"), template("."), template("")])))
        ]
        let streamed = try Talk.joined(script, isStreaming: true)
        #expect(Self.chunks(of: streamed) == ["O", "ne Juno", ".", ""])
        #expect(streamed.journalLines.last == "7 CHUNK 4 |")
        #expect(try Talk.joined(script).journalLines.last == "4 MESSAGE One Juno.")
    }
}
