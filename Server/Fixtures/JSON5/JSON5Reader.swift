import Matching

/// Recursive-descent parser of JSON5 that records source positions. ``JSON5Limits/nesting`` limits the recursion.
struct JSON5Reader {
    let bytes: [UInt8]
    let lines: LineTable
    let limits: JSON5Limits
    var index: Int
    var problems: [JSON5Problem] = []
    var lintComments: [JSON5LintComment] = []
    private var valueCount = 0
    private var misplaced: (open: Int, close: Int)?

    init(_ bytes: [UInt8], from start: Int, lines: LineTable, limits: JSON5Limits) {
        self.bytes = bytes
        self.lines = lines
        self.limits = limits
        index = start
    }

    mutating func readDocument() throws(JSON5Problem) -> JSON5Value {
        try skipSpace()
        guard index < bytes.count else { throw JSON5Problem("the file is empty", at: index) }
        guard !isName(at: index) else {
            throw JSON5Problem(
                "a \"{\" is missing at the start; a file begins with \"{\" and ends with \"}\"", at: index)
        }
        let root = try readValue(depth: 0, name: nil)
        try skipSpace()
        guard index == bytes.count else {
            let end = lines.place(at: root.range.upperBound - 1).line
            let message = "nothing may follow after the last bracket, which is in line \(end)"
            throw JSON5Problem(message, at: index)
        }
        return root
    }

    /// `name` is the member's name; nil for items of lists and for the outermost value.
    mutating func readValue(depth: Int, name: String?) throws(JSON5Problem) -> JSON5Value {
        valueCount += 1
        guard valueCount <= limits.values else {
            throw JSON5Problem("the file has more than \(limits.values) values", at: index)
        }
        let start = index
        guard start < bytes.count else {
            let owner = name.map { " of \"\(MessageFormat.shortened($0))\"" } ?? ""
            throw JSON5Problem("the file ends where the value\(owner) should be", at: start)
        }
        let content: JSON5Value.Content
        switch bytes[start] {
        case UInt8(ascii: "{"): content = .object(try readObject(depth: depth, name: name))
        case UInt8(ascii: "["): content = .list(try readList(depth: depth, name: name))
        case UInt8(ascii: "\""), UInt8(ascii: "'"): content = .text(try readText())
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            content = .number(try readNumber())
        default:
            if let text = readPrintedText() {
                content = .text(text)
            } else {
                content = try readWord(name: name)
            }
        }
        return JSON5Value(content, range: start..<index)
    }

    private mutating func readObject(depth: Int, name: String?) throws(JSON5Problem) -> [JSON5Member] {
        let open = index
        try enter(depth)
        var members: [JSON5Member] = []
        var known: [String: Int] = [:]
        while true {
            try skipSpace()
            guard index < bytes.count else { throw neverClosed(open) }
            if bytes[index] == UInt8(ascii: "}") { break }
            if bytes[index] == UInt8(ascii: "{"), !members.isEmpty {
                let line = lines.place(at: open).line
                throw JSON5Problem(
                    "expected a name, found \"{\"; a \"}\" is missing before it for the block of line \(line)",
                    at: index)
            }
            let nameStart = index
            let memberName = try readName()
            if let earlier = known.updateValue(nameStart, forKey: memberName) {
                let line = lines.place(at: earlier).line
                let message =
                    "\"\(MessageFormat.shortened(memberName))\" stands here a second time; the first is in line "
                    + "\(line)."
                problems.append(JSON5Problem(message, at: nameStart, kind: .duplicateName))
            }
            try readColon(after: memberName, at: nameStart)
            let value = try readValue(depth: depth + 1, name: memberName)
            members.append(JSON5Member(name: memberName, nameStart: nameStart, value: value))
            try skipSpace()
            guard index < bytes.count else { throw neverClosed(open) }
            if bytes[index] == UInt8(ascii: ",") {
                index += 1
            } else if bytes[index] != UInt8(ascii: "}") {
                let owner = "the value of \"\(MessageFormat.shortened(memberName))\""
                throw notJoined(value, owner, closing: "}")
            }
        }
        leave(open)
        return members
    }

    private mutating func readList(depth: Int, name: String?) throws(JSON5Problem) -> [JSON5Value] {
        let open = index
        try enter(depth)
        var items: [JSON5Value] = []
        while true {
            try skipSpace()
            guard index < bytes.count else { throw neverClosed(open) }
            if bytes[index] == UInt8(ascii: "]") { break }
            if bytes[index] == UInt8(ascii: ",") {
                throw JSON5Problem("a comma without a value before it", at: index)
            }
            try refuseName(in: name, from: open, after: items)
            let item = try readValue(depth: depth + 1, name: nil)
            items.append(item)
            try skipSpace()
            guard index < bytes.count else { throw neverClosed(open) }
            if bytes[index] == UInt8(ascii: ",") {
                index += 1
            } else if bytes[index] != UInt8(ascii: "]") {
                if case .text(let text) = item.content, bytes[index] == UInt8(ascii: ":") {
                    throw namedItem(text, at: item.start, in: name, from: open, after: items.dropLast())
                }
                try refuseName(in: name, from: open, after: items)
                let list = name.map { "\"\(MessageFormat.shortened($0))\"" } ?? "the list"
                throw notJoined(item, "item \(items.count) of \(list)", closing: "]")
            }
        }
        leave(open)
        return items
    }

    private mutating func enter(_ depth: Int) throws(JSON5Problem) {
        guard depth < limits.nesting else {
            throw JSON5Problem("more than \(limits.nesting) brackets inside each other", at: index)
        }
        index += 1
    }

    /// Skips a closing bracket. Records the first one that is indented less than its opening bracket.
    private mutating func leave(_ open: Int) {
        if misplaced == nil, let closing = indentation(upTo: index), indentation(of: open) > closing {
            misplaced = (open, index)
        }
        index += 1
    }

    /// Returns the number of spaces and tabs before `offset` on its line. Nil if anything else precedes `offset`.
    private func indentation(upTo offset: Int) -> Int? {
        var start = offset
        while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
        return start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D ? offset - start : nil
    }

    private func indentation(of offset: Int) -> Int {
        var start = offset
        while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
        var end = start
        while end < offset, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        return end - start
    }

    private func neverClosed(_ open: Int) -> JSON5Problem {
        let bracket = bytes[open] == UInt8(ascii: "{") ? "{" : "["
        if let (open, close) = misplaced {
            let (bracket, other) = bytes[open] == UInt8(ascii: "{") ? ("{", "}") : ("[", "]")
            return JSON5Problem(
                "this \"\(bracket)\" is closed only by the \"\(other)\" in line \(lines.place(at: close).line); "
                    + "a \"\(other)\" is missing before that", at: open)
        }
        let end = lines.place(at: bytes.count).line
        return JSON5Problem("this \"\(bracket)\" is never closed; the file ends in line \(end)", at: open)
    }

    mutating func skipSpace() throws(JSON5Problem) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: index += 1
            case UInt8(ascii: "/"): try skipComment()
            case UInt8(ascii: "#"):
                throw JSON5Problem("a comment begins with //, not with #", at: index)
            case 0x80...:
                guard let (scalar, length) = JSON5Characters.scalar(bytes, at: index),
                    JSON5Characters.isWideSpace(scalar)
                else { return }
                index += length
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Problem) {
        let start = index
        guard start + 1 < bytes.count else { throw JSON5Problem("a slash means nothing here", at: start) }
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            index += 2
            while index < bytes.count, !isLineBreak(at: index) { index += 1 }
            keepLintComment(from: start, to: index)
        case UInt8(ascii: "*"):
            index += 2
            while index + 1 < bytes.count {
                if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") {
                    index += 2
                    return
                }
                index += 1
            }
            throw JSON5Problem("this comment is never closed with */", at: start)
        default:
            throw JSON5Problem("a slash means nothing here; a comment begins with //", at: start)
        }
    }

    func isLineBreak(at index: Int) -> Bool {
        bytes[index] == 0x0A || bytes[index] == 0x0D || JSON5Characters.isSeparator(bytes, at: index)
    }

    private mutating func keepLintComment(from start: Int, to end: Int) {
        var first = start + 2
        while first < end, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
        let mark = Array("lint:".utf8)
        guard bytes[first..<end].starts(with: mark) else { return }
        var before = start
        while before > 0, bytes[before - 1] == 0x20 || bytes[before - 1] == 0x09 { before -= 1 }
        let isAlone = before == 0 || bytes[before - 1] == 0x0A || bytes[before - 1] == 0x0D
        let text = String(decoding: bytes[(first + mark.count)..<end], as: UTF8.self)
        lintComments.append(JSON5LintComment(text: text, start: start, isAlone: isAlone))
    }
}
