import Expectations
import Testing

/// `Shared/Docs/architecture.md` says what the sources are today.
@Suite("The page of the architecture")
struct ArchitecturePageTests {
    private let repository = Repository.current
    private let page: ArchitecturePage
    private let manifest: Manifest
    private let paths: [String]
    // Read once for all tests.
    private static let readPage = Repository.current.file(ArchitecturePage.path).map {
        ArchitecturePage($0.text)
    }
    private static let readManifest = Repository.current.file("Package.swift").map { Manifest($0.text) }

    init() throws {
        page = try #require(Self.readPage)
        manifest = try #require(Self.readManifest)
        paths = repository.files.map(\.path)
    }

    /// Modules of C that are there on some systems only, with their folders.
    private func systemModules() throws -> [String: String] {
        let text = try #require(repository.file("Package.swift")).text
        let calls = text.matches(of: /(?:systemLibrary|Target\.target)\(name: "(\w+)", path: "([\w\/]+)"/)
        return Dictionary(calls.map { (String($0.1), String($0.2)) }) { first, _ in first }
    }

    /// What `Package.swift` says: the folder of each module.
    private func folders() throws -> [String: String] {
        let ours = manifest.targets.map { ($0.name, $0.path) }
        return Dictionary(ours) { first, _ in first }.merging(try systemModules()) { _, system in system }
    }

    private func rank(of module: String) -> Int {
        let uses = manifest.targets.first { $0.name == module }?.uses ?? []
        return uses.map { rank(of: $0) + 1 }.max() ?? 0
    }

    @Test("The tables name each module of Package.swift, where it is, and no other")
    func modules() throws {
        let folders = try folders()
        let listed = page.rows("rank", in: "The modules").map { $0[1] }
        let tests = page.rows("module", in: "The modules").map { $0[0] }
        expectEqual(Set(listed + tests).count, listed.count + tests.count)
        expectEqual(listed.filter { $0.hasPrefix("Tests/") }, [])
        for path in listed + tests {
            let name = String(path.split(separator: "/").last ?? "")
            expectEqual(folders[name], path, "\(path)")
        }
        let named = Set((listed + tests).compactMap { $0.split(separator: "/").last.map(String.init) })
        // The tests of a module go by its name.
        let missing = folders.keys.filter { name in
            let tested = name.hasSuffix("Tests") ? String(name.dropLast(5)) : name
            return !named.contains(name) && !(name != tested && named.contains(tested))
        }
        expectEqual(missing, [])
        #expect(listed.count >= 28)
    }

    @Test("The rank of a module is one more than the highest that it uses, in the table and in the picture")
    func ranks() {
        let picture = page.section("The modules").split(separator: "\n").filter { line in
            line.hasPrefix(" ") && line.dropFirst().first?.isNumber == true
        }
        for row in page.rows("rank", in: "The modules") {
            let name = String(row[1].split(separator: "/").last ?? "")
            expectEqual(Int(row[0]), rank(of: name), "\(name)")
            let lines = picture.filter { !ByteText(String($0)).words(name).isEmpty }
            #expect(lines.count == 1 && lines.first?.hasPrefix(" \(row[0]) ") == true, "\(name)")
        }
    }

    @Test("Those are called pure that the rules for pure modules hold for")
    func pure() {
        let pure = page.rows("rank", in: "The modules").filter { $0[2] == "yes" }.map { $0[1] }
        expectEqual(Set(pure), Set(PureModules.folders))
    }

    @Test("The filter that runs the tests of the pure modules names each of them, and no other")
    func pureFilter() throws {
        let contributing = try #require(repository.file("Shared/Docs/contributing.md")).text
        let match = try #require(contributing.firstMatch(of: /swift test --filter '\^\(([\w|]+)\)Tests/))
        let named = match.1.split(separator: "|").map(String.init)
        let modules = PureModules.folders.compactMap { $0.split(separator: "/").last.map(String.init) }
        // The tests of the contract are those of protocols that use all of it, which need a server.
        let served: Set = ["ConnectDialect", "DialectKit"]
        #expect(Set(named) == Set(modules).subtracting(served) && Set(named).count == named.count)
        for name in named {
            let files = repository.swift(in: "Tests/\(name)Tests")
            #expect(!files.isEmpty, "\(name)")
            let system: Set = ["Dispatch", "MockServer", "SocketTransport"]
            for file in files {
                #expect(system.isDisjoint(with: file.code.imports.map(\.module)), "\(file.path)")
            }
        }
    }

    @Test("Each thing that always holds has a test that is there")
    func invariants() {
        let rows = page.rows("statement", in: "What always holds")
        #expect(rows.count >= 14)
        let tests = repository.swift(in: "Tests")
        for row in rows {
            let names = row.last?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                let parts = name.split(separator: ".")
                let isThere = tests.contains { file in
                    file.name == "\(parts[0]).swift" && file.bytes.contains("func \(parts[1])(")
                }
                #expect(parts.count == 2 && isThere, "\(name)")
            }
        }
    }

    @Test("Every file and folder that the page names is there, and meant by that name alone")
    func files() {
        let names = ArchitecturePage.named(page.text).filter(ArchitecturePage.isFile)
        #expect(names.count >= 120)
        for name in Set(names) { #expect(ArchitecturePage.file(name, in: paths) != nil, "\(name)") }
    }

    @Test(
        "Every function that a walk names is in the file named before it",
        arguments: ["A message through the server", "A message through the SDK"] as [String])
    func walks(_ heading: String) throws {
        let functions = ArchitecturePage.functions(page.section(heading))
        #expect(functions.count >= 30)
        for (name, function) in functions {
            let path = try #require(ArchitecturePage.file(name, in: paths), "\(name)")
            let isThere = ["(", "<"].contains {
                repository.file(path)?.bytes.contains("func \(function)\($0)") == true
            }
            #expect(isThere, "\(name): \(function)")
        }
    }

    @Test("A walk counts its files: those that it numbers")
    func counts() throws {
        for heading in ["A message through the server", "A message through the SDK"] {
            let section = page.section(heading)
            let match = try #require(section.firstMatch(of: /That is (\d+) files/))
            let steps = section[..<match.range.lowerBound]
            let files = Set(ArchitecturePage.named(String(steps)).filter { $0.hasSuffix(".swift") })
            expectEqual(files.count, Int(match.1), "\(heading)")
        }
    }

    @Test("A message through the server enters 16 files at most, and none again but the loop's")
    func straight() throws {
        let section = page.section("A message through the server")
        let end = try #require(section.firstRange(of: "Steps due later")).lowerBound
        let named = ArchitecturePage.named(String(section[..<end])).filter { $0.hasSuffix(".swift") }
        #expect(Set(named).count <= 16)
        let others = named.filter { !["ServerLoop.swift", "SocketPool+Turn.swift"].contains($0) }
        expectEqual(others.count, Set(others).count)
    }

    @Test("At most ten words, each once, and each in the file that is said to have it")
    func words() throws {
        let rows = page.rows("word", in: "House words")
        #expect((5...10).contains(rows.count))
        expectEqual(Set(rows.map { $0[0] }).count, rows.count)
        for row in rows {
            let path = try #require(ArchitecturePage.file(row[2], in: paths), "\(row[2])")
            let text = (repository.file(path)?.text ?? "").lowercased()
            #expect(text.contains(row[0]), "\(row[0]) in \(path)")
        }
    }

    @Test("The page can be read in one sitting")
    func length() throws {
        #expect(try #require(repository.file(ArchitecturePage.path)).bytes.lineCount <= 250)
    }

    @Test("Sections, rows, names and functions are read")
    func reading() {
        let page = ArchitecturePage(
            "# A\n\n## B\n\n| x | y |\n| --- | --- |\n| `a` | b |\n\n## C\n| z | 1 |\n")
        expectEqual(page.rows("x", in: "B"), [["a", "b"]])
        expectEqual(page.rows("x", in: "C"), [])
        expectEqual(ArchitecturePage.named("`a` b `c`\n```\n`d`\n```\n`e`"), ["a", "c", "e"])
        let paths = ["A/x.swift", "B/x.swift", "B/y.swift"]
        expectEqual(ArchitecturePage.file("x.swift", in: paths), nil)
        expectEqual(ArchitecturePage.file("B/x.swift", in: paths), "B/x.swift")
        expectEqual(ArchitecturePage.file("y.swift", in: paths), "B/y.swift")
        expectEqual(ArchitecturePage.file("A/", in: paths), "A/")
        let walk = ArchitecturePage.functions("`x.swift` `go`, `Thing`, `stop`; `y.swift` `go`")
        expectEqual(walk.map { "\($0.file) \($0.function)" }, ["x.swift go", "x.swift stop", "y.swift go"])
    }
}
