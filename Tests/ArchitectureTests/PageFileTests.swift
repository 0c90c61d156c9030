import Expectations
import Testing

@Suite("Files of the pages")
struct PageFileTests {
    static let folder = "Server/Pages/web/"

    private let files = Repository.current.files.filter { $0.path.hasPrefix(folder) && $0.kind != "md" }

    private func bytes(_ isCounted: (String) -> Bool) -> Int {
        files.reduce(0) {
            $0 + (isCounted(String($1.path.dropFirst(Self.folder.count))) ? $1.text.utf8.count : 0)
        }
    }

    @Test("The table in the binary has each file of the folder, and no other")
    func table() throws {
        let source = try #require(Repository.current.file("Server/Pages/pages.c"))
        let names = source.text.split(separator: "\"").filter { $0.hasPrefix("web/") }.map {
            String($0.dropFirst(4))
        }
        let listed = source.text.split(separator: "\"").map(String.init)
        expectEqual(Set(names), Set(files.map { String($0.path.dropFirst(Self.folder.count)) }))
        #expect(names.count > 30)
        for name in names {
            #expect(listed.contains(name), "\(name) is embedded and has no row in the table")
        }
    }

    /// Of other languages a page loads one, when it is wanted. 60,000 bytes were wanted for the chat page and 75,000 for
    /// the inspector beyond what is shared; the numbers get smaller, but for a feature that is wanted.
    @Test("A page's files have no more bytes together than they had")
    func sizes() {
        // A feature of its own, which no page loads for a fixture without runs: trees of them, and what they wait for.
        let runs = Set(["chat/runs.js", "inspect/runs.css", "inspect/runs.js", "inspect/runtree.js"])
        let ofRuns = bytes { runs.contains($0) }
        #expect(ofRuns > 5_000 && ofRuns <= 16_000)
        // A feature of its own, loaded for sessions with extensions.
        let changes = Set(["chat/changes.css", "chat/changes.js"])
        let ofChanges = bytes { changes.contains($0) }
        #expect(ofChanges > 3_000 && ofChanges <= 8_192)
        let chat = bytes { name in
            name.hasPrefix("chat/") && !runs.contains(name) && !changes.contains(name)
                || name == "shared/strings/en.json"
                || name.hasPrefix("shared/") && !name.hasPrefix("shared/strings/")
        }
        #expect(chat > 10_000 && chat <= 145_560)
        let inspector = bytes { $0.hasPrefix("inspect/") && !runs.contains($0) }
        #expect(inspector > 10_000 && inspector <= 222_300)
        let documentation = bytes { $0.hasPrefix("docs/") }
        #expect(documentation > 5_000 && documentation <= 16_000)
    }

    @Test("The documentation in the binary has each page of the repository for its users, and no other")
    func documentation() throws {
        let source = try #require(Repository.current.file("Server/Pages/pages.c")).text
        let pages = Repository.current.files.map(\.path).filter { path in
            path.hasSuffix(".md")
                && (path.hasPrefix("Shared/Docs/") || path.hasPrefix("fixtures/") || path.hasPrefix("Client/")
                    || path.hasPrefix(Self.folder)
                    || !path.contains("/"))
        }
        let names = source.split(separator: "\n").filter { $0.hasSuffix(".md\",") }
            .compactMap { $0.split(separator: "\"").dropFirst().first }.map(String.init)
        let texts = source.split(separator: "\n").filter { $0.hasSuffix(" suffix(, 0,)") }
            .map { $0.dropFirst("#embed \"../../".count).prefix { $0 != "\"" } }
        expectEqual(Set(names), Set(pages))
        expectEqual(names, texts.map(String.init))
    }
}
