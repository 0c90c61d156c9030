/// The few marks of agent texts as looks of a terminal: bold, italic, code, links as text and address.
/// A mark that is not closed is shown as it is.
enum Markdown {
    /// `text` is visible text: nothing in it acts on a terminal.
    static func cells(_ text: String) -> [Cell] {
        var result: [Cell] = []
        var isCode = false
        var isFirst = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode.toggle()
                continue
            }
            if !isFirst { result.append(Cell(character: "\n", style: [])) }
            isFirst = false
            if isCode {
                result += [Cell].styled("    " + line, .code)
            } else {
                let heading = line.prefix { $0 == "#" }
                if (1...3).contains(heading.count), line.dropFirst(heading.count).first == " " {
                    result += inline(Array(line.dropFirst(heading.count + 1))[...], .bold)
                } else {
                    result += inline(Array(line)[...], [])
                }
            }
        }
        return result
    }

    private static func inline(_ text: ArraySlice<Character>, _ style: Style) -> [Cell] {
        var result: [Cell] = []
        var rest = text
        while let character = rest.first {
            if let (cells, length) = span(rest, style, after: result.last?.character) {
                result += cells
                rest = rest.dropFirst(length)
            } else {
                result.append(Cell(character: character, style: style))
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// A marked piece at the beginning of `text`, and how many characters it takes there.
    private static func span(
        _ text: ArraySlice<Character>, _ style: Style, after previous: Character?
    ) -> (cells: [Cell], length: Int)? {
        switch text.first {
        case "`":
            guard let inner = enclosed(text, "`") else { return nil }
            return (inner.map { Cell(character: $0, style: style.union(.code)) }, inner.count + 2)
        case "*":
            if let inner = enclosed(text, "**") {
                return (inline(inner, style.union(.bold)), inner.count + 4)
            }
            guard let inner = enclosed(text, "*") else { return nil }
            return (inline(inner, style.union(.italic)), inner.count + 2)
        case "_":
            // snake_case is no emphasis.
            guard previous.map({ !$0.isLetter && !$0.isNumber }) ?? true, let inner = enclosed(text, "_")
            else { return nil }
            return (inline(inner, style.union(.italic)), inner.count + 2)
        case "[": return link(text, style)
        default: return nil
        }
    }

    private static func enclosed(_ text: ArraySlice<Character>, _ mark: String) -> ArraySlice<Character>? {
        let mark = Array(mark)
        guard text.starts(with: mark) else { return nil }
        let inner = text.dropFirst(mark.count)
        guard let first = inner.first, first != " ", first != mark[0] else { return nil }
        var place = inner.startIndex
        while place < inner.endIndex {
            if inner[place...].starts(with: mark), inner[inner.index(before: place)] != " " {
                return inner[..<place]
            }
            place += 1
        }
        return nil
    }

    private static func link(
        _ text: ArraySlice<Character>, _ style: Style
    ) -> (cells: [Cell], length: Int)? {
        guard let close = text.firstIndex(of: "]"), close + 1 < text.endIndex, text[close + 1] == "(",
            let end = text[close...].firstIndex(of: ")")
        else { return nil }
        let title = text[(text.startIndex + 1)..<close]
        let address = String(text[(close + 2)..<end])
        guard !title.isEmpty, ["http://", "https://", "mailto:", "tel:"].contains(where: address.hasPrefix)
        else { return nil }
        let cells =
            inline(title, style.union(.underline))
            + (String(title) == address ? [] : [Cell].styled(" <\(address)>", style.union(.dim)))
        return (cells, end - text.startIndex + 1)
    }
}
