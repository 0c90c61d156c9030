/// Inline parser, the second of two passes: parses the text of one block or list item.
struct InlineReader {
    /// Maximum nesting of markup.
    static let depthLimit = 4

    enum Kind: Sendable {
        case root
        case strong
        case emphasis
        case link
    }

    struct Frame {
        var kind = Kind.root
        var delimiter = ""
        var address = ""
        var nodes: [MessageText.Inline] = []

        var isTag: Bool { delimiter.isEmpty }
    }

    let text: [Unicode.Scalar]
    /// Whether more text will follow.
    let isOpen: Bool
    let isPlain: Bool
    let isInLink: Bool
    var frames = [Frame()]
    var buffer: [Unicode.Scalar] = []
    var index = 0
    /// Index after an unsafe character. A URL that begins before it would contain the character.
    var oddIndex = 0
    /// The text with U+0000 in place of escaped characters, to find only unescaped brackets and parentheses.
    private let bare: [Unicode.Scalar]
    /// Index of the next `]`; ``bracketStart`` is the last `[` before it.
    private var bracketEnd = -1
    private var bracketStart = -1

    static func read(
        _ text: [Unicode.Scalar], isOpen: Bool, isPlain: Bool = false, isInLink: Bool = false
    ) -> [MessageText.Inline] {
        var reader = InlineReader(text: text, isOpen: isOpen, isPlain: isPlain, isInLink: isInLink)
        return reader.read()
    }

    private init(text: [Unicode.Scalar], isOpen: Bool, isPlain: Bool, isInLink: Bool) {
        self.text = text
        self.isOpen = isOpen
        self.isPlain = isPlain
        self.isInLink = isInLink
        bare = isPlain ? text : Scalars.withoutEscapes(text)
    }

    private mutating func read() -> [MessageText.Inline] {
        while index < text.count {
            let first = text[index]
            if Scalars.isWord(first) {
                if canBeginAddress, !isInsideLink, readAddress() { continue }
            } else if !isPlain, readMarked(first) {
                continue
            }
            buffer.append(first)
            index += 1
        }
        while frames.count > 1 { close(keeps: isOpen || frames[frames.count - 1].isTag) }
        flush()
        return frames[0].nodes
    }

    /// Reads markup at ``index``. Returns false if there is none.
    private mutating func readMarked(_ first: Unicode.Scalar) -> Bool {
        switch first {
        case "\\":
            guard isEscape(at: index) || (index + 1 < text.count && text[index + 1] == "\n") else {
                return false
            }
            buffer.append(text[index + 1])
            index += 2
        case "`": readCode()
        case "*", "_": readEmphasis(first)
        case "[": return !isInLink && readLink()
        case "&":
            guard let (scalars, end) = Entity.read(text, at: index) else { return false }
            buffer += scalars
            index = end
        default:
            guard Mark.isMark(first) else { return false }
            readTag(first)
        }
        return true
    }

    /// Whether a backslash escapes the punctuation mark after it (CommonMark 0.31, 2.4).
    func isEscape(at place: Int) -> Bool {
        text[place] == "\\" && place + 1 < text.count && Scalars.isPunctuation(text[place + 1])
    }

    /// Whether ``index`` is in the text of a link.
    private var isInsideLink: Bool { isInLink || place(of: .link, "") != nil }

    // MARK: Nodes

    mutating func put(_ node: MessageText.Inline) {
        flush()
        frames[frames.count - 1].nodes.append(node)
    }

    mutating func flush() {
        add(Scalars.string(buffer))
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ words: String) {
        guard !words.isEmpty else { return }
        let last = frames.count - 1
        if case .text(let before)? = frames[last].nodes.last {
            frames[last].nodes[frames[last].nodes.count - 1] = .text(before + words)
        } else {
            frames[last].nodes.append(.text(words))
        }
    }

    private mutating func add(_ nodes: [MessageText.Inline]) {
        for node in nodes {
            if case .text(let words) = node {
                add(words)
            } else {
                frames[frames.count - 1].nodes.append(node)
            }
        }
    }

    private mutating func push(_ frame: Frame) {
        flush()
        frames.append(frame)
    }

    /// Closes the innermost open element. If `keeps` is false, its opening delimiter becomes text.
    private mutating func close(keeps: Bool) {
        flush()
        let frame = frames.removeLast()
        guard keeps else {
            add(frame.delimiter)
            add(frame.nodes)
            return
        }
        guard !frame.nodes.isEmpty else { return }
        switch frame.kind {
        case .strong: add([.strong(frame.nodes)])
        case .emphasis: add([.emphasis(frame.nodes)])
        case .link: add([.link(frame.address, frame.nodes)])
        case .root: add(frame.nodes)
        }
    }

    private func place(of kind: Kind, _ delimiter: String) -> Int? {
        frames.lastIndex { $0.kind == kind && $0.delimiter == delimiter }
    }

    /// Closes the open element at `place`, and all elements inside it.
    private mutating func unwind(to place: Int) {
        while frames.count > place + 1 { close(keeps: frames[frames.count - 1].isTag) }
        close(keeps: true)
    }

    // MARK: Marks

    private mutating func readCode() {
        let end = text[(index + 1)...].firstIndex(of: "`")
        let isDouble = index + 1 < text.count && text[index + 1] == "`"
        guard !isDouble, end != nil || isOpen else {
            while index < text.count, text[index] == "`" {
                buffer.append("`")
                index += 1
            }
            return
        }
        let code = text[(index + 1)..<(end ?? text.count)].filter { !Mark.isMark($0) }
        if !code.isEmpty { put(.code(Scalars.string(code))) }
        index = end.map { $0 + 1 } ?? text.count
    }

    private mutating func readEmphasis(_ mark: Unicode.Scalar) {
        var run = text[index...].prefix { $0 == mark }.count
        let before = index > 0 ? text[index - 1] : " "
        let after = index + run < text.count ? text[index + run] : " "
        let closes = !Scalars.isSpace(before) && !(mark == "_" && Self.isLetterOrNumber(after))
        let opens = !Scalars.isSpace(after) && !(mark == "_" && Self.isLetterOrNumber(before))
        index += run
        let single = String(Character(mark))
        while run > 0 {
            let strong = run > 1 && closes ? place(of: .strong, single + single) ?? -1 : -1
            let emphasis = closes ? place(of: .emphasis, single) ?? -1 : -1
            if strong > emphasis || (strong > 0 && run == 2) {
                unwind(to: strong)
                run -= 2
            } else if emphasis > 0 {
                unwind(to: emphasis)
                run -= 1
            } else if opens, frames.count <= Self.depthLimit, run < 4 {
                let isStrong = run > 1
                push(
                    Frame(
                        kind: isStrong ? .strong : .emphasis, delimiter: isStrong ? single + single : single))
                run -= isStrong ? 2 : 1
            } else {
                buffer += repeatElement(mark, count: run)
                run = 0
            }
        }
    }

    private static func isLetterOrNumber(_ each: Unicode.Scalar) -> Bool {
        if each.isASCII { return Scalars.isWord(each) }
        switch each.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// Reads `[text](address "title")`. If the address is unsafe, only the text is kept.
    private mutating func readLink() -> Bool {
        if bracketEnd < index {
            bracketEnd = bare[index...].firstIndex(of: "]") ?? .max
            bracketStart = bracketEnd == .max ? -1 : bare[...bracketEnd].lastIndex(of: "[") ?? -1
        }
        let end = bracketEnd
        guard end < .max else {
            if isOpen { index += 1 }
            return isOpen
        }
        guard bracketStart == index else { return false }
        let hasAddress = end + 1 < text.count && text[end + 1] == "("
        guard hasAddress || (isOpen && end + 1 == text.count) else { return false }
        var close = end + 2
        var level = 1
        while close < text.count, close < end + TagReader.tagLimit {
            if bare[close] == "(" { level += 1 }
            if bare[close] == ")" { level -= 1 }
            if level == 0 { break }
            close += 1
        }
        let isWhole = close < text.count && text[close] == ")"
        guard isWhole || isOpen else { return false }
        let label = Self.read(Array(text[(index + 1)..<end]), isOpen: false, isInLink: true)
        flush()
        if isWhole, let address = SafeAddress.link(Self.address(Array(text[(end + 2)..<close]))) {
            add([.link(address, label.isEmpty ? [.text(address)] : label)])
        } else {
            add(label)
        }
        index = isWhole ? close + 1 : text.count
        return true
    }

    private static func address(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let text = Scalars.trimmed(text.filter { !Mark.isMark($0) })
        if text.last == "\"", let quote = text.dropLast().lastIndex(of: "\""), quote > 0,
            Scalars.isSpace(text[quote - 1])
        {
            return Entity.unescaped(Scalars.trimmed(Array(text[..<quote])))
        }
        return Entity.unescaped(text)
    }

    private mutating func readTag(_ mark: Unicode.Scalar) {
        index += 1
        switch mark {
        case Mark.strong: pushTag(Frame(kind: .strong))
        case Mark.emphasis: pushTag(Frame(kind: .emphasis))
        case Mark.strongEnd: endTag(.strong)
        case Mark.emphasisEnd: endTag(.emphasis)
        case Mark.linkEnd: endTag(.link)
        case Mark.autolink:
            let end = text[index...].firstIndex(of: Mark.autolink) ?? text.count
            let words = Entity.decoded(text[index..<end])
            index = min(end + 1, text.count)
            if !isInsideLink, let address = SafeAddress.link(words) {
                put(.link(address, [.text(Scalars.string(words))]))
            } else {
                buffer += words
            }
        case Mark.code:
            let end = text[index...].firstIndex(of: Mark.codeEnd)
            let code = Entity.decoded(text[index..<(end ?? text.count)].filter { !Mark.isMark($0) })
            if !code.isEmpty { put(.code(Scalars.string(code))) }
            index = end.map { $0 + 1 } ?? text.count
        case Mark.link:
            let end = text[index...].firstIndex(of: Mark.linkText) ?? text.count
            let address = SafeAddress.link(text[index..<end])
            index = min(end + 1, text.count)
            guard let address, !isInsideLink else { return }
            pushTag(Frame(kind: .link, address: address))
        default: break
        }
    }

    private mutating func pushTag(_ frame: Frame) {
        if frames.count <= Self.depthLimit { push(frame) }
    }

    private mutating func endTag(_ kind: Kind) {
        if let place = place(of: kind, "") { unwind(to: place) }
    }
}
