import Testing

/// `Shared/Docs/limits.md` lists the limits that a configuration has.
@Suite("The page of limits")
struct LimitPageTests {
    private struct Line: Hashable {
        var name: String
        var value: String
    }

    /// The cells of the table, without their marks.
    private static func table() throws -> [[String]] {
        let page = try #require(Repository.current.file("Shared/Docs/limits.md")).text
        return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { cell in
                cell.split(separator: " ").joined(separator: " ").filter { $0 != "`" }
            }
        }
    }

    /// What `Configuration.Limits` declares: `public var name = value`, a length of time, or an optional.
    private static func declared() throws -> [Line] {
        let path = "Server/MockServer/Configuration/Configuration+Limits.swift"
        let source = try #require(Repository.current.file(path)).text
        let type = try #require(source.firstRange(of: "public struct Limits"))
        return source[type.upperBound...].split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 4, words[0] == "public", words[1] == "var" else { return nil }
            guard words[2].last != ":" else { return Line(name: String(words[2].dropLast()), value: "nil") }
            var value = words[4].filter { $0 != "_" }
            if value.hasPrefix("Interval.seconds(") {
                value = value.dropFirst("Interval.seconds(".count).dropLast() + " s"
            }
            return Line(name: String(words[2]), value: String(value))
        }
    }

    @Test("The table has each limit of the configuration with its default, once, and no other")
    func defaults() throws {
        let listed = try Self.table().map { Line(name: $0[0], value: $0[2]) }
        let declared = try Self.declared()
        #expect(declared.count >= 15)
        #expect(Set(listed) == Set(declared) && listed.count == declared.count)
    }

    @Test("Each limit of bytes names a metric that there is, and the page has each kind of holder")
    func metrics() throws {
        let source = try #require(
            Repository.current.file("Server/MockServer/Control/ControlMetrics.swift")
        ).text
        let ledger = try #require(Repository.current.file("Server/ServerCore/MemoryLedger.swift")).text
        let page = try #require(Repository.current.file("Shared/Docs/limits.md")).text
        let kinds = ledger.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            return words.count == 2 && words[0] == "case" && !words[1].hasPrefix(".") ? words[1] : nil
        }
        #expect(kinds.count >= 11)
        for kind in kinds { #expect(page.contains("`\(kind)`"), "\(kind)") }
        for cells in try Self.table() where cells[3] != "none" {
            let parts = cells[3].split(separator: "{")
            #expect(source.contains("\"\(parts[0])\""), "\(cells[3])")
            guard parts.count > 1 else { continue }
            #expect(kinds.contains { parts[1].contains("\"\($0)\"") }, "\(cells[3])")
        }
        for cells in try Self.table() where cells[1] == "bytes" && cells[0] != "messageBytes" {
            #expect(cells[3] != "none", "\(cells[0])")
        }
    }

    @Test("Each limit has a test that is there, and a row in the table of settings")
    func tests() throws {
        let table = try #require(
            Repository.current.file("Server/MockServer/Configuration/Configuration+Limits.swift")
        ).text
        let sources = Repository.current.swift(in: "Tests")
        for cells in try Self.table() {
            let row = "\"limits.\(cells[0])\", &limits.\(cells[0])"
            #expect([",", ")"].contains { table.contains(row + $0) }, "\(cells[0])")
            let names = cells[5].split(separator: ".")
            let found = sources.contains { file in
                file.name == names[0] + ".swift" && file.bytes.contains("func \(names[1])(")
            }
            #expect(found, "\(cells[5])")
        }
    }
}
