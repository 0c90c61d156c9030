import Clocks
import ConversationEngine
import Expectations
import Fixtures
import Matching
import TestSupport
import Testing

@Suite("JSON5 reader: hostile input")
struct JSON5HostileTests {
    @Test(
        "A byte that is not UTF-8 is told with its place (Unicode table 3-7)",
        arguments: [
            [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            [0xC3, 0x28],
        ] as [[UInt8]])
    func invalidUTF8(bad: [UInt8]) throws {
        let document = JSON5Document(reading: Array("{ a: 1,\n  b: \"è".utf8) + bad)
        let problem = try #require(document.problems.first)
        expectEqual(document.root, nil)
        let place = document.place(at: problem.offset)
        #expect(place.line == 2 && place.column == 8)
        let byte = String(bad[0], radix: 16, uppercase: true)
        expectEqual(
            problem.message, "the byte 0x\(byte) is not UTF-8 text; save the file with the encoding UTF-8")
    }

    @Test("Sequences of every length are fine")
    func validUTF8() {
        #expect(
            Samples.read("'a é € 😀 \u{7FF} \u{800} \u{FFFF} \u{10FFFF} \u{D7FF} \u{E000}'").problems.isEmpty)
    }

    @Test("64 brackets inside each other are read, 65 are refused")
    func nesting() throws {
        let limit = JSON5Limits().nesting
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(Samples.read(nested(limit)).problems.isEmpty)
        try expectEqual(Samples.problem(nested(limit + 1)), "1:65: more than 64 brackets inside each other")
    }

    @Test("100,000 open brackets do not overflow the stack", arguments: ["[", "{a:", "[{a:"] as [String])
    func deepNesting(bracket: String) throws {
        let document = Samples.read(String(repeating: bracket, count: 100_000))
        expectEqual(document.problems.count, 1)
        #expect(document.problems[0].message.hasPrefix("more than 64 brackets"))
    }

    @Test("A file over the size limit is refused unread")
    func fileSize() {
        var limits = JSON5Limits()
        limits.fileBytes = 10
        #expect(JSON5Document(reading: Array("[1, 2, 34]".utf8), limits: limits).problems.isEmpty)
        let document = JSON5Document(reading: Array("[1, 2, 345]".utf8), limits: limits)
        expectEqual(document.problems.map(\.message), ["the file is larger than the 10 bytes it may have"])
        expectEqual(JSON5Limits().fileBytes, 4_194_304)
    }

    @Test("A file with too many values is refused")
    func valueCount() {
        var limits = JSON5Limits()
        limits.values = 3
        #expect(JSON5Document(reading: Array("[1, 2]".utf8), limits: limits).problems.isEmpty)
        let document = JSON5Document(reading: Array("[1, 2, 3]".utf8), limits: limits)
        expectEqual(document.problems.map(\.message), ["the file has more than 3 values"])
    }

    @Test("A number of silly length is refused")
    func numberLength() throws {
        let digits = String(repeating: "7", count: 400)
        #expect(Samples.read(digits).problems.isEmpty)
        try expectEqual(Samples.problem(digits + "7"), "1:1: a number of more than 400 characters")
    }

    @Test("A name of silly length is cut in the message")
    func longName() throws {
        let name = String(repeating: "n", count: 100_000)
        #expect(try Samples.problem("{ \(name) 1 }").utf8.count < 120)
    }

    @Test(
        "A file cut short anywhere is refused, never read wrongly",
        arguments: ["webchat", "booking"] as [String])
    func truncated(name: String) throws {
        let bytes = try Samples.file("fixtures/\(name).json5")
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        // A prime step reaches every kind of token without reading the file six thousand times.
        for cut in stride(from: 0, through: end, by: Strength.of(53, full: 13)) {
            let document = JSON5Document(reading: Array(bytes[..<cut]))
            #expect(document.root == nil && document.problems.count == 1, "cut at \(cut)")
        }
    }

    @Test("Damaged files end in a tree or in one problem with a place, never in a crash", arguments: 0..<8)
    func damaged(seed: UInt64) throws {
        let original = Array(try Samples.file("fixtures/webchat.json5").prefix(3_000))
        var random = SeededGenerator(seed: seed)
        let tokens = Array("{}[]\"'\\,:/*u0x-+.eI\n\r\u{1}".utf8) + [0xE2, 0x80, 0xA8, 0xFF]
        for _ in 0..<20 {
            var bytes = original
            for _ in 0..<3 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = tokens.randomElement(using: &random) ?? 0
            }
            let document = JSON5Document(reading: bytes)
            for problem in document.problems {
                #expect((0...bytes.count).contains(problem.offset))
                #expect(document.place(at: problem.offset).line > 0)
            }
            #expect(document.root != nil || !document.problems.isEmpty)
            _ = FixtureLoader.compile(bytes: bytes, fileName: "f", name: "f")
        }
    }

    @Test("What is written in any style is read back the same", arguments: 0..<40)
    func roundTrip(seed: UInt64) throws {
        var writer = RandomWriter(random: SeededGenerator(seed: seed))
        let (json5, json) = writer.value(depth: 0)
        let document = Samples.read(writer.space() + json5 + writer.space())
        try #require(document.problems.isEmpty, "\(document.problems) in \(json5)")
        expectEqual(JSON5Writer.compactJSON(try #require(document.root), of: document), json)
    }
}

/// Writes random values twice: in a random JSON5 style and as compact JSON.
private struct RandomWriter {
    var random: SeededGenerator

    mutating func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }

    mutating func space() -> String {
        pick(["", " ", "\n", "\t", "/* c */", "// c\n", "\r\n", "\u{A0}", ""])
    }

    mutating func value(depth: Int) -> (json5: String, json: String) {
        switch Int.random(in: 0..<(depth > 3 ? 4 : 6), using: &random) {
        case 0:
            let word = pick(["true", "false", "null"])
            return (word, word)
        case 1:
            let number = Int.random(in: -1_000_000...1_000_000, using: &random)
            let sign = number < 0 ? "-" : pick(["", "+"])
            let hexadecimal = sign + "0x" + String(abs(number), radix: 16)
            return (pick([hexadecimal, sign + "\(abs(number))"]), "\(number)")
        case 2, 3: return text()
        case 4:
            let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth + 1) }
            return (
                "[" + joined(items.map(\.json5)) + "]", "[" + items.map(\.json).joined(separator: ",") + "]"
            )
        default:
            var members: [(json5: String, json: String)] = []
            for number in 0..<Int.random(in: 0..<4, using: &random) {
                let item = value(depth: depth + 1)
                let name = pick(["n\(number)", "'n\(number)'", "\"n\(number)\"", "\\u006e\(number)"])
                members.append((name + space() + ":" + space() + item.json5, "\"n\(number)\":" + item.json))
            }
            return (
                "{" + joined(members.map(\.json5)) + "}",
                "{" + members.map(\.json).joined(separator: ",") + "}"
            )
        }
    }

    private mutating func joined(_ parts: [String]) -> String {
        var text = space()
        for (place, part) in parts.enumerated() {
            if place > 0 { text += "," + space() }
            text += part + space()
        }
        return parts.isEmpty ? text : text + pick(["", ","]) + space()
    }

    private mutating func text() -> (json5: String, json: String) {
        var json5 = ""
        var json = ""
        let quote = pick(["'", "\""])
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let forms = [
                ("a", "a"), ("è", "è"), ("😀", "😀"), ("\\n", "\\n"), ("\\u00e9", "é"), ("\\uD83D\\uDE00", "😀"),
                ("\\\n", ""), ("\\x41", "A"), ("\\'", "'"), ("\\\"", "\\\""), ("\\\\", "\\\\"), ("{", "{"),
                ("//", "//"),
            ]
            let (written, meant) = forms.randomElement(using: &random) ?? ("", "")
            json5 += written
            json += meant
        }
        return (quote + json5 + quote, "\"" + json + "\"")
    }
}
