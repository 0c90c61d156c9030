/// Swift source with comments and string contents blanked out, so that only code is looked at.
///
/// Lines stay where they were. Code inside `\(...)` is kept. Regex literals are not known: a quote or `//`
/// inside one would be misread.
struct SwiftCode {
    let lines: [Line]
    /// Every word of the code, so that most searches end here.
    private let words: Set<ArraySlice<UInt8>>

    init(_ source: String) {
        var stripper = Stripper(source)
        let code = stripper.strip()
        lines = Line.split(code)
        words = SwiftCode.words(of: code)
    }

    /// False only when `needle` certainly does not occur.
    func mayContain(_ needle: String) -> Bool {
        SwiftCode.words(of: Array(needle.utf8)).isSubset(of: words)
    }

    private static func words(of bytes: [UInt8]) -> Set<ArraySlice<UInt8>> {
        Set(bytes.split { !Line.isWordPart($0) })
    }

    /// The lines outside `#if` blocks.
    var unconditionalLines: [Line] {
        var depth = 0
        return lines.filter { line in
            let start = line.bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard start.first == UInt8(ascii: "#") else { return depth == 0 }
            if start.starts(with: "#if ".utf8) || start.starts(with: "#if(".utf8) { depth += 1 }
            if start.starts(with: "#endif".utf8) { depth -= 1 }
            return depth == 0
        }
    }

    /// The modules that are imported, with their lines; `import struct A.B` counts as `A`.
    var imports: [(number: Int, module: String)] {
        lines.filter { $0.hasWord("import") }.flatMap { line in
            line.text.split(separator: ";").compactMap { SwiftCode.importedModule($0) }.map {
                (line.number, $0)
            }
        }
    }

    private static func importedModule(_ statement: Substring) -> String? {
        let words = statement.split { $0 == " " || $0 == "\t" }
        guard let keyword = words.firstIndex(of: "import"),
            words[..<keyword].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
        else { return nil }
        let rest = words[(keyword + 1)...].drop { importKinds.contains($0) }
        return rest.first?.split(separator: ".").first.map(String.init)
    }

    /// Numbers of the lines that have `needle`, see ``Line/words(_:)``.
    func occurrences(of needle: String) -> [Int] {
        mayContain(needle) ? lines.filter { $0.hasWord(needle) }.map(\.number) : []
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let importKinds: Set<Substring> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
    ]
}

/// Replaces comments and string contents by blanks.
private struct Stripper {
    private enum Context {
        /// `parentheses`: how many are open since the interpolation began; nil at the top.
        case code(parentheses: Int?)
        case string(pounds: Int, isMultiline: Bool)
    }

    private let source: [UInt8]
    private var index = 0
    private var output: [UInt8] = []
    private var contexts: [Context] = [.code(parentheses: nil)]

    /// Where code may turn into something else, or back into a string.
    private static let marksInCode = table("/\"#()")
    private static let marksInStrings = table("\\\"\n")
    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let pound = UInt8(ascii: "#")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")

    private static func table(_ marks: String) -> [Bool] {
        (0..<256).map { byte in marks.utf8.contains(UInt8(byte)) }
    }

    init(_ text: String) {
        source = Array(text.utf8)
        output.reserveCapacity(source.count)
    }

    mutating func strip() -> [UInt8] {
        while index < source.count {
            switch contexts.last ?? .code(parentheses: nil) {
            case .code(let parentheses): stepInCode(parentheses)
            case .string(let pounds, let isMultiline): stepInString(pounds, isMultiline)
            }
        }
        return output
    }

    private mutating func stepInCode(_ parentheses: Int?) {
        let plainEnd = source[index...].firstIndex { Stripper.marksInCode[Int($0)] } ?? source.count
        output.append(contentsOf: source[index..<plainEnd])
        index = plainEnd
        guard index < source.count else { return }
        let byte = source[index]
        if byte == Stripper.slash, at(Stripper.slash, 1) {
            blank((source[index...].firstIndex(of: Stripper.newline) ?? source.count) - index)
        } else if byte == Stripper.slash, at(Stripper.star, 1) {
            skipBlockComment()
        } else if byte == Stripper.quote || byte == Stripper.pound, let opening = openingQuote() {
            blank(opening.pounds + (opening.isMultiline ? 3 : 1))
            contexts.append(.string(pounds: opening.pounds, isMultiline: opening.isMultiline))
        } else {
            if let parentheses {
                let change = byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
                contexts[contexts.count - 1] = .code(parentheses: parentheses + change)
                if parentheses + change == 0 { contexts.removeLast() }
            }
            keep()
        }
    }

    private mutating func stepInString(_ pounds: Int, _ isMultiline: Bool) {
        let plainEnd = source[index...].firstIndex { Stripper.marksInStrings[Int($0)] } ?? source.count
        blank(plainEnd - index)
        guard index < source.count else { return }
        let byte = source[index]
        if byte == UInt8(ascii: "\\"), hasPounds(pounds, from: 1) {
            if at(UInt8(ascii: "("), 1 + pounds) {
                blank(1 + pounds)
                keep()
                contexts.append(.code(parentheses: 1))
            } else {
                blank(2 + pounds)
            }
        } else if byte == Stripper.quote, closes(pounds, isMultiline) {
            blank(pounds + (isMultiline ? 3 : 1))
            contexts.removeLast()
        } else {
            if byte == Stripper.newline, !isMultiline { contexts.removeLast() }
            blank()
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if at(Stripper.slash, 0), at(Stripper.star, 1) {
                depth += 1
                blank(2)
            } else if at(Stripper.star, 0), at(Stripper.slash, 1) {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < source.count
    }

    private func openingQuote() -> (pounds: Int, isMultiline: Bool)? {
        var pounds = 0
        while at(Stripper.pound, pounds) { pounds += 1 }
        guard at(Stripper.quote, pounds) else { return nil }
        return (pounds, at(Stripper.quote, pounds + 1) && at(Stripper.quote, pounds + 2))
    }

    private func closes(_ pounds: Int, _ isMultiline: Bool) -> Bool {
        guard isMultiline else { return hasPounds(pounds, from: 1) }
        return at(Stripper.quote, 1) && at(Stripper.quote, 2) && hasPounds(pounds, from: 3)
    }

    private func hasPounds(_ count: Int, from offset: Int) -> Bool {
        (0..<count).allSatisfy { at(Stripper.pound, offset + $0) }
    }

    private func at(_ byte: UInt8, _ offset: Int) -> Bool {
        index + offset < source.count && source[index + offset] == byte
    }

    private mutating func keep() {
        output.append(source[index])
        index += 1
    }

    /// Keeps line breaks, so that lines stay where they are.
    private mutating func blank(_ count: Int = 1) {
        let end = min(index + count, source.count)
        while index < end {
            let stop = source[index..<end].firstIndex(of: Stripper.newline) ?? end
            output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: stop - index))
            if stop < end { output.append(Stripper.newline) }
            index = min(stop + 1, end)
        }
    }
}
