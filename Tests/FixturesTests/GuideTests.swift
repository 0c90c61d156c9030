import Expectations
import Fixtures
import Testing

/// What the page for authors shows must be true: its `json5` blocks are compiled and their examples run, its `text`
/// blocks are what the check says about the block above them.
@Suite("The guide to fixtures")
struct GuideTests {
    struct Block {
        var kind: String
        var text: String
        /// Of the opening fence, from 1.
        var line: Int
    }

    /// The fenced blocks of a page.
    static func blocks(_ page: String) -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (number, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(block)
                    open = nil
                } else {
                    open = Block(kind: String(line.dropFirst(3)), text: "", line: number + 1)
                }
            } else {
                open?.text += line + "\n"
            }
        }
        return blocks
    }

    /// A fixture as its parts at the top level, each as it is written.
    struct Parts {
        var parts: [(name: String, source: String)] = []

        /// Puts each part of `text` in the place of the one with its name, or at the end.
        mutating func take(_ text: String) throws {
            let document = JSON5Document(reading: Array(text.utf8))
            try #require(document.problems.isEmpty, "\(document.problems) in \(text)")
            guard case .object(let members)? = document.root?.content else {
                Issue.record("no block: \(text)")
                return
            }
            for member in members {
                let part = (name: member.name, source: document.source(of: member.value))
                if let index = parts.firstIndex(where: { $0.name == member.name }) {
                    parts[index] = part
                } else {
                    parts.append(part)
                }
            }
        }

        var text: String {
            "{\n" + parts.map { "\"\($0.name)\": \($0.source),\n" }.joined() + "}\n"
        }
    }

    /// `error: what is wrong [check]` for each finding, the examples run as well.
    static func findings(_ text: String) -> [String] {
        FixtureLoader.compile(bytes: Array(text.utf8), fileName: "mine.json5", name: "mine").rehearsed()
            .findings.map { "\($0.severity): \($0.message) [\($0.code.rawValue)]" }
    }

    @Test("Each part, put into the file as the guide says, is fine or does what the guide tells")
    func parts() throws {
        var mine = Parts()
        try mine.take(Samples.text("fixtures/booking.json5"))
        let blocks = Self.blocks(try Samples.text("fixtures/README.md"))
        var parts = 0
        for (number, block) in blocks.enumerated() where block.kind == "json5" {
            if block.text.hasPrefix("{") {
                expectEqual(Self.findings(block.text), [], "line \(block.line)")
                continue
            }
            parts += 1
            try mine.take("{\n\(block.text)}")
            let next = number + 1 < blocks.count ? blocks[number + 1] : nil
            let told = next?.kind == "text" ? next?.text ?? "" : ""
            expectEqual(
                Self.findings(mine.text), told.split(separator: "\n").map(String.init), "line \(block.line)"
            )
        }
        // Every step with a change has one; a guide that lost its blocks would pass unread.
        expectEqual(parts, 8)
    }

    @Test("Each of the ten snippets is a whole fixture without a finding whose examples pass")
    func gallery() throws {
        let page = try Samples.text("fixtures/GALLERY.md")
        let snippets = Self.blocks(page).filter { $0.kind == "json5" }
        expectEqual(snippets.count, 10)
        for snippet in snippets {
            let fixture = FixtureLoader.compile(
                bytes: Array(snippet.text.utf8), fileName: "mine.json5", name: "mine")
            expectEqual(fixture.rehearsed().findings.map(\.description), [], "line \(snippet.line)")
            let coverage = try #require(fixture.coverage())
            #expect(!fixture.examples.isEmpty && coverage.unexercised.isEmpty, "line \(snippet.line)")
        }
        let titles = page.split(separator: "\n").filter { $0.hasPrefix("## ") }
        let names = titles.map { $0.dropFirst(3).lowercased() }
        expectEqual(
            names,
            [
                "slot", "retry", "closed", "picture", "error", "queue", "leave", "slow", "random", "language",
            ])
    }

    @Test("The guide leaves a fixture whose examples make every new rule answer")
    func result() throws {
        var mine = Parts()
        try mine.take(Samples.text("fixtures/booking.json5"))
        for block in Self.blocks(try Samples.text("fixtures/README.md")) {
            if block.kind == "json5", !block.text.hasPrefix("{") { try mine.take("{\n\(block.text)}") }
        }
        let fixture = FixtureLoader.compile(bytes: Array(mine.text.utf8), fileName: "f", name: "f")
        let coverage = try #require(fixture.coverage())
        let answered = coverage.entries.filter(\.isExercised).map(\.name)
        for name in ["parking", "dog-named", "dog-again", "dog", "enzo-thanks"] {
            #expect(answered.contains(name))
        }
    }

    @Test("It names every shipped fixture, and no other")
    func names() throws {
        let page = try Samples.text("fixtures/README.md")
        let table = try #require(page.firstRange(of: "## What is shipped")).upperBound
        let end = try #require(page[table...].firstRange(of: "\n## ")).lowerBound
        var named: Set<String> = []
        for line in page[table..<end].split(separator: "\n") where line.hasPrefix("| `") {
            // Every second piece stands between two backquotes.
            let cell = line.dropFirst().prefix { $0 != "|" }
            let pieces = cell.split(separator: "`", omittingEmptySubsequences: false)
            for (number, piece) in pieces.enumerated() where number % 2 == 1 { named.insert(String(piece)) }
        }
        expectEqual(named, Set(try ShippedFixturesTests.names()))
    }
}
