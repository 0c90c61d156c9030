import ConversationEngine
import DialectKit
import Expectations
import MessagingWire
import PolyDialect
import Testing

/// `Shared/Docs/protocol.md` says how each statement is known; protocol rules, texts, types and tests lean on it.
@Suite("The page of the protocol")
struct ProtocolPageTests {
    private let repository = Repository.current
    private let page: ProtocolPage
    private let statements: [String: ProtocolPage.Statement]
    private let extensions: ProtocolPage

    init() throws {
        let file = try #require(repository.file(ProtocolPage.path))
        page = ProtocolPage(file.text)
        statements = Dictionary(page.statements.map { ($0.anchor, $0) }, uniquingKeysWith: { $1 })
        extensions = ProtocolPage(try #require(repository.file(ProtocolPage.extensions)).text)
    }

    @Test("Each statement has a name of its own, a sentence, and says how it is known")
    func shape() {
        #expect(page.statements.count > 150 && statements.count == page.statements.count)
        for statement in page.statements {
            let isName = statement.anchor.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }
            #expect(isName && !statement.anchor.isEmpty, "\(statement.anchor)")
            #expect(statement.text.hasSuffix("."), "\(statement.anchor): \(statement.text)")
            #expect(ProtocolPage.tags.contains(statement.tag ?? ""), "\(statement.anchor)")
            #expect(!statement.source.isEmpty, "\(statement.anchor)")
        }
    }

    @Test("Each statement of the extensions is tagged as ours, and no statement of the protocol is")
    func ours() {
        #expect(extensions.statements.count > 10)
        for statement in extensions.statements {
            #expect(statement.text.hasSuffix("."), "\(statement.anchor): \(statement.text)")
            #expect(statement.tag == "ours" && !statement.source.isEmpty, "\(statement.anchor)")
            #expect(statements[statement.anchor] == nil, "\(statement.anchor)")
        }
    }

    @Test("What is documented names a public page")
    func sources() {
        #expect(page.pages.isSuperset(of: ["sessions", "websocket", "errors", "RFC"]))
        for statement in page.statements where statement.tag == "documented" {
            for name in statement.source.split(separator: ", ") {
                let page = name.hasPrefix("RFC ") ? "RFC" : String(name)
                #expect(self.page.pages.contains(page), "\(statement.anchor): \(name)")
            }
        }
    }

    @Test("Every protocol rule rests on a statement")
    func protocolRules() {
        for protocolRule in PolyProtocolRules.every {
            let anchor = protocolRule.source.split(separator: "#").last.map(String.init) ?? ""
            expectEqual(
                protocolRule.source, "protocol.md#\(anchor)", "\(protocolRule.id): \(protocolRule.source)")
            #expect(statements[anchor] != nil, "\(protocolRule.id): there is no \(protocolRule.source)")
        }
    }

    @Test("The page of protocol rules links each protocol rule to its statement")
    func protocolRulePage() throws {
        let text = try #require(repository.file("Shared/Docs/protocol-rules.md")).text
        for protocolRule in PolyProtocolRules.every {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(protocolRule.id)` |") }
            expectEqual(
                row?.contains("(\(protocolRule.source))"), true, "\(protocolRule.id): \(row ?? "no row")")
        }
    }

    @Test("Every error text has its statement, with its status", arguments: KnownProblem.allCases)
    func errorTexts(_ problem: KnownProblem) throws {
        let anchor = "error-" + problem.rawValue.replacing(" ", with: "-")
        let statement = try #require(statements[anchor], "there is no statement \(anchor)")
        let entry = ErrorCatalog.entry(problem)
        #expect(statement.text.hasPrefix("`\(entry.text)`"), "\(statement.text)")
        guard let status = entry.status else { return }
        #expect(statement.text.contains("`, \(status): "), "\(statement.text)")
    }

    @Test("Every usual word for a status is on the page")
    func usualWords() throws {
        let source = try #require(repository.file("Server/Dialects/PolyDialect/ResponseBuilder.swift")).text
        let words = source.split(separator: "\n").compactMap { line -> Substring? in
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            let before = parts[0].drop { $0 == " " }
            let isCase = before.hasPrefix("case ") && before.hasSuffix(": ") || before == "default: "
            return isCase && parts.count == 3 ? parts[1] : nil
        }
        #expect(words.count > 10)
        let statement = try #require(statements["plain-status"])
        for word in words { #expect(statement.text.contains("`\(word)`"), "\(word)") }
    }

    @Test("Every event type has its statement", arguments: EventType.allCases)
    func eventTypes(_ type: EventType) throws {
        let name = type.rawValue.dropFirst(EventType.prefix.count).lowercased().replacing("_", with: "-")
        let ours = extensions.statements.first { $0.anchor == "event-" + name }
        let statement = try #require(
            statements["event-" + name] ?? ours, "there is no statement event-\(name)")
        #expect(statement.text.hasPrefix("`\(type.rawValue)`"), "\(statement.text)")
    }

    @Test("A statement of an event or an error is one that the code knows")
    func nothingElse() {
        let types = EventType.allCases.map {
            $0.rawValue.dropFirst(EventType.prefix.count).lowercased().replacing("_", with: "-")
        }
        for anchor in statements.keys.filter({ $0.hasPrefix("event-") && $0 != "event-ids" }) {
            #expect(types.contains(String(anchor.dropFirst(6))), "\(anchor)")
        }
        let problems = KnownProblem.allCases.map { $0.rawValue.replacing(" ", with: "-") }
        let others: Set<String> = ["error-body", "error-code", "error-detail", "error-follows-echo"]
        for anchor in statements.keys.filter({ $0.hasPrefix("error-") && !others.contains($0) }) {
            #expect(problems.contains(String(anchor.dropFirst(6))), "\(anchor)")
        }
    }

    @Test("Every statement is named above a test that shows it, and nothing else is")
    func shown() {
        let tests = repository.swift(in: "Tests").filter { file in
            !file.isIn("Tests/ArchitectureTests") && file.bytes.contains("protocol.md#")
        }
        let shown = tests.reduce(into: Set<String>()) { $0.formUnion(ProtocolPage.shown(in: $1.text)) }
        expectEqual(page.statements.map(\.anchor).filter { !shown.contains($0) }, [])
        expectEqual(shown.filter { statements[$0] == nil }.sorted(), [])
        let own = repository.swift(in: "Tests").reduce(into: Set<String>()) {
            $0.formUnion(ProtocolPage.shown(in: $1.text, of: "extensions.md"))
        }
        expectEqual(extensions.statements.map(\.anchor).filter { !own.contains($0) }, [])
    }

    @Test("Every anchor that is cited anywhere exists", arguments: citedPages)
    func anchors(_ page: String) throws {
        let known = ProtocolPage.anchors(of: try #require(repository.file(page)).text)
        // A page of this name in another folder is cited with its folder.
        let name = page.hasPrefix("Shared/Docs/") ? String(page.dropFirst("Shared/Docs/".count)) : page
        // The lists of findings name words of a page in the same way.
        let folders = ["Tests/ArchitectureTests", "Tests/Data/findings"]
        for file in repository.files where !folders.contains(where: { file.isIn($0) }) {
            let missing = ProtocolPage.cited(name, in: file.bytes).subtracting(known)
            #expect(missing.isEmpty, "\(file.path) cites \(name)#\(missing.sorted())")
        }
    }

    private static let citedPages = [
        "Shared/Docs/protocol.md", "Shared/Docs/extensions.md", "Shared/Docs/protocol-rules.md",
        "Shared/Docs/filters.md",
        "fixtures/README.md",
    ]

    @Test("No file cites a page that is not in the repository")
    func absentPages() {
        let found = repository.files.flatMap { file in
            AbsentPages.lines(file.bytes).map { "\(file.path):\($0)" }
        }
        expectEqual(found, [])
    }

    @Test("Statements, tags, anchors and citations are read")
    func reading() throws {
        let text = """
            # A

            | page | where |
            | --- | --- |
            | errors | here |

            ## B

            #### one-thing

            It is so. It
            stays so.

            **assumed** (because
            of this)

            ## C

            What the next ones have in common.
            """
        let page = ProtocolPage(text)
        #expect(page.pages.contains("errors"))
        let statement = try #require(page.statements.first)
        #expect(statement.anchor == "one-thing" && statement.text == "It is so. It stays so.")
        #expect(statement.tag == "assumed" && statement.source == "because of this")
        expectEqual(ProtocolPage.anchors(of: "# A b!\n### `c`-d\n"), ["a-b", "c-d"])
        expectEqual(ProtocolPage.cited("a.md", in: ByteText("(a.md#b-1, b.md#c) a.md# x a.md#")), ["b-1"])
        let source = "/// protocol.md#a\n@Test func x\n/// protocol.md#b\nlet y\n/// protocol.md#c\n@Suite"
        expectEqual(ProtocolPage.shown(in: source), ["a", "c"])
    }

    @Test("Citations of absent pages are found, other words are not")
    func citations() {
        let halves = ["(poly" + "-messaging 1.6)", "x (M" + "S-12)", "fixtures" + " 3", "mock" + "-server 2"]
        for text in halves {
            expectEqual(AbsentPages.lines(ByteText("a\n" + text)), [2], "\(text)")
        }
        for text in ["UTS-39", "the fixtures of today", "poly_messaging_ios", "a mock server"] {
            expectEqual(AbsentPages.lines(ByteText(text)), [], "\(text)")
        }
    }
}
