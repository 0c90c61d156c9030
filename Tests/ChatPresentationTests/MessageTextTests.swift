import Expectations
import TestSupport
import Testing
import Texts

@testable import ChatPresentation

/// The grammar gives the trees that `Server/Pages/web/shared/md.js` gives.
@Suite("The grammar of messages")
struct MessageTextTests {
    struct Case: Sendable {
        var text: String
        var isOpen: Bool
        var tree: String
        var plain: String?
    }

    static func cases() throws -> [Case] {
        try (GoldenFiles.read("Tests/Data/chat/markdown.json").array ?? []).map { each in
            Case(
                text: each["text"]?.string ?? "", isOpen: each["open"]?.bool ?? false,
                tree: Canonical.text(each["tree"]), plain: each["plain"]?.string)
        }
    }

    private func tree(_ blocks: [MessageText.Block]) -> String {
        Canonical.text(.array(blocks.map(Tree.block)))
    }

    @Test("Each text gives its tree and its words")
    func trees() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 230)
        for each in cases {
            expectEqual(
                tree(MessageText.parse(each.text, isOpen: each.isOpen)), each.tree,
                "\(each.text.debugDescription)")
            if let plain = each.plain { expectEqual(MessageText.plain(MessageText.parse(each.text)), plain) }
        }
    }

    @Test("A text that grew, cut at every character, gives the same tree")
    func growing() throws {
        for each in try Self.cases() where !each.isOpen {
            var reader = MessageTextReader()
            let scalars = Array(each.text.unicodeScalars)
            for end in scalars.indices { _ = reader.read(Scalars.string(scalars[..<end]), isOpen: true) }
            expectEqual(tree(reader.read(each.text)), each.tree, "\(each.text.debugDescription)")
        }
    }

    @Test("All texts joined and cut in two at any place give the tree of the whole")
    func joined() throws {
        let text = try Self.cases().filter { !$0.isOpen }.map(\.text).joined(separator: "\n\n")
        let whole = MessageText.parse(text)
        let scalars = Array(text.unicodeScalars)
        var end = 0
        for seed in 1..<Strength.of(30, full: 100) {
            end = (end * 48_271 + seed * 7_919) % scalars.count
            var reader = MessageTextReader()
            _ = reader.read(Scalars.string(scalars[..<end]), isOpen: true)
            expectEqual(reader.read(text), whole, "cut at \(end)")
        }
    }

    @Test("While a text grows, blocks before the last two are made once")
    func madeOnce() {
        let text = (1...40).map { "Paragraph \($0) with **bold** words." }.joined(separator: "\n\n")
        var reader = MessageTextReader()
        for end in stride(from: 0, to: text.utf8.count, by: 8) {
            _ = reader.read(String(text.prefix(end)), isOpen: true)
        }
        _ = reader.read(text)
        // A paragraph of 34 characters comes in five pieces; one more when it stops to be the last, and twice for a cut.
        #expect(reader.madeCount < 40 * 8)
    }

    @Test("What users write is literal but for addresses")
    func literal() {
        let blocks = MessageText.literal("<b>x</b> **y** `z`\n&amp; https://a.example/*b*.")
        expectEqual(
            blocks,
            [
                .paragraph([
                    .text("<b>x</b> **y** `z`\n&amp; "),
                    .link("https://a.example/*b", [.text("https://a.example/*b")]), .text("*."),
                ])
            ])
    }

    @Test("A bare address ends before each bracket, quotation mark and sentence mark of Unicode")
    func addressEnds() throws {
        let list = try GoldenFiles.text("Tests/Data/chat/address-ends.txt").split(separator: "\n")
        let version = try #require(
            list.first?.split(separator: " ").last.flatMap { Int($0.prefix { $0 != "." }) })
        var listed: Set<UInt32> = []
        for line in list.dropFirst() {
            let bounds = line.split(separator: ".").compactMap { UInt32($0, radix: 16) }
            let (first, last) = (try #require(bounds.first), try #require(bounds.last))
            listed.formUnion(first...last)
            for value in [first - 1, first, last, last + 1] {
                let sign = Scalars.string([try #require(Unicode.Scalar(value))])
                guard let scalar = sign.unicodeScalars.first, !Scalars.isSpace(scalar) else { continue }
                let isEnd = Scalars.isSentenceSign(scalar)
                let address = "http://a/" + (isEnd ? "" : sign + "b")
                let rest: [MessageText.Inline] = isEnd ? [.text(sign + "b")] : []
                let blocks = [MessageText.Block.paragraph([.link(address, [.text(address)])] + rest)]
                let place: Comment = "U+\(String(value, radix: 16))"
                #expect(MessageText.literal("http://a/\(sign)b") == blocks, place)
                #expect(MessageText.parse("http://a/\(sign)b") == blocks, place)
            }
        }
        #expect(listed.count > 600)
        // Characters that a later version brought are in no list.
        let wrong = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
            guard let age = $0.properties.age, age.major <= version else { return false }
            return Scalars.isSentenceSign($0) != listed.contains($0.value)
        }
        expectEqual(wrong.map { String($0.value, radix: 16) }, [])
    }

    @Test(
        "Http, https, mailto and tel may be followed",
        arguments: ["https://a.example", "HTTP://a.example/x?y#z", "mailto:a@b.example", "tel:+44"]
            as [String])
    func safe(_ address: String) {
        expectEqual(SafeAddress.link(address.unicodeScalars), address)
    }

    @Test(
        "Other addresses may not",
        arguments: [
            "", "/a", "//a.example", "javascript:alert(1)", " javascript:alert(1)", "java\tscript:1",
            "data:text/html,x", "vbscript:x", "file:///etc", "https:a.example", "https://", "https:///x",
            "https://a.example/\"x", "https://a.example/ b", "https://a\\b", "blob:https://a.example",
        ] as [String])
    func unsafe(_ address: String) {
        expectEqual(SafeAddress.link(address.unicodeScalars), nil)
    }

    @Test(
        "Marks that begin nothing, and references without a digit, are shown as they stand",
        arguments: ["a * b*", "****a****", "é_a_", "&#;", "&#x;", "&;", "[a] b"] as [String])
    func unread(_ text: String) {
        for isOpen in [false, text.hasPrefix("[")] {
            expectEqual(MessageText.parse(text, isOpen: isOpen), [.paragraph([.text(text)])])
        }
        expectEqual(MessageText.parse("Say `a\n"), [.paragraph([.text("Say `a")])])
        expectEqual(MessageText.parse("—" + "_a_"), [.paragraph([.text("—"), .emphasis([.text("a")])])])
    }

    @Test("A link ends within the limit of a tag, or is none", arguments: [0, 1] as [Int])
    func linkLimit(beyond: Int) {
        let start = "https://a.example/"
        let address = start + String(repeating: "x", count: TagReader.tagLimit - 2 - start.count + beyond)
        let blocks = MessageText.parse("[a](\(address))")
        expectEqual(blocks == [.paragraph([.link(address, [.text("a")])])], beyond == 0)
    }

    @Test("Beyond its limit a text is shown as it stands")
    func limit() {
        let blocks = MessageText.parse(String(repeating: "a ", count: MessageText.limit / 2) + "**b**")
        expectEqual(blocks.count, 2)
        expectEqual(blocks.last, .paragraph([.text("**b**")]))
        let fill = String(repeating: "a ", count: MessageText.limit / 2)
        let own = MessageText.literal(fill + "https://a.example")
        expectEqual(own, [.paragraph([.text(fill + "https://a.example")])], "of what users write, too")
    }
}

/// Trees in the form of `markdown.json`.
enum Tree {
    static func block(_ block: MessageText.Block) -> JSONValue {
        switch block {
        case .paragraph(let inlines): .object(["p": inlineList(inlines)])
        case .code(let code, nil): .object(["pre": .string(code)])
        case .code(let code, let language?): .object(["pre": .string(code), "lang": .string(language)])
        case .list(let list): self.list(list)
        }
    }

    private static func list(_ list: MessageText.List) -> JSONValue {
        let items = list.items.map { item in
            JSONValue.array(item.text.map(inline) + (item.inner.map { [self.list($0)] } ?? []))
        }
        switch list.start {
        case nil: return .object(["ul": .array(items)])
        case 1?: return .object(["ol": .array(items)])
        case let start?: return .object(["ol": .array(items), "start": .integer(Int64(start))])
        }
    }

    private static func inlineList(_ inlines: [MessageText.Inline]) -> JSONValue {
        .array(inlines.map(inline))
    }

    private static func inline(_ inline: MessageText.Inline) -> JSONValue {
        switch inline {
        case .text(let text): .string(text)
        case .strong(let inner): .object(["strong": inlineList(inner)])
        case .emphasis(let inner): .object(["em": inlineList(inner)])
        case .code(let code): .object(["code": .string(code)])
        case .link(let address, let inner): .object(["link": .string(address), "text": inlineList(inner)])
        }
    }
}
