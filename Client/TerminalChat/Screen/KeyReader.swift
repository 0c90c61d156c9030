enum Key: Equatable, Sendable {
    case text(String)
    case paste(String)
    case enter
    /// Alt+Enter: a line break.
    case newLine
    case backspace, delete, killToEnd, killToStart, killWord, yank
    case left, right, wordLeft, wordRight, home, end, up, down, pageUp, pageDown
    case escape, interrupt, endOfInput, suspend, redraw
}

/// Incremental parser of a terminal's raw input. An ESC at the end of an input is the Escape key.
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
                if let key = Self.controls[waiting[0]] { keys.append(key) }
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
            // The end marker of the paste may be split, so the last bytes stay in `waiting`.
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

    /// Reads text up to the next control byte. The bytes of an incomplete character stay in ``waiting``.
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

    private mutating func readEscape(_ keys: inout [Key]) -> Bool {
        guard waiting.count > 1 else {
            waiting = []
            keys.append(.escape)
            return true
        }
        switch waiting[1] {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            guard let end = waiting.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                // No known sequence has more than 32 bytes, so the input is discarded.
                if waiting.count > 32 { waiting = [] }
                return false
            }
            let sequence = String(decoding: waiting[2...end], as: UTF8.self)
            waiting.removeFirst(end + 1)
            if sequence == "200~" {
                pasted = []
            } else if let key = Self.sequences[sequence] {
                keys.append(key)
            }
        case 0x0D, 0x0A: accept(.newLine, &keys)
        case UInt8(ascii: "b"): accept(.wordLeft, &keys)
        case UInt8(ascii: "f"): accept(.wordRight, &keys)
        case 0x7F: accept(.killWord, &keys)
        case 0x1B:
            waiting.removeFirst()
            keys.append(.escape)
        default: waiting.removeFirst(2)
        }
        return true
    }

    private mutating func accept(_ key: Key, _ keys: inout [Key]) {
        keys.append(key)
        waiting.removeFirst(2)
    }

    private static let sequences: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "1;5C": .wordRight, "1;3C": .wordRight,
        "1;5D": .wordLeft, "1;3D": .wordLeft, "H": .home, "1~": .home, "7~": .home, "F": .end, "4~": .end,
        "8~": .end, "3~": .delete, "5~": .pageUp, "6~": .pageDown,
    ]

    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right,
        0x08: .backspace, 0x7F: .backspace, 0x0A: .enter, 0x0D: .enter, 0x0B: .killToEnd, 0x0C: .redraw,
        0x0E: .down, 0x10: .up, 0x15: .killToStart, 0x17: .killWord, 0x19: .yank, 0x1A: .suspend,
    ]
}
