/// Key press.
enum Key: Equatable, Sendable {
    case text(String)
    case paste(String)
    case enter
    /// Enter with Alt: a new line.
    case newLine
    case backspace
    case delete
    case left
    case right
    case wordLeft
    case wordRight
    case home
    case end
    case up
    case down
    case pageUp
    case pageDown
    case killToEnd
    case killToStart
    case killWord
    case yank
    case escape
    case interrupt
    case endOfInput
    case suspend
    case redraw
}

/// Turns the bytes of a terminal in raw mode into keys, wherever the pieces begin and end. An escape sequence arrives
/// in one piece, so an ESC at the end of a piece is the key.
struct KeyReader: Sendable {
    private var waiting: [UInt8] = []
    private var pasted: [UInt8]?

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    mutating func read(_ bytes: [UInt8]) -> [Key] {
        waiting += bytes
        var keys: [Key] = []
        while !waiting.isEmpty {
            if pasted != nil {
                guard let key = readPaste() else { break }
                keys.append(key)
            } else if waiting[0] == 0x1B {
                guard readEscape(&keys) else { break }
            } else if waiting[0] < 0x20 || waiting[0] == 0x7F {
                if let key = Self.control(waiting[0]) { keys.append(key) }
                waiting.removeFirst()
            } else {
                guard let text = readText() else { break }
                keys.append(.text(text))
            }
        }
        return keys
    }

    // MARK: Pieces

    private mutating func readPaste() -> Key? {
        let end = waiting.indices.first { waiting[$0...].starts(with: Self.pasteEnd) }
        guard let end else {
            // The mark of the end may be cut in two.
            let safe = max(0, waiting.count - Self.pasteEnd.count + 1)
            pasted?.append(contentsOf: waiting[..<safe])
            waiting.removeFirst(safe)
            return nil
        }
        let all = (pasted ?? []) + waiting[..<end]
        pasted = nil
        waiting.removeFirst(end + Self.pasteEnd.count)
        return .paste(String(decoding: all, as: UTF8.self))
    }

    /// Text up to the next control, without a character that is cut at the end.
    private mutating func readText() -> String? {
        var end = waiting.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? waiting.endIndex
        if end == waiting.endIndex, let lead = waiting.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            let length =
                switch waiting[lead] {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            if lead + length > waiting.endIndex { end = lead }
        }
        guard end > 0 else { return nil }
        defer { waiting.removeFirst(end) }
        return String(decoding: waiting[..<end], as: UTF8.self)
    }

    /// False when the sequence is not complete.
    private mutating func readEscape(_ keys: inout [Key]) -> Bool {
        guard waiting.count > 1 else {
            waiting = []
            keys.append(.escape)
            return true
        }
        switch waiting[1] {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            guard let end = waiting.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                // Longer than any known sequence: give up on it.
                if waiting.count > 32 { waiting = [] }
                return false
            }
            let sequence = String(decoding: waiting[2...end], as: UTF8.self)
            waiting.removeFirst(end + 1)
            if sequence == "200~" {
                pasted = []
            } else if let key = Self.sequence(sequence) {
                keys.append(key)
            }
        case 0x0D, 0x0A: take(.newLine, &keys)
        case UInt8(ascii: "b"): take(.wordLeft, &keys)
        case UInt8(ascii: "f"): take(.wordRight, &keys)
        case 0x7F: take(.killWord, &keys)
        case 0x1B:
            waiting.removeFirst()
            keys.append(.escape)
        default: waiting.removeFirst(2)
        }
        return true
    }

    private mutating func take(_ key: Key, _ keys: inout [Key]) {
        keys.append(key)
        waiting.removeFirst(2)
    }

    private static func sequence(_ text: String) -> Key? {
        switch text {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "1;5C", "1;3C": .wordRight
        case "1;5D", "1;3D": .wordLeft
        case "H", "1~", "7~": .home
        case "F", "4~", "8~": .end
        case "3~": .delete
        case "5~": .pageUp
        case "6~": .pageDown
        default: nil
        }
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x01: .home
        case 0x02: .left
        case 0x03: .interrupt
        case 0x04: .endOfInput
        case 0x05: .end
        case 0x06: .right
        case 0x08, 0x7F: .backspace
        case 0x0A, 0x0D: .enter
        case 0x0B: .killToEnd
        case 0x0C: .redraw
        case 0x0E: .down
        case 0x10: .up
        case 0x15: .killToStart
        case 0x17: .killWord
        case 0x19: .yank
        case 0x1A: .suspend
        default: nil
        }
    }
}
