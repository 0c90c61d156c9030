import Expectations
import Testing

/// `Tests/PolyMessagingTests/CHECKS.md` says which test shows which promise of the SDK.
@Suite("The checklist of the SDK")
struct ChecklistTests {
    /// The areas and their numbers.
    static let areas: [(name: String, numbers: ClosedRange<Int>)] = [
        ("CFG", 1...9), ("ERR", 10...22), ("DEV", 23...25), ("MUL", 26...33), ("DEC", 34...73),
        ("ENC", 74...82), ("JWT", 83...91), ("HB", 92...102), ("CHAT", 103...146), ("CONN", 147...170),
        ("SESS", 171...195), ("CO", 196...219), ("UI", 220...271), ("RAW", 272...274), ("LOG", 275...276),
    ]
    static let all = areas.flatMap { area in area.numbers.map { "\(area.name)-\($0)" } }
    static let weaknesses = 1...60

    /// Display names by the file they are in.
    private static let names: [String: [String]] = Repository.current.swift(in: "Tests").reduce(into: [:]) {
        // Two folders may have files of one name.
        $0[$1.name, default: []] += displayNames($1.bytes)
    }
    /// The checks that these name.
    private static let checksByFile = names.mapValues { $0.flatMap(checks) }
    private static let areaNames = Set(areas.map(\.name))
    private let names = Self.names
    private let table: String

    init() throws {
        table = try #require(Repository.current.file("Tests/PolyMessagingTests/CHECKS.md")).text
    }

    @Test("Each of the 276 checks has one row, and the test files it names carry its number")
    func everyCheckIsTested() {
        expectEqual(Self.all.count, 276)
        let rows = rows { Self.all.contains($0) }
        for check in Self.all {
            let found = rows.filter { $0[0] == check }
            #expect(found.count == 1 && found.first?.count == 4, "\(check) has \(found.count) rows")
            guard let row = found.first, row.count == 4 else { continue }
            #expect(!row[1].isEmpty && !row[3].isEmpty, "\(check)")
            if row[2].hasPrefix("nowhere: ") {
                #expect(row[2].count > 30, "\(check) needs a reason")
                continue
            }
            for file in row[2].split(separator: ", ") {
                let numbered = Self.checksByFile["\(file).swift", default: []]
                #expect(numbered.contains(check), "\(file) has no test named \(check)")
            }
        }
    }

    @Test("A number in the name of a test is one of the checklist, with its area")
    func numbersAreKnown() {
        let known = Set(Self.all)
        for (file, checks) in Self.checksByFile {
            for check in checks { #expect(known.contains(check), "\(check) in \(file)") }
        }
    }

    @Test("Each known weakness has one row that names the tests against it, or says why it stays")
    func everyWeaknessIsTested() {
        let every = Set(names.values.joined())
        let rows = rows { Int($0) != nil }
        expectEqual(rows.compactMap { Int($0[0]) }, Array(Self.weaknesses))
        for row in rows {
            expectEqual(row.count, 3)
            guard let answer = row.last, !answer.hasPrefix("stays: ") else { continue }
            let quoted = answer.split(separator: "<br>").map(String.init)
            #expect(!quoted.isEmpty)
            for name in quoted { #expect(every.contains(name), "\(row[0]): no test is named \"\(name)\"") }
        }
    }

    @Test("Checks are read from names, alone, in lists and in ranges")
    func reading() {
        expectEqual(
            Self.checks("CFG-1 One, CO-2, and UI-3 to UI-5"), ["CFG-1", "CO-2", "UI-3", "UI-4", "UI-5"])
        expectEqual(Self.checks("A frame in UTF-8"), [])
        expectEqual(
            Self.displayNames(
                ByteText("@Test(\n    \"one\")\n@Test(\"two \\\"2\\\"\", arguments: 1...2)\n@Test func x")),
            ["one", "two \\\"2\\\""])
    }

    /// The cells of the rows whose first cell is wanted.
    private func rows(where isWanted: (String) -> Bool) -> [[String]] {
        table.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
            return cells.first.map(isWanted) == true ? cells : nil
        }
    }

    /// The checks that the name of a test begins with or mentions.
    private static func checks(_ name: String) -> [String] {
        // Most names mention none.
        guard name.utf8.contains(UInt8(ascii: "-")) else { return [] }
        return name.matches(of: /\b([A-Z]+)-(\d+)(?: to [A-Z]+-(\d+))?/).flatMap { match -> [String] in
            guard areaNames.contains(String(match.1)), let first = Int(match.2) else { return [] }
            let last = match.3.flatMap { Int($0) } ?? first
            return (first...max(first, last)).map { "\(match.1)-\($0)" }
        }
    }

    /// What stands between the quotes after `@Test(`, as it is written.
    private static func displayNames(_ text: ByteText) -> [String] {
        text.places(of: "@Test(").compactMap { place in
            let rest = text.bytes[(place + 6)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            guard rest.first == UInt8(ascii: "\"") else { return nil }
            var isEscaped = false
            let name = rest.dropFirst().prefix { byte in
                defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
                return isEscaped || byte != UInt8(ascii: "\"")
            }
            return String(decoding: name, as: UTF8.self)
        }
    }
}
