import Expectations
import Testing

/// `Shared/Docs/testing-expectations.md` has every pattern and every member that a test can use, and no other.
@Suite("The page of expectations")
struct ExpectationPageTests {
    private static let page = "Shared/Docs/testing-expectations.md"

    /// What a source declares as public below one type, by name.
    private static func members(_ paths: [String]) throws -> Set<String> {
        var names: Set<String> = []
        for path in paths {
            let text = try #require(Repository.current.file(path), "\(path) is gone").text
            for line in text.split(separator: "\n") {
                let words = line.split(whereSeparator: { " (:<{".contains($0) }).map(String.init)
                guard words.first == "public",
                    let keyword = words.firstIndex(where: { ["var", "let", "func"].contains($0) }),
                    keyword + 1 < words.count
                else { continue }
                names.insert(words[keyword + 1])
            }
        }
        return names
    }

    /// The first cells of the table below a line that begins with `heading`, without their arguments.
    private static func cells(_ heading: String) throws -> Set<String> {
        let text = try #require(Repository.current.file(page)).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") }, "no table \(heading)")
        var names: Set<String> = []
        for row in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cell = row.split(separator: "|")[0]
            for part in cell.split(separator: "`").filter({ $0.contains { $0.isLetter } }) {
                let name = part.drop { $0 == "." }.prefix { $0.isLetter || $0.isNumber }
                if !name.isEmpty { names.insert(String(name)) }
            }
        }
        return names
    }

    @Test("The table of patterns has each of the kit's")
    func patterns() throws {
        let path = "Server/MockKit/Pattern.swift"
        let text = try #require(Repository.current.file(path)).text
        let declared = text.split(separator: "\n").filter { $0.contains("public static") }
        #expect(declared.count >= 28)
        try expectEqual(Self.cells("pattern"), Self.members([path]))
    }

    @Test("A pattern that takes words or a name is shown with them")
    func arguments() throws {
        let text = try #require(Repository.current.file("Server/MockKit/Pattern.swift")).text
        let page = try #require(Repository.current.file(Self.page)).text
        for line in text.split(separator: "\n") where line.contains("public static func ") {
            let name = line.split(separator: "(")[0].split(separator: " ").last ?? ""
            #expect(page.contains("`.\(name)("), "\(name)")
        }
    }

    /// Each table of members, and the files that declare them.
    private static let tables: [(heading: String, files: [String])] = [
        (
            "member of `Mock`",
            [
                "Mock", "Mock+Expecting", "Mock+Time", "MockChat", "Injecting", "Overriding",
                "MockSpeaker",
            ]
        ),
        ("member of `mock.clock`", ["MockClock"]),
        ("member of `mock.network`", ["MockNetwork"]),
        ("member of `MockChat`", ["MockChat"]),
        ("member of what `liveAgent(in:)` and `agent(in:)` return", ["MockSpeaker"]),
        ("check", ["Mock+Expecting"]),
        ("step of an overridden reply", ["Overriding"]),
        ("member of what the closure gets", ["Overriding"]),
    ]

    private static func path(_ file: String) -> String { "Server/MockKit/\(file).swift" }

    @Test("What the tables of members tell is there")
    func members() throws {
        for table in Self.tables {
            let current = ["Server/PolyMockTesting/Mock+Current.swift"]
            let known = try Self.members(
                table.files.map(Self.path) + (table.files[0] == "Mock" ? current : []))
            let told = try Self.cells(table.heading)
            #expect(!told.isEmpty && told.isSubset(of: known), "\(table.heading): \(told.subtracting(known))")
        }
    }

    @Test("What tests can call is in one of the tables")
    func everything() throws {
        let known = try Self.members(Set(Self.tables.flatMap(\.files)).sorted().map(Self.path))
        let told = try Self.tables.reduce(into: Set<String>()) { $0.formUnion(try Self.cells($1.heading)) }
        // Parts of what `pendingTimers` and `inject` return stand in their rows.
        let missing = known.subtracting(told).subtracting(["delay", "description", "remove"])
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
