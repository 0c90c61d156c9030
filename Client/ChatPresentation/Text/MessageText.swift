/// Parser of an agent's text: Markdown with a small part of HTML, in linear time.
///
/// | markup | result |
/// | --- | --- |
/// | lines, `<p>`, `<br>`, an empty line | paragraphs with their new lines |
/// | `**x**` `__x__` `<b>` `<strong>`, `*x*` `_x_` `<i>` `<em>` | strong, emphasis |
/// | `` `x` `` `<code>`, a fence of three backticks | code, with the language of the fence |
/// | `-` `*` `•` `1.` `1)`, `<ul>` `<ol>` `<li>` | lists, at most two levels; task boxes `[ ]` and `[x]` as ☐ and ☑ |
/// | `#` to `######` | a strong paragraph |
/// | `[x](address)`, `<a href>`, URLs, `tel:`, e-mail | links: http, https, mailto, tel; others are text |
/// | `&amp;` and other entities, `&#42;`, `\*` | characters (CommonMark 0.31, 2.4 and 2.5) |
/// | other tags | removed; `script` and `style` with their content |
/// | a list in a list in a list | its items belong to the second level |
/// | tables, quotes, rules, `~~x~~`, `www.` without a scheme | unchanged text |
///
/// A bare URL ends before white space, `<`, `>`, `"`, a backtick, and before brackets, quotation marks and punctuation
/// outside ASCII.
///
/// ```swift
/// MessageText.parse("Hello **there**") == [.paragraph([.text("Hello "), .strong([.text("there")])])]
/// ```
public enum MessageText {
    /// An inline element.
    public indirect enum Inline: Equatable, Sendable {
        case text(String)
        case strong([Inline])
        case emphasis([Inline])
        case code(String)
        /// A safe URL and the visible content.
        case link(String, [Inline])
    }

    /// An item of a list.
    public struct Item: Equatable, Sendable {
        /// The text of the item.
        public var text: [Inline]
        /// The nested list. Its items contain no further lists.
        public var inner: List?
    }

    /// A list.
    public struct List: Equatable, Sendable {
        /// The number of the first item; nil for a list without numbers.
        public var start: Int?
        /// The items, at least one.
        public var items: [Item]
    }

    /// A block.
    public enum Block: Equatable, Sendable {
        case paragraph([Inline])
        /// The language is the name after the opening fence.
        case code(String, language: String?)
        case list(List)
    }

    /// Maximum Unicode scalars that are parsed; the rest is shown literally.
    public static let limit = 65_536

    /// Parses a text. If `isOpen` is true, more text will follow: unclosed markup at the end looks closed, and
    /// ambiguous characters at the end are left out. ``MessageTextReader`` parses incrementally.
    public static func parse(_ text: String, isOpen: Bool = false) -> [Block] {
        var reader = MessageTextReader()
        return reader.read(text, isOpen: isOpen)
    }

    /// Parses a user's text, in which only addresses are recognised.
    public static func literal(_ text: String) -> [Block] {
        let scalars = text.unicodeScalars.prefix(limit).map { Mark.isMark($0) ? "\u{FFFD}" : $0 }
        var inlines = InlineReader.read(scalars, isOpen: false, isPlain: true)
        let rest = String(text.unicodeScalars.dropFirst(limit))
        if case .text(let words)? = inlines.last {
            inlines[inlines.count - 1] = .text(words + rest)
        } else if !rest.isEmpty {
            inlines.append(.text(rest))
        }
        return [.paragraph(inlines)]
    }

    /// Returns the plain text. Each block and each list item begins a new line.
    public static func plain(_ blocks: [Block]) -> String {
        var lines: [String] = []
        for block in blocks {
            switch block {
            case .paragraph(let inlines): lines.append(plain(inlines))
            case .code(let code, _): lines.append(code)
            case .list(let list):
                for item in list.items {
                    lines.append(plain(item.text))
                    lines += (item.inner?.items ?? []).map { plain($0.text) }
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the plain text of inline elements.
    public static func plain(_ inlines: [Inline]) -> String {
        inlines.map { inline in
            switch inline {
            case .text(let text), .code(let text): text
            case .strong(let inner), .emphasis(let inner), .link(_, let inner): plain(inner)
            }
        }.joined()
    }
}

/// Incremental parser of a growing text. Unchanged blocks are not parsed again.
///
/// ```swift
/// var reader = MessageTextReader()
/// var text = ""
/// for chunk in chunks {
///     text += chunk
///     show(reader.read(text, isOpen: true))
/// }
/// show(reader.read(text))                     // the same as MessageText.parse(text)
/// ```
public struct MessageTextReader: Sendable {
    struct Known: Sendable {
        var source: BlockSource
        var block: MessageText.Block
    }

    private var known: [Known] = []
    private(set) var madeCount = 0

    /// Makes a reader without text.
    public init() {}

    /// Parses the whole text so far; see ``MessageText/parse(_:isOpen:)``.
    public mutating func read(_ text: String, isOpen: Bool = false) -> [MessageText.Block] {
        var scalars = Array(text.unicodeScalars.prefix(MessageText.limit))
        let rest = text.unicodeScalars.dropFirst(MessageText.limit)
        Self.clean(&scalars)
        let sources = BlockReader.sources(scalars, isOpen: isOpen)
        var read: [Known] = []
        for (index, source) in sources.enumerated() {
            if index < known.count, known[index].source == source {
                read.append(known[index])
            } else {
                madeCount += 1
                read.append(Known(source: source, block: BlockReader.block(source)))
            }
        }
        known = read
        let blocks = read.map(\.block).filter { block in
            switch block {
            case .paragraph(let inlines): !inlines.isEmpty
            case .list, .code: true
            }
        }
        return rest.isEmpty ? blocks : blocks + [.paragraph([.text(Scalars.string(rest))])]
    }

    /// Replaces line ends with "\n", and the code points of ``Mark`` with U+FFFD.
    private static func clean(_ text: inout [Unicode.Scalar]) {
        var length = 0
        var isBehindReturn = false
        for each in text {
            defer { isBehindReturn = each == "\r" }
            if each == "\n", isBehindReturn { continue }
            text[length] = each == "\r" ? "\n" : Mark.isMark(each) ? "\u{FFFD}" : each
            length += 1
        }
        text.removeLast(text.count - length)
    }
}

/// Noncharacters (Unicode) that stand for tags between the two passes of the parser.
enum Mark {
    static let strong = scalar(0xFDD0)
    static let strongEnd = scalar(0xFDD1)
    static let emphasis = scalar(0xFDD2)
    static let emphasisEnd = scalar(0xFDD3)
    static let code = scalar(0xFDD4)
    static let codeEnd = scalar(0xFDD5)
    static let link = scalar(0xFDD6)
    static let linkText = scalar(0xFDD7)
    static let linkEnd = scalar(0xFDD8)
    /// Mark that stands before and after a URL that was in angle brackets.
    static let autolink = scalar(0xFDD9)

    private static func scalar(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "\u{FFFD}" }

    static func isMark(_ each: Unicode.Scalar) -> Bool { (0xFDD0...0xFDEF).contains(each.value) }
}
