struct Frame: Equatable, Sendable {
    var columns: Int
    var rows: [Row]
    var cursorRow: Int
    var cursorColumn: Int

    /// Returns the output that turns `old` into this frame, with CUP and EL of ECMA-48.
    func bytes(replacing old: Frame?, hasColor: Bool) -> [UInt8] {
        guard self != old else { return [] }
        let isFresh = old?.columns != columns || old?.rows.count != rows.count
        var text = "\u{1B}[?25l" + (isFresh ? "\u{1B}[2J" : "")
        for (place, row) in rows.enumerated() {
            if !isFresh, let old, old.rows[place] == row { continue }
            text += "\u{1B}[\(place + 1);1H" + Self.text(row.cut(to: columns), hasColor: hasColor)
            if row.width < columns { text += "\u{1B}[K" }
        }
        text += "\u{1B}[\(cursorRow + 1);\(cursorColumn + 1)H\u{1B}[?25h"
        return Array(text.utf8)
    }

    private static func text(_ row: Row, hasColor: Bool) -> String {
        var text = ""
        var style: Style = []
        for cell in row {
            if hasColor, cell.style != style {
                style = cell.style
                text += style.sequence
            }
            text.append(cell.character)
        }
        return style.isEmpty ? text : text + "\u{1B}[0m"
    }
}

enum ScreenControl {
    /// Enables the alternate screen and bracketed paste.
    static let enter = Array("\u{1B}[?1049h\u{1B}[?2004h\u{1B}[2J".utf8)
    static let leave = Array("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l".utf8)
}
