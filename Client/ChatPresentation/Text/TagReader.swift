/// Tag parser, the first of two passes: replaces HTML tags outside of code with marks, new lines or list items.
struct TagReader {
    /// Maximum Unicode scalars of a tag.
    static let tagLimit = 2_048

    private let text: [Unicode.Scalar]
    private let isOpen: Bool
    private let lastEnd: Int
    private var out: [Unicode.Scalar] = []
    private var lists: [Bool] = []
    private var index = 0
    private var isLineStart = true
    /// Whether the position is between `<code>` and `</code>`.
    private var isInCode = false

    static func read(_ text: [Unicode.Scalar], isOpen: Bool) -> [Unicode.Scalar] {
        var reader = TagReader(text, isOpen: isOpen)
        reader.read()
        return reader.out
    }

    private init(_ text: [Unicode.Scalar], isOpen: Bool) {
        self.text = text
        self.isOpen = isOpen
        lastEnd = text.lastIndex(of: ">") ?? -1
    }

    private mutating func read() {
        while index < text.count {
            let first = text[index]
            if isLineStart, Fence.begins(text, at: index) {
                copy(to: fenceEnd())
            } else if first == "`" {
                copy(to: codeEnd())
            } else if first == "\\", !isInCode, index + 1 < text.count, Scalars.isPunctuation(text[index + 1])
            {
                copy(to: index + 2)
            } else if first == "<", let end = angledEnd() {
                out += [Mark.autolink] + text[(index + 1)..<(end - 1)] + [Mark.autolink]
                index = end
            } else if first == "<", opensTag() {
                guard readTag() else { return }
                continue
            } else {
                copy(to: index + 1)
            }
            isLineStart = first == "\n"
        }
    }

    private mutating func copy(to end: Int) {
        out += text[index..<end]
        index = end
    }

    // MARK: Code

    private func fenceEnd() -> Int {
        var line = text[index...].firstIndex(of: "\n")
        while let end = line, !Fence.begins(text, at: end + 1) {
            line = text[(end + 1)...].firstIndex(of: "\n")
        }
        return line.flatMap { text[($0 + 1)...].firstIndex(of: "\n") } ?? text.count
    }

    /// Returns the index after the closing backtick, or the next index if the paragraph has none.
    private func codeEnd() -> Int {
        var end = index + 1
        while end < text.count, text[end] != "`" {
            if text[end] == "\n", end + 1 < text.count, text[end + 1] == "\n" { return index + 1 }
            end += 1
        }
        return end < text.count ? end + 1 : index + 1
    }

    // MARK: Tags

    /// Returns the index after a URL in angle brackets, such as `<https://example.com>`.
    private func angledEnd() -> Int? {
        guard
            let start = ["http://", "https://"].first(where: { Scalars.hasPrefix(text, $0, at: index + 1) })
        else { return nil }
        let from = index + 1 + start.utf8.count
        var end = from
        while end < text.count, end - from <= 2_000, text[end] != "<", text[end] != ">",
            !Scalars.isSpace(text[end])
        { end += 1 }
        return end > from && end - from <= 2_000 && end < text.count && text[end] == ">" ? end + 1 : nil
    }

    private func opensTag() -> Bool {
        var place = index + 1
        if Scalars.hasPrefix(text, "!--", at: place) { return true }
        if place < text.count, text[place] == "/" { place += 1 }
        guard place < text.count else { return true }
        guard Scalars.isLetter(text[place]) else { return false }
        while place < text.count, Scalars.isWord(text[place]) { place += 1 }
        guard place < text.count else { return true }
        return text[place] == "/" || text[place] == ">" || Scalars.isSpace(text[place])
    }

    /// Reads a tag. Returns false if the rest of the text may be an incomplete tag.
    private mutating func readTag() -> Bool {
        if Scalars.hasPrefix(text, "<!--", at: index) {
            index = Scalars.find("-->", in: text, from: index).map { $0 + 3 } ?? text.count
            return true
        }
        guard index < lastEnd, let end = tagEnd() else {
            if isOpen, text.count - index < Self.tagLimit { return false }
            copy(to: index + 1)
            return true
        }
        let tag = Array(text[(index + 1)..<(end - 1)])
        index = end
        write(tag)
        return true
    }

    private func tagEnd() -> Int? {
        var quote: Unicode.Scalar?
        for place in (index + 1)..<min(text.count, index + Self.tagLimit) {
            let each = text[place]
            if let open = quote {
                if each == open { quote = nil }
            } else if each == ">" {
                return place + 1
            } else if each == "\"" || each == "'", text[place - 1] == "=" {
                quote = each
            }
        }
        return nil
    }

    private mutating func write(_ tag: [Unicode.Scalar]) {
        let isEnd = tag.first == "/"
        let name = Scalars.string(
            tag.dropFirst(isEnd ? 1 : 0).prefix(while: Scalars.isWord).map(Scalars.lowercased))
        switch name {
        case "b", "strong": out.append(isEnd ? Mark.strongEnd : Mark.strong)
        case "i", "em": out.append(isEnd ? Mark.emphasisEnd : Mark.emphasis)
        case "code":
            isInCode = !isEnd
            out.append(isEnd ? Mark.codeEnd : Mark.code)
        case "a" where isEnd: out.append(Mark.linkEnd)
        case "a": out += [Mark.link] + Self.address(tag).filter { !Mark.isMark($0) } + [Mark.linkText]
        case "br": out.append("\n")
        case "p": out += ["\n", "\n"]
        case "li" where !isEnd: writeItem()
        case "ul", "ol": writeList(isNumbered: name == "ol", isEnd: isEnd)
        case "script" where !isEnd, "style" where !isEnd:
            index = Scalars.find("</" + name, in: text, from: index) ?? text.count
        default: break
        }
    }

    private mutating func writeItem() {
        out.append("\n")
        out += String(repeating: "  ", count: max(0, lists.count - 1)).unicodeScalars
        out += (lists.last == true ? "1. " : "- ").unicodeScalars
    }

    private mutating func writeList(isNumbered: Bool, isEnd: Bool) {
        if isEnd {
            _ = lists.popLast()
        } else if lists.count < 8 {
            lists.append(isNumbered)
        }
        if lists.isEmpty || (!isEnd && lists.count == 1) { out += ["\n", "\n"] }
    }

    private static func address(_ tag: [Unicode.Scalar]) -> [Unicode.Scalar] {
        for start in tag.indices
        where Scalars.isSpace(tag[start]) && Scalars.hasPrefix(tag, "href", at: start + 1) {
            var place = start + 5
            while place < tag.count, Scalars.isSpace(tag[place]) { place += 1 }
            guard place < tag.count, tag[place] == "=" else { continue }
            place += 1
            while place < tag.count, Scalars.isSpace(tag[place]) { place += 1 }
            guard place < tag.count else { return [] }
            let quote = tag[place]
            if quote == "\"" || quote == "'", let end = tag[(place + 1)...].firstIndex(of: quote) {
                return Entity.decoded(tag[(place + 1)..<end])
            }
            return Entity.decoded(tag[place...].prefix { !Scalars.isSpace($0) && $0 != ">" })
        }
        return []
    }
}

/// A fence line of a code block: three backticks after at most three spaces.
enum Fence {
    static func begins(_ text: [Unicode.Scalar], at index: Int) -> Bool {
        var place = index
        while place < text.count, place < index + 3, text[place] == " " { place += 1 }
        return Scalars.hasPrefix(text, "```", at: place)
    }
}
