import ChatPresentation
import Texts

enum Markdown {
    /// Returns styled cells. Terminal control characters are escaped.
    static func cells(_ text: String) -> [Cell] {
        var result: [Cell] = []
        var isBehindList: Bool?
        for block in MessageText.parse(text) {
            var isList = false
            if case .list = block { isList = true }
            // Paragraphs are separated by an empty line; lists are not.
            if let isBehindList { result += [Cell].styled(isList || isBehindList ? "\n" : "\n\n") }
            isBehindList = isList
            switch block {
            case .paragraph(let inlines): result += cells(inlines, [])
            case .code(let code, _):
                let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
                result += visible(lines.joined(separator: "\n"), .code)
            case .list(let list): result += cells(list, indent: "")
            }
        }
        return result
    }

    private static func cells(_ list: MessageText.List, indent: String) -> [Cell] {
        var result: [Cell] = []
        for (index, item) in list.items.enumerated() {
            if index > 0 { result += [Cell].styled("\n") }
            result += [Cell].styled(indent + (list.start.map { "\($0 + index). " } ?? "- "))
            result += cells(item.text, [])
            if let inner = item.inner { result += [Cell].styled("\n") + cells(inner, indent: indent + "  ") }
        }
        return result
    }

    private static func cells(_ inlines: [MessageText.Inline], _ style: Style) -> [Cell] {
        inlines.flatMap { inline in
            switch inline {
            case .text(let text): visible(text, style)
            case .code(let code): visible(code, style.union(.code))
            case .strong(let inner): cells(inner, style.union(.bold))
            case .emphasis(let inner): cells(inner, style.union(.italic))
            case .link(let address, let inner):
                cells(inner, style.union(.underline))
                    + (isShown(address, in: inner) ? [] : visible(" <\(address)>", style.union(.dim)))
            }
        }
    }

    /// Whether the link's text is its address.
    private static func isShown(_ address: String, in inlines: [MessageText.Inline]) -> Bool {
        let words = MessageText.plain(inlines)
        return words == address || "mailto:" + words == address
    }

    private static func visible(_ text: String, _ style: Style) -> [Cell] {
        .styled(ForeignText.talkLines(text), style)
    }
}
