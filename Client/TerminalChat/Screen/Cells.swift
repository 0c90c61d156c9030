struct Style: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = Style(rawValue: 1)
    static let dim = Style(rawValue: 2)
    static let italic = Style(rawValue: 4)
    static let underline = Style(rawValue: 8)
    static let reverse = Style(rawValue: 16)
    static let accent = Style(rawValue: 32)
    static let alert = Style(rawValue: 64)
    static let code = Style(rawValue: 128)

    /// Control sequence that resets the style and then sets this style (SGR, ECMA-48 §8.3.117).
    var sequence: String {
        let codes: [(Style, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"), (.accent, "36"),
            (.alert, "31"), (.code, "33"),
        ]
        let chosen = codes.filter { contains($0.0) }.map(\.1)
        return "\u{1B}[0" + chosen.map { ";" + $0 }.joined() + "m"
    }
}

struct Cell: Hashable, Sendable {
    var character: Character
    var style: Style

    var width: Int { DisplayWidth.of(character) }
}

typealias Row = [Cell]

extension [Cell] {
    static func styled(_ text: String, _ style: Style = []) -> [Cell] {
        text.map { Cell(character: $0, style: style) }
    }

    var width: Int { reduce(0) { $0 + $1.width } }

    func cut(to width: Int) -> [Cell] {
        var used = 0
        return Array(
            prefix { cell in
                used += cell.width
                return used <= width
            })
    }

    /// Returns lines of at most `width` columns, broken at line breaks and, where possible, at spaces.
    func wrapped(to width: Int) -> [[Cell]] {
        let width = Swift.max(2, width)
        return split(omittingEmptySubsequences: false) { $0.character == "\n" }
            .flatMap { Self.wrap(Array($0), width) }
    }

    private static func wrap(_ line: [Cell], _ width: Int) -> [[Cell]] {
        var rows: [[Cell]] = []
        var row: [Cell] = []
        var used = 0
        /// Number of cells in `row` up to and including the last space.
        var breakable = 0
        for cell in line {
            let columns = cell.width
            if used + columns > width {
                if cell.character == " " {
                    // The line break replaces a space at the right edge.
                    rows.append(row)
                    row = []
                    used = 0
                    breakable = 0
                    continue
                }
                let tail = breakable > 0 ? Array(row[breakable...]) : []
                var head = breakable > 0 ? Array(row[..<breakable]) : row
                if head.last?.character == " " { head.removeLast() }
                rows.append(head)
                row = tail
                used = tail.width
                breakable = 0
                if used + columns > width {
                    rows.append(row)
                    row = []
                    used = 0
                }
            }
            row.append(cell)
            used += columns
            if cell.character == " " { breakable = row.count }
        }
        rows.append(row)
        return rows
    }
}
