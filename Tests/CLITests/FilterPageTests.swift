import Clocks
import Expectations
import MockServer
import Testing
import Texts
import Timeline

@testable import CLI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `Shared/Docs/filters.md`: its talk is the checked-in export, and every filter on it takes the rows it says.
@Suite("The page about filters")
struct FilterPageTests {
    private static func text(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/")
        let bytes = try #require(FileManager.default.contents(atPath: root + "/" + path))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func talk() throws -> [Row] {
        try TimelineImport.rows(
            Array(text("Tests/Data/timeline/filters.jsonl").utf8), as: Server.reading)
    }

    private static func page() throws -> [Substring] {
        try text("Shared/Docs/filters.md").split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func shown(_ row: Row) throws -> String {
        var bytes: [UInt8] = []
        TimelineExport.appendJSON(row, into: &bytes)
        return ControlDisplay.row(try JSONReader.read(bytes))
    }

    @Test("The talk on the page is what polymock wire shows of the export")
    func theTalk() throws {
        let page = try Self.page()
        let start = try #require(page.firstIndex(of: "```text"))
        let shown = page[(start + 1)...].prefix { $0 != "```" }
        let rows = try Self.talk().map { try Self.shown($0) }
        expectEqual(rows.count, 30)
        expectEqual(shown.map { String($0) }, rows)
    }

    @Test("The wire in the README is part of that talk")
    func readme() throws {
        let talk = try Self.page()
        let rows = try Self.text("README.md").split(separator: "\n").filter { $0.contains("  a10f6c78  ") }
        #expect(rows.count >= 6)
        for row in rows { #expect(talk.contains(row), "\(row)") }
    }

    @Test("Every filter in the tables takes the rows that stand beside it")
    func tables() throws {
        let rows = try Self.talk()
        let newest = try #require(rows.last)
        var count = 0
        var isRow = false
        for line in try Self.page() {
            guard line.hasPrefix("| ") else {
                isRow = false
                continue
            }
            guard isRow else {
                isRow = line.hasPrefix("| --- ")
                continue
            }
            let cells = Self.cells(line)
            let filterCell = cells.count == 4 ? cells[2] : cells[0]
            let filter = try Server.filter(String(filterCell.drop { $0 == "`" }.dropLast()))
                .naming(last: newest.session)
            let taken = rows.filter { filter.matches($0, now: newest.time) }.map { "\($0.number)" }
            let told = taken.isEmpty ? "none" : taken.joined(separator: ", ")
            expectEqual(cells[cells.count == 4 ? 3 : 1], told, "\(filter.text)\t\(told)")
            count += 1
        }
        #expect(count > 35)
    }

    @Test("Every field has a row in the first table")
    func fields() throws {
        let page = try Self.page()
        for field in RowFilter.fields {
            #expect(page.contains { $0.hasPrefix("| `\(field)` | ") }, "\(field)")
        }
    }

    @Test("What the page says about mistakes is what is said")
    func mistakes() throws {
        let page = try Self.page()
        for text in ["tpye:CHUNK", "dir:inn"] {
            let error = #expect(throws: FilterError.self) { try Server.filter(text) }
            #expect(page.contains("\(try #require(error))"[...]))
        }
        var timeline = Timeline()
        for row in try Self.talk() { timeline.append(row) }
        for text in ["type:USER_MESAGE", "rule:boook", "dir=in"] {
            let hint = try #require(try Server.filter(text).hint(among: timeline))
            #expect(page.contains("no row: \(hint)"[...]), "\(hint)")
        }
    }

    /// The cells of a row of a table; `\|` is a stroke inside one.
    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if isEscaped, character != "|" { cells[cells.count - 1].append("\\") }
                if character != "\\" { cells[cells.count - 1].append(character) }
            }
            isEscaped = character == "\\"
        }
        return cells.dropLast().map { cell in
            var cell = cell[...].drop { $0 == " " }
            while cell.last == " " { cell.removeLast() }
            return String(cell)
        }
    }
}
