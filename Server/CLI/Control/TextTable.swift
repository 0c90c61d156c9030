/// Table of text in aligned columns. Widths are numbers of characters.
struct TextTable {
    struct Column {
        var title: String
        /// Whether the cells are right-aligned.
        var isNumber = false

        init(_ title: String, isNumber: Bool = false) {
            self.title = title
            self.isNumber = isNumber
        }
    }

    var columns: [Column]
    var rows: [[String]] = []

    /// Title line and rows, or nothing for a table without rows.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { $0.enumerated().map { Self.cell($1, isLast: $0 == columns.count - 1) } }
        let widths = columns.indices.map { index in
            ([columns[index].title] + cells.map { $0[index] }).map(\.count).max() ?? 0
        }
        return ([columns.map(\.title)] + cells).map { row in
            var line = ""
            for (index, cell) in row.enumerated() {
                if index > 0 { line += "  " }
                if index == columns.count - 1, !columns[index].isNumber {
                    line += cell
                } else {
                    line += Self.padded(cell, to: widths[index], atStart: columns[index].isNumber)
                }
            }
            return Self.trimmed(line)
        }
    }

    static func padded(_ text: String, to width: Int, atStart: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return atStart ? blanks + text : text + blanks
    }

    /// Formats a cell as one line, truncated except in the last column. An empty cell becomes a hyphen.
    private static func cell(_ text: String, isLast: Bool) -> String {
        let line = oneLine(text)
        guard !isLast, line.count > VerbLimits.cell else { return line.isEmpty ? "-" : line }
        return line.prefix(VerbLimits.cell - 1) + "…"
    }

    static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    private static func trimmed(_ line: String) -> String {
        var line = line[...]
        while line.last == " " { line.removeLast() }
        return String(line)
    }
}
