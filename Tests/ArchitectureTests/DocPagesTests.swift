import Expectations
import Testing

/// The Swift on the pages stands in test files as well: the SDK's is compiled, the test kit's is executed.
@Suite("The pages of the documentation")
struct DocPagesTests {
    struct Pages: Sendable, CustomTestStringConvertible {
        var folder: String
        var prefix: String
        var sources: String
        var sourcePrefix: String
        var atLeast: Int

        var testDescription: String { folder }
    }

    private static let all = [
        Pages(
            folder: "Client/PolyMessaging/Docs", prefix: "", sources: "Tests/SnippetTests",
            sourcePrefix: "DocSnippets", atLeast: 10),
        Pages(
            folder: "Shared/Docs", prefix: "testing-", sources: "Tests/PolyMockTestingTests",
            sourcePrefix: "GuidePage", atLeast: 6),
        Pages(
            folder: "Shared/Docs", prefix: "connect.", sources: "Tests/SnippetTests",
            sourcePrefix: "ConnectSnippets", atLeast: 2),
    ]

    @Test("Every block of Swift is part of a file that is compiled, white space aside", arguments: all)
    func blocksAreCompiled(_ kind: Pages) {
        let pages = Repository.current.files.filter { $0.isIn(kind.folder) && $0.name.hasPrefix(kind.prefix) }
        let snippets = Repository.current.swift(in: kind.sources)
            .filter { $0.name.hasPrefix(kind.sourcePrefix) }
        let compiled = snippets.map { (imports: Self.imports($0.text), text: Self.packed($0.text)) }
        var count = 0
        for page in pages {
            for block in Self.blocks(page.text) {
                count += 1
                let isCompiled = compiled.contains { file in
                    file.text.contains(Self.packed(block)) && Self.imports(block).isSubset(of: file.imports)
                }
                #expect(isCompiled, "\(page.path):\n\(block)")
            }
        }
        #expect(count >= kind.atLeast)
    }

    @Test("Every block of Swift in the README is part of a test file, too")
    func readme() throws {
        let page = try #require(Repository.current.file("README.md")).text
        let sources =
            Repository.current.swift(in: "Tests/SnippetTests")
            + Repository.current.swift(in: "Tests/PolyMockTestingTests")
        let texts = sources.map { Self.packed($0.text) }
        let blocks = Self.blocks(page)
        #expect(blocks.count >= 3)
        for block in blocks {
            #expect(texts.contains { $0.contains(Self.packed(block)) }, "\(block)")
        }
    }

    /// Where users find an example in the doc comment: what has behaviour, and the values that they begin with.
    private static let entries: Set = [
        "PolyMessaging", "ChatSession", "PolyMessagingClient", "PolyMessaging.Configuration", "Environment",
        "Connection", "PolyLogger", "PolyError", "MessagingEvent", "ChatMessage", "DevSettings", "MockServer",
        "MockServer.Configuration", "Log", "ServerError", "Mock", "MockChat", "MockContact", "MockPlan",
        "MockClock",
        "MockNetwork", "MockSpeaker", "Utterance", "Pattern", "MockTestCase", "MockTrait", "current",
        "ObservedEvent", "Complaint", "inject", "agent",
    ]

    /// Entry points of the modules that have their own test below.
    private static let furtherEntries: [(folders: [String], names: Set<String>)] = [
        (
            ["Client/ConnectCore/Public", "Client/ConnectChat"],
            [
                "ChatSession", "ChatSessionCalls", "ChatSessionProtocol", "GlobalConfig", "AWSClient",
                "Message",
                "ChatSessionEvent", "ConnectChatError", "SDKLoggerProtocol",
                "ConnectionDetailsProviderProtocol",
            ]
        ),
        (
            ["Client/AgentRuns", "Client/AssistantEvents"],
            [
                "AGUIAgent", "AGUIConfiguration", "AGUIRunStream", "AGUIThread", "AGUITool", "RunAgentInput",
                "AgentRunEvent", "AgentRunError", "AgentRunReducer", "AgentRunVerifier", "AgentRunCenter",
                "AgentRunListener", "JSONValue", "CometChat",
            ]
        ),
        (
            ["Client/ChatPresentation"],
            [
                "ChatAction", "ChatEvent", "ChatModel", "ChatRow", "ChatStrings", "Composer", "MessageText",
                "MessageTextReader", "ScrollFollow",
            ]
        ),
    ]

    /// What stands in files of examples, without blanks.
    private static func compiled(in folders: String...) -> [String] {
        folders.flatMap { folder in
            Repository.current.swift(in: folder).filter { $0.name.hasPrefix("DocComments") }
        }.map { packed($0.text) }
    }

    @Test("Every example in the doc comments of the model of a screen is compiled")
    func chatComments() {
        let folders = ["ChatPresentation", "ContactPresentation", "RunPresentation"]
        let texts = folders.flatMap { Self.compiled(in: "Tests/\($0)Tests") }
        var count = 0
        for file in folders.flatMap({ Repository.current.swift(in: "Client/\($0)") }) {
            for block in DocComment.all(in: file.text).flatMap({ Self.blocks($0.text) }) {
                count += 1
                #expect(texts.contains { $0.contains(Self.packed(block)) }, "\(file.path):\n\(block)")
            }
        }
        #expect(count >= 7)
    }

    @Test("Every entry point of the other clients has an example, and every example there is compiled")
    func clientComments() {
        let texts = Self.compiled(in: "Tests/SnippetTests", "Tests/ChatPresentationTests")
        for module in Self.furtherEntries {
            var shown: Set<String> = []
            for file in module.folders.flatMap({ Repository.current.swift(in: $0) }) {
                for comment in DocComment.all(in: file.text) {
                    let blocks = Self.blocks(comment.text)
                    if !blocks.isEmpty { shown.insert(comment.name) }
                    for block in blocks {
                        let isCompiled = texts.contains { $0.contains(Self.packed(block)) }
                        #expect(isCompiled, "\(file.path), \(comment.name):\n\(block)")
                    }
                }
            }
            expectEqual(module.names.subtracting(shown), [])
        }
    }

    @Test("Every function of the kit is called in an example, of a doc comment or a page")
    func kitFunctions() {
        let sources = ["Server/MockKit", "Server/PolyMockTesting"].flatMap {
            Repository.current.swift(in: $0)
        }
        let pages = Repository.current.files.filter { $0.isIn("Shared/Docs") && $0.kind == "md" }
        let comments = sources.flatMap { DocComment.all(in: $0.text) }.map(\.text)
        let examples = (comments + pages.map(\.text)).flatMap { Self.blocks($0) }.joined()
        var count = 0
        for file in sources {
            var before: Substring = ""
            for line in file.text.split(separator: "\n") {
                defer { before = line }
                guard let name = line.firstMatch(of: /public (?:static )?func (\w+)/)?.1 else { continue }
                let isFormer = before.contains("deprecated") || before.hasSuffix("    )")
                // Swift Testing calls this one.
                if isFormer || file.name == "Renamed.swift" || name == "provideScope" { continue }
                count += 1
                let isCalled = ["(", " {"].contains { examples.contains("\(name)\($0)") }
                #expect(isCalled, "\(file.path): no example calls \(name)")
            }
        }
        #expect(count > 40)
    }

    @Test("Every entry point has an example in its doc comment, and every example there is compiled")
    func docComments() {
        let texts = Self.compiled(in: "Tests/SnippetTests", "Tests/PolyMockTestingTests")
        var shown: Set<String> = []
        var behaving: Set<String> = []
        for folder in [
            "Client/PolyMessaging/Public", "Server/MockServer", "Server/MockKit", "Server/PolyMockTesting",
        ] {
            for file in Repository.current.swift(in: folder) {
                for comment in DocComment.all(in: file.text) {
                    let isShared = comment.name == "Configuration"
                    let name = isShared ? "\(folder.split(separator: "/")[1]).Configuration" : comment.name
                    if comment.hasBehaviour { behaving.insert(name) }
                    let blocks = Self.blocks(comment.text)
                    if !blocks.isEmpty { shown.insert(name) }
                    for block in blocks {
                        let isCompiled = texts.contains { $0.contains(Self.packed(block)) }
                        #expect(isCompiled, "\(file.path), \(name):\n\(block)")
                    }
                }
            }
        }
        expectEqual(Self.entries.subtracting(shown), [])
        expectEqual(behaving.subtracting(Self.entries), [], "what has behaviour belongs to the entry points")
    }

    @Test("A doc comment belongs to the declaration below it, over attributes")
    func commentReading() {
        let source = """
            /// One.
            ///
            /// ```swift
            /// f()
            /// ```
            @MainActor
            public final class A: B {
                /// Two.
                public static var b: Int { 0 }
                /// Nobody's.

                func c() {}
            """
        let found = DocComment.all(in: source)
        expectEqual(found.map(\.name), ["A", "b"])
        expectEqual(found.map(\.hasBehaviour), [true, false])
        expectEqual(Self.blocks(found[0].text), ["f()"])
    }

    @Test("Blocks are found in lists, too, and compared without their imports")
    func reading() {
        let page =
            "a\n```swift\nimport A\nlet x = 1\n```\n1. b\n\n   ```swift\n   let y = 2\n   ```\n```sh\nls\n```\n"
        expectEqual(Self.blocks(page).map(Self.packed), ["letx=1", "lety=2"])
        expectEqual(Self.imports(Self.blocks(page)[0]), ["import A"])
    }

    /// What stands between "```swift" and "```".
    private static func blocks(_ page: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            switch (block, words) {
            case (nil, "```swift"): block = []
            case (let lines?, "```"):
                blocks.append(lines.joined(separator: "\n"))
                block = nil
            case (.some, _): block?.append(line)
            default: break
            }
        }
        return blocks
    }

    private static func imports(_ text: String) -> Set<String> {
        Set(lines(text).filter { $0.hasPrefix("import ") })
    }

    private static func packed(_ text: String) -> String {
        lines(text).filter { !$0.hasPrefix("import ") }.joined().filter { !$0.isWhitespace }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }
}
