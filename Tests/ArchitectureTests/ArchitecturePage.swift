/// `Shared/Docs/architecture.md`, taken apart: its sections, its tables, and what it names in them.
struct ArchitecturePage: Sendable {
    static let path = "Shared/Docs/architecture.md"
    /// What kinds of files have a name that ends so.
    private static let endings = [".swift", ".md", ".json", ".json5", "/"]

    let text: String
    /// The text below each heading of the second rank.
    private var sections: [String: String] = [:]

    init(_ text: String) {
        self.text = text
        var heading = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") {
                heading = String(line.dropFirst(3))
            } else {
                sections[heading, default: ""] += line + "\n"
            }
        }
    }

    func section(_ heading: String) -> String { sections[heading] ?? "" }

    /// The cells of the rows below a line that begins with `| heading |`, up to the end of that table.
    func rows(_ heading: String, in section: String) -> [[String]] {
        let lines = self.section(section).split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("| \(heading) |") }) else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst(2).dropLast(2).split(separator: " | ").map { Self.plain($0) }
        }
    }

    /// Without the marks of code.
    private static func plain(_ cell: Substring) -> String { cell.filter { $0 != "`" } }

    /// What stands between backticks, blocks of code aside.
    static func named(_ text: String) -> [String] {
        var isBlock = false
        return text.split(separator: "\n").flatMap { line -> [String] in
            if line.hasPrefix("```") { isBlock.toggle() }
            guard !isBlock, !line.hasPrefix("```") else { return [] }
            return line.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
                $0.offset % 2 == 1 ? String($0.element) : nil
            }
        }
    }

    /// The file or folder that `name` stands for: a whole path, or the end of exactly one.
    static func file(_ name: String, in paths: [String]) -> String? {
        if name.hasSuffix("/") { return paths.first { $0.hasPrefix(name) }.map { _ in name } }
        if paths.contains(name) { return name }
        let found = paths.filter { $0.hasSuffix("/" + name) }
        return found.count == 1 ? found[0] : nil
    }

    static func isFile(_ name: String) -> Bool { endings.contains { name.hasSuffix($0) } }

    /// Each function that a walk names, with the file named last before it.
    static func functions(_ walk: String) -> [(file: String, function: String)] {
        var file = ""
        var found: [(file: String, function: String)] = []
        for name in named(walk) {
            if name.hasSuffix(".swift") {
                file = name
            } else if name.first?.isLowercase == true, name.allSatisfy({ $0.isLetter || $0.isNumber }) {
                found.append((file, name))
            }
        }
        return found
    }
}
