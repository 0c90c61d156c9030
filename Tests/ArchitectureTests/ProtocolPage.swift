/// `Shared/Docs/protocol.md`, taken apart into its statements, and what cites them.
struct ProtocolPage {
    struct Statement {
        /// The heading: `token-expiry`.
        var anchor: String
        var text: String
        /// `documented`, `observed` or `assumed`; nil when the last paragraph is no tag.
        var tag: String?
        /// What stands in brackets behind the tag.
        var source: String
    }

    static let path = "Shared/Docs/protocol.md"
    /// The page of what no vendor has.
    static let extensions = "Shared/Docs/extensions.md"
    static let tags: Set<String> = ["documented", "observed", "assumed"]

    var statements: [Statement] = []
    /// First cells of the table of public pages.
    var pages: Set<String> = []

    init(_ text: String) {
        var isOpen = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#### ") {
                let anchor = String(line.dropFirst(5))
                statements.append(Statement(anchor: anchor, text: "", tag: nil, source: ""))
                isOpen = true
            } else if line.hasPrefix("#") {
                isOpen = false
            } else if statements.isEmpty {
                let cells = line.split(separator: "|")
                if line.hasPrefix("| "), let name = cells.first { pages.insert(Self.trimmed(name)) }
            } else if isOpen {
                statements[statements.count - 1].text += line + "\n"
            }
        }
        for index in statements.indices { statements[index].split() }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The headings of a page, as links name them: lower case, hyphens for blanks, no other signs.
    static func anchors(of page: String) -> Set<String> {
        let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                return String(
                    words.compactMap { sign -> Character? in
                        if sign == " " { return "-" }
                        return sign.isLetter || sign.isNumber || sign == "-" || sign == "_" ? sign : nil
                    })
            })
    }

    /// The anchors of `page` that a text cites: what follows `protocol.md#` or the like.
    static func cited(_ page: String, in text: ByteText) -> Set<String> {
        let anchors = text.places(of: page + "#").map { start in
            text.bytes[(start + page.utf8.count + 1)...].prefix(while: isAnchorPart)
        }
        return Set(anchors.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) })
    }

    /// The anchors that the comments right above tests and suites name, and no others.
    static func shown(in source: String, of page: String = "protocol.md") -> Set<String> {
        var found: Set<String> = []
        var comment = ""
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("/// ") {
                comment += words.dropFirst(4) + "\n"
                continue
            }
            if words.hasPrefix("@Test") || words.hasPrefix("@Suite") {
                found.formUnion(cited(page, in: ByteText(comment)))
            }
            comment = ""
        }
        return found
    }

    private static func isAnchorPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}

extension ProtocolPage.Statement {
    /// Takes the last paragraph off the text, where it is a tag with its source.
    mutating func split() {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard let start = lines.lastIndex(where: { $0.hasPrefix("**") }) else { return }
        let last = lines[start...].joined(separator: " ")
        let parts = last.split(separator: "** (", maxSplits: 1)
        guard parts.count == 2, last.hasSuffix(")") else { return }
        tag = String(parts[0].dropFirst(2))
        source = String(parts[1].dropLast())
        text = lines[..<start].joined(separator: " ")
    }
}

/// Citations of pages that are not in the repository.
enum AbsentPages {
    /// Spelled in halves, so that this file passes its own rule.
    static let names = [
        "poly" + "-messaging", "chat" + "-ui", "client" + "-sdk", "connect" + "-client",
        "mock" + "-server.md",
    ]
    /// What a number follows: ids of lists, and sections of pages.
    static let numbered = ["M" + "S-", "A" + "H-", "T" + "S-", "mock" + "-server ", "fixtures" + " "]

    /// Lines of `text` that cite one.
    static func lines(_ text: ByteText) -> [Int] {
        let ids = numbered.flatMap { mark in
            text.words(mark, endsAnywhere: true).filter { start in
                let end = start + mark.utf8.count
                return end < text.bytes.count && 0x30...0x39 ~= text.bytes[end]
            }
        }
        return text.lines(at: ids + names.flatMap { text.words($0) }).map(\.number)
    }
}
