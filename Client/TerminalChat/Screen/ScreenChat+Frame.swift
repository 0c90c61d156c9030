import ChatPresentation
import Clocks
import PolyMessaging
import Texts

extension ScreenChat {
    private static let editorRows = 5

    private var bodyRows: Int { max(1, rows - 2 - min(Self.editorRows, editorLines.lines.count)) }

    var pageRows: Int { max(1, bodyRows - 1) }

    /// Scrolls by `count` rows, towards the end if positive.
    mutating func scroll(by count: Int) {
        let last = max(0, rowCount - bodyRows)
        let target = max(0, (firstRow ?? last) + count)
        firstRow = target >= last ? nil : target
        if firstRow == nil { unseen = 0 }
    }

    mutating func makeFrame() -> Frame {
        layout.columns = columns
        let now = now
        let late = sentAt.filter { now >= $0.value + TerminalLimits.pendingMark }
        let receipts = receipts
        let all = layout.rows(
            transcript.messages, asides: asides, hasEnded: transcript.hasEnded,
            isLate: { late[$0.draftId] != nil },
            receipt: { receipts.state(ofDraft: $0.draftId) })
        rowCount = all.count
        let body = bodyRows
        let last = max(0, all.count - body)
        let first = min(firstRow ?? last, last)
        var shown = Array(all[first..<min(all.count, first + body)])
        shown += Array(repeating: Row(), count: body - shown.count)

        let (lines, cursorLine, cursorColumn) = editorLines
        let firstLine = max(0, min(cursorLine, lines.count - 1) - Self.editorRows + 1)
        let input = Array(lines[firstLine..<min(lines.count, firstLine + Self.editorRows)])
        return Frame(
            columns: columns, rows: [header] + shown + [statusLine] + input,
            cursorRow: min(rows - 1, 2 + body + cursorLine - firstLine),
            cursorColumn: min(columns - 1, cursorColumn))
    }

    // MARK: Header and status line

    private func bar(_ text: String, _ style: Style) -> Row {
        let cells = [Cell].styled(ForeignText.talkLine(text), style).cut(to: columns)
        let rest = String(repeating: " ", count: columns - cells.width)
        return cells + .styled(rest, style)
    }

    private var header: Row {
        let session = sessionID.map { "session \($0.prefix(8))" } ?? "no session"
        return bar(
            [agentName ?? "agent", session, setup.server].joined(separator: separator), [.reverse])
    }

    private var separator: String { setup.isASCII ? " | " : " · " }

    private var statusLine: Row {
        if asksToEnd { return bar("end conversation? y/n, Ctrl+C again leaves it open", [.bold]) }
        var facts: [String] = []
        if transcript.isAgentTyping {
            let dots = setup.isStill ? 3 : Int(now.millisecondsSince1970 / 500 % 3) + 1
            facts.append("\(agentName ?? "agent") is typing" + String(repeating: ".", count: dots))
        }
        facts.append(connection)
        if let lastSequence { facts.append("seq \(lastSequence)") }
        if let echo { facts.append("echo \(echo.milliseconds) ms") }
        if unseen > 0 { facts.append("\(unseen) new below") }
        if let count = Composer(text: editor.text).count {
            facts.append("\(count)/\(Composer.maxCharacters)")
        }
        if showsDiagnostics {
            facts.append("\(updates) updates, last \(lastUpdate), \(transcript.messages.count) messages")
        }
        return bar(facts.joined(separator: separator), [.dim])
    }

    private var connection: String {
        if transcript.hasEnded { return "ended" }
        switch transcript.connection {
        case .idle: return "idle"
        case .connecting: return "connecting"
        case .open: return "connected"
        case .closing: return "closing"
        case .closed: return "closed"
        case .reconnecting(let attempt): return "reconnecting, try \(attempt)"
        case .failed: return "no connection"
        }
    }

    // MARK: The editor

    private var editorLines: (lines: [Row], cursorLine: Int, cursorColumn: Int) {
        let prompt = "> "
        let width = max(2, columns - 2 - 1)
        var lines: [Row] = [.styled(prompt, .bold)]
        var used = 0
        var cursor = (line: 0, column: 2)
        for (place, character) in editor.characters.enumerated() {
            let columns = character == "\n" ? 0 : DisplayWidth.of(character)
            if character == "\n" || used + columns > width {
                if character == "\n", place == editor.cursor { cursor = (lines.count - 1, used + 2) }
                lines.append(.styled("  "))
                used = 0
            }
            if character == "\n" { continue }
            if place == editor.cursor { cursor = (lines.count - 1, used + 2) }
            lines[lines.count - 1].append(Cell(character: character, style: []))
            used += columns
        }
        if editor.cursor == editor.characters.count { cursor = (lines.count - 1, used + 2) }
        return (lines, cursor.line, cursor.column)
    }
}
