struct BlockSource: Equatable, Sendable {
    enum Kind: Sendable {
        case paragraph
        case heading
        case list
        case fence
    }

    var kind: Kind
    var lines: [[Unicode.Scalar]]
    var isOpen: Bool
    var isClosed = false
}

enum BlockReader {
    static func sources(_ text: [Unicode.Scalar], isOpen: Bool) -> [BlockSource] {
        var text = text[...]
        if isOpen, !isInFence(text) { text = withoutUnclearEnd(text) }
        let lines = TagReader.read(Array(text), isOpen: isOpen)
            .split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        var sources: [BlockSource] = []
        var start = 0
        while start < lines.count {
            let line = lines[start]
            if line.allSatisfy(Scalars.isSpace) {
                start += 1
                continue
            }
            let (kind, end) = extent(lines, from: start)
            var source = BlockSource(
                kind: kind, lines: Array(lines[start..<end]), isOpen: isOpen && end == lines.count)
            source.isClosed = kind == .fence && end - start > 1 && Fence.begins(lines[end - 1], at: 0)
            sources.append(source)
            start = end
        }
        return sources
    }

    private static func extent(_ lines: [[Unicode.Scalar]], from start: Int) -> (BlockSource.Kind, Int) {
        let line = lines[start]
        var end = start + 1
        if Fence.begins(line, at: 0) {
            while end < lines.count, !Fence.begins(lines[end], at: 0) { end += 1 }
            return (.fence, min(end + 1, lines.count))
        }
        if isHeading(line) { return (.heading, end) }
        if let item = ListItem(line) { return (.list, listEnd(lines, from: start, item)) }
        while end < lines.count, !lines[end].allSatisfy(Scalars.isSpace), !Fence.begins(lines[end], at: 0),
            !isHeading(lines[end]), ListItem(lines[end]) == nil
        { end += 1 }
        return (.paragraph, end)
    }

    /// Returns the index after the last line of a list: items, continuation lines indented by two spaces, and empty
    /// lines between items.
    private static func listEnd(_ lines: [[Unicode.Scalar]], from start: Int, _ first: ListItem) -> Int {
        var sure = start + 1
        for end in sure..<max(sure, lines.count) where !lines[end].allSatisfy(Scalars.isSpace) {
            if let next = ListItem(lines[end]) {
                if next.indent < first.indent + 2, (next.number == nil) != (first.number == nil) { break }
            } else if !lines[end].starts(with: [" ", " "]) || end != sure {
                break
            }
            sure = end + 1
        }
        return sure
    }

    private static func isHeading(_ line: [Unicode.Scalar]) -> Bool {
        let marks = line.prefix { $0 == "#" }.count
        let rest = line.dropFirst(marks).drop { $0 == " " || $0 == "\t" }
        return (1...6).contains(marks) && rest.count < line.count - marks
            && rest.first.map { !Scalars.isSpace($0) } ?? false
    }

    // MARK: Texts that grow

    private static func isInFence(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        var isIn = false
        for line in text.split(separator: "\n") where Fence.begins(Array(line.prefix(6)), at: 0) {
            isIn.toggle()
        }
        return isIn
    }

    /// Removes an incomplete entity, list mark, heading mark, delimiter or escape from the end of the text.
    private static func withoutUnclearEnd(_ text: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var text = text
        let tail = text.suffix(9)
        if let and = tail.lastIndex(of: "&"),
            tail[(and + 1)...].allSatisfy({ Scalars.isWord($0) || $0 == "_" || $0 == "#" })
        {
            text = text[..<and]
        }
        let start = text.lastIndex(of: "\n").map { $0 + 1 } ?? text.startIndex
        if isUnclearLine(text[start...]) { return text[..<start] }
        for _ in 0..<3 where "*_`".unicodeScalars.contains(text.last ?? " ") {
            text = text.dropLast()
        }
        let backslashes = text.reversed().prefix { $0 == "\\" }.count
        return backslashes % 2 == 0 ? text : text.dropLast()
    }

    /// Whether an incomplete line may become a list item, a heading or a fence.
    private static func isUnclearLine(_ line: ArraySlice<Unicode.Scalar>) -> Bool {
        let spaces = line.reversed().prefix { $0 == " " || $0 == "\t" }.count
        let mark = line.dropLast(spaces).drop { $0 == " " }
        switch mark.first {
        case "-", "*", "\u{2022}": return mark.count == 1
        case "#": return mark.count <= 6 && mark.allSatisfy { $0 == "#" }
        case "`": return mark.count <= 2 && mark.allSatisfy { $0 == "`" }
        default: return ListItem.number(mark) != nil
        }
    }

    // MARK: Blocks

    static func block(_ source: BlockSource) -> MessageText.Block {
        switch source.kind {
        case .heading:
            let text = Scalars.trimmed(Array(source.lines[0].drop { $0 == "#" }))
            let inlines = InlineReader.read(text, isOpen: source.isOpen)
            return .paragraph([.strong(inlines)])
        case .paragraph:
            let text = Scalars.trimmed(Array(source.lines.map(Scalars.trimmed).joined(separator: ["\n"])))
            return .paragraph(InlineReader.read(text, isOpen: source.isOpen))
        case .fence:
            let info = source.lines[0].drop { $0 == " " }.drop { $0 == "`" }
            let words = info.split(whereSeparator: Scalars.isSpace)
            let code = source.lines.dropFirst().dropLast(source.isClosed ? 1 : 0).joined(separator: ["\n"])
            return .code(Scalars.string(Array(code)), language: words.first.map { Scalars.string($0) })
        case .list: return list(source)
        }
    }

    private static func list(_ source: BlockSource) -> MessageText.Block {
        var lists: [(text: [Unicode.Scalar], isNumbered: Bool, inner: [[Unicode.Scalar]])] = []
        var start: Int?
        var base = 0
        for line in source.lines where !line.allSatisfy(Scalars.isSpace) {
            let item = ListItem(line)
            if let item, lists.isEmpty || item.indent < base + 2 {
                if lists.isEmpty { (start, base) = (item.number, item.indent) }
                lists.append((item.text, false, []))
            } else if let item {
                let last = lists.count - 1
                if lists[last].inner.isEmpty { lists[last].isNumbered = item.number != nil }
                lists[last].inner.append(item.text)
            } else if let last = lists.indices.last {
                let more = ["\n"] + Scalars.trimmed(line)
                if let inner = lists[last].inner.indices.last {
                    lists[last].inner[inner] += more
                } else {
                    lists[last].text += more
                }
            }
        }
        let items = lists.enumerated().map { index, item in
            let isLast = source.isOpen && index == lists.count - 1
            var made = MessageText.Item(
                text: InlineReader.read(item.text, isOpen: isLast && item.inner.isEmpty), inner: nil)
            if !item.inner.isEmpty {
                let inner = item.inner.enumerated().map { place, text in
                    let isOpen = isLast && place == item.inner.count - 1
                    return MessageText.Item(text: InlineReader.read(text, isOpen: isOpen), inner: nil)
                }
                made.inner = MessageText.List(start: item.isNumbered ? 1 : nil, items: inner)
            }
            return made
        }
        return .list(MessageText.List(start: start, items: items))
    }
}

private struct ListItem {
    var indent: Int
    var number: Int?
    var text: [Unicode.Scalar]

    init?(_ line: [Unicode.Scalar]) {
        let rest = line.drop { $0 == " " }
        indent = line.count - rest.count
        let mark = rest.prefix { $0 != " " && $0 != "\t" }.prefix(5)
        guard let first = mark.first else { return nil }
        number = Self.number(mark)
        guard number != nil || (mark.count == 1 && ["-", "*", "\u{2022}"].contains(first)) else { return nil }
        let text = rest.dropFirst(mark.count).drop { $0 == " " || $0 == "\t" }
        guard text.count < rest.count - mark.count, let start = text.first, !Scalars.isSpace(start) else {
            return nil
        }
        self.text = Self.withBox(Array(text))
    }

    /// Replaces the box of a task list item, `[ ]` or `[x]`, with ☐ or ☑.
    private static func withBox(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard text.count > 3, text[0] == "[", text[2] == "]", text[3] == " " || text[3] == "\t" else {
            return text
        }
        switch text[1] {
        case " ": return ["\u{2610}"] + text[3...]
        case "x", "X": return ["\u{2611}"] + text[3...]
        default: return text
        }
    }

    /// Parses the number in a list mark such as `1.` or `12)`: at most three digits.
    static func number(_ mark: ArraySlice<Unicode.Scalar>) -> Int? {
        guard (2...4).contains(mark.count), mark.last == "." || mark.last == ")" else { return nil }
        return Int(Scalars.string(mark.dropLast())).flatMap {
            $0 >= 0 && Scalars.isDigit(mark[mark.startIndex]) ? $0 : nil
        }
    }
}
