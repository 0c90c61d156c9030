#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Swift source with comments and string contents blanked out, so that only code is looked at.
///
/// Lines stay where they were. Code inside `\(...)` is kept. Regex literals are not known: a quote or `//`
/// inside one would be misread.
struct SwiftCode {
    private let code: ByteText

    init(_ source: ByteText) {
        var stripper = Stripper(source.bytes)
        code = ByteText(String(decoding: stripper.strip(), as: UTF8.self))
    }

    init(_ source: String) { self.init(ByteText(source)) }

    var lines: [Line] { Line.split(code.bytes) }

    /// The lines that have `needle`, see ``ByteText/words(_:endsAnywhere:)``.
    func lines(with needle: String) -> [Line] { code.lines(at: code.words(needle)) }

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
        lines(with: "import").flatMap { line in
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

    /// Numbers of the lines that have `needle`.
    func occurrences(of needle: String) -> [Int] { lines(with: needle).map(\.number) }

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

    /// A zero stands behind the end, for the C library.
    private let source: [UInt8]
    private let count: Int
    private var index = 0
    private var output: [UInt8]
    private var contexts: [Context] = [.code(parentheses: nil)]

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let pound = UInt8(ascii: "#")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")

    init(_ bytes: [UInt8]) {
        source = bytes + [0]
        count = bytes.count
        output = bytes
    }

    mutating func strip() -> [UInt8] {
        while index < count {
            switch contexts.last ?? .code(parentheses: nil) {
            case .code(let parentheses): stepInCode(parentheses)
            case .string(let pounds, let isMultiline): stepInString(pounds, isMultiline)
            }
        }
        return output
    }

    private mutating func stepInCode(_ parentheses: Int?) {
        // Where code may turn into something else, or back into a string.
        index += plainBytes("/\"#()")
        guard index < count else { return }
        let byte = source[index]
        if byte == Stripper.slash, at(Stripper.slash, 1) {
            blank(plainBytes("\n"))
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
            index += 1
        }
    }

    private mutating func stepInString(_ pounds: Int, _ isMultiline: Bool) {
        blank(plainBytes("\\\"\n"))
        guard index < count else { return }
        let byte = source[index]
        if byte == UInt8(ascii: "\\"), hasPounds(pounds, from: 1) {
            if at(UInt8(ascii: "("), 1 + pounds) {
                blank(1 + pounds)
                index += 1
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
        } while depth > 0 && index < count
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
        index + offset < count && source[index + offset] == byte
    }

    /// How many bytes from here on are none of `marks`.
    private func plainBytes(_ marks: String) -> Int {
        source.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return 0 }
            return base.withMemoryRebound(to: CChar.self, capacity: source.count) {
                strcspn($0 + index, marks)
            }
        }
    }

    /// Keeps line breaks, so that lines stay where they are.
    private mutating func blank(_ length: Int = 1) {
        let end = min(index + length, count)
        while index < end {
            if output[index] != Stripper.newline { output[index] = UInt8(ascii: " ") }
            index += 1
        }
    }
}
