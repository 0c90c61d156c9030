import ChatPresentation
import Texts

struct LineEditor: Equatable, Sendable {
    private(set) var characters: [Character] = []
    private(set) var cursor = 0
    private var killed: [Character] = []
    private var history: [String] = []
    /// Index of the shown history entry; nil for a new line.
    private var recalled: Int?
    private var draft: [Character] = []

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// Inserts a text at the cursor. Returns false if the text was truncated because the line is full.
    mutating func insert(_ text: String) -> Bool {
        // An inserted combining mark may join the character before it, so the text is split into characters again.
        let head = String(characters[..<cursor]) + ForeignText.talkLines(text)
        let tail = characters[cursor...]
        let room = max(0, Composer.maxCharacters - tail.count)
        let characters = Array(head)
        self.characters = Array(characters.prefix(room)) + tail
        cursor = min(characters.count, room)
        return characters.count <= room
    }

    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .newLine: _ = insert("\n")
        case .backspace:
            guard cursor > 0 else { break }
            cursor -= 1
            characters.remove(at: cursor)
        case .delete: if cursor < characters.count { characters.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight:
            while cursor < characters.count, characters[cursor].isWhitespace { cursor += 1 }
            while cursor < characters.count, !characters[cursor].isWhitespace { cursor += 1 }
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .killToEnd: kill(cursor..<characters.count)
        case .killToStart: kill(0..<cursor)
        case .killWord: kill(wordStart..<cursor)
        case .yank: _ = insert(String(killed))
        case .up: recall((recalled ?? history.count) - 1)
        case .down: recall((recalled ?? history.count) + 1)
        default: return false
        }
        return true
    }

    mutating func submit() -> String {
        let line = text
        if !line.isEmpty, history.last != line { history.append(line) }
        if history.count > TerminalLimits.historyLines { history.removeFirst() }
        clear()
        return line
    }

    mutating func clear() {
        characters = []
        cursor = 0
        recalled = nil
        draft = []
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private mutating func kill(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        killed = Array(characters[range])
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func recall(_ place: Int) {
        guard place >= 0, place <= history.count, place != recalled else { return }
        if recalled == nil {
            guard place < history.count else { return }
            draft = characters
        }
        recalled = place == history.count ? nil : place
        characters = place == history.count ? draft : Array(history[place])
        cursor = characters.count
    }
}
