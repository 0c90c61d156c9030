import Expectations
import Testing

/// Words that users met before. `FormerNames.swift` says what they are called now.
@Suite("Former words")
struct WordTests {
    private static let former = [
        "trouble", "troubles", "Trouble", "Troubles", "strikes", "struck", "law", "laws", "Law",
        "Laws", "breach", "breaches", "Breach", "Breaches", "unheard", "Unheard", "strayRequest",
        "stray request",
        "stray requests", "improvise", "improvises", "improvised", "improvising", "improvisation", "chair",
        "Chair",
        "has the floor", "the floor", "live person", "live persons", "person joins", "personJoined",
        "personLeft",
        "personMessage", "the visitor", "The visitor", "a visitor", "the guest", "The guest", "a guest",
        "polymock agent", "polymock hold", "polymock laws", "polymock trouble", "polymock walk",
        "clock quiet",
        "until quiet", "untilQuiet", "watchesLaws", "mock line", "mock lines", "idle end", "idle ends",
        "standard fixture",
    ]

    /// Files where such a word stays, each with its reason. It only gets shorter.
    private static let allowed = [
        "Server/ConversationEngine/Conversation/ActiveFault.swift":
            "the name of a stream of chances, which decides what a seed draws",
        "Server/Dialects/PolyDialect/ErrorCatalog.swift": "a text of PolyAI's service",
        "Server/MockKit/Renamed.swift": "the deprecated names of the test kit",
        "Server/MockServer/Configuration/Configuration.swift": "the deprecated name of a setting",
        "Server/PolyMockTesting/MockTestCase.swift": "the former names, with what replaces them",
        "Server/PolyMockTesting/MockTrait.swift": "the deprecated names of traits",
        "Shared/Docs/protocol.md": "a text of PolyAI's service",
        "Shared/Texts/FormerNames.swift": "the table of former names",
    ]

    /// Help, pages, documentation, fixtures, and the sources with their error texts and comments.
    private static func isRead(_ path: String) -> Bool {
        if path.hasPrefix("Shared/Docs/decisions/") { return false }
        if path.hasPrefix("Client/") { return path.hasSuffix(".md") }
        return ["Server/", "Shared/", "fixtures/"].contains { path.hasPrefix($0) } || path == "README.md"
    }

    private static func lines(_ text: ByteText) -> [Int] {
        text.lines(at: former.flatMap { text.words($0) }).map(\.number)
    }

    @Test("Only the files of the list have former words, and each of them still has one")
    func words() {
        let found = Repository.current.files.filter { Self.isRead($0.path) && !Self.lines($0.bytes).isEmpty }
        let strange = found.filter { Self.allowed[$0.path] == nil }
        expectEqual(strange.map { "\($0.path): \(Self.lines($0.bytes))" }, [])
        expectEqual(Self.allowed.keys.filter { path in !found.contains { $0.path == path } }.sorted(), [])
    }

    @Test("No name in the product's code stands for several things: sent, reported, recorded, an activity")
    func identifiers() {
        let house = ["told", "Told", "deed", "Deed"]
        for file in Repository.current.swift(in: "Server", "Client", "Shared") {
            let lines = file.code.lines.filter { line in
                line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains {
                    house.contains(String($0))
                }
                    && !line.text.contains("[\"")
            }
            expectEqual(lines.map { "\(file.path):\($0.number)" }, [])
        }
    }

    @Test("Comments and texts of the product say after, next to and sent")
    func prose() {
        let allowed = ["behind a proxy", "ahead or behind", "#told-to-", "\"told\": \"sent\""]
        for file in Repository.current.swift(in: "Server", "Client", "Shared") {
            let code = Set(["told", "beside", "behind"].flatMap { file.code.occurrences(of: $0) })
            let words = ["told", "beside", "behind", "Beside", "Behind"].flatMap { file.bytes.words($0) }
            let lines = file.bytes.lines(at: words).filter { line in
                !code.contains(line.number) && !allowed.contains { line.text.contains($0) }
            }
            expectEqual(lines.map { "\(file.path):\($0.number)" }, [])
        }
    }

    @Test(
        "A planted word is found in help, a page, a fixture, an error text, a comment and the documentation",
        arguments: [
            ("Server/CLI/Help.swift", "          polymock trouble add tunnel"),
            ("Server/Pages/web/inspect/faults.js", "button(\"Arm\", add, { title: \"Trouble\" })"),
            ("fixtures/booking.json5", "    \"tunnel\": { at: \"person joins\" }, // no reply"),
            ("Server/Fixtures/Compiler/Words.swift", "report(\"a live person is missing\")"),
            ("Server/MockServer/Server.swift", "/// A human in the chair of a session."),
            ("Shared/Docs/glossary.md", "| law | what clients must do |"),
        ] as [(String, String)])
    func places(path: String, line: String) {
        #expect(Self.isRead(path))
        expectEqual(Self.lines(ByteText("first\n" + line + "\n")), [2])
    }

    @Test("A planted word is found, a longer one is not")
    func planted() {
        expectEqual(Self.lines(ByteText("a fault\nthe trouble with it\n")), [2])
        expectEqual(Self.lines(ByteText("troublesome, lawful, an armchair\n")), [])
    }
}
