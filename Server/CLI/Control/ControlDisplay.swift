import ControlClient
import FixtureTools
import Texts

/// Formatter of a server's answer for the terminal.
struct ControlDisplay: Equatable, Sendable {
    private let name: String
    /// A fixed sentence shown instead of the answer.
    private(set) var sentence: String?
    let show: @Sendable (JSONValue) -> ToolAnswer

    init(_ name: String, _ show: @escaping @Sendable (JSONValue) -> ToolAnswer) {
        self.name = name
        self.show = show
    }

    static let text = Self("text") { json in ToolAnswer(lines: [ValueText.compact(json)]) }

    static func done(_ sentence: String) -> Self {
        var display = Self("done") { _ in ToolAnswer(talk: [sentence]) }
        display.sentence = sentence
        return display
    }

    static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.sentence == right.sentence
    }

    func answer(_ answer: ControlAnswer) -> ToolAnswer {
        if let sentence { return ToolAnswer(talk: [sentence]) }
        guard self != .text, let json = answer.json else {
            return ToolAnswer(lines: Self.lines(of: answer.text))
        }
        return show(json)
    }

    /// Splits a text into lines, without a final line end.
    static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { String($0) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// Tables of the server's lists. A missing member is shown as a hyphen.
extension ControlDisplay {
    typealias Field = (column: TextTable.Column, text: (JSONValue) -> String)

    static func field(_ title: String, _ name: String, isNumber: Bool = false) -> Field {
        (TextTable.Column(title, isNumber: isNumber), { ValueText.text($0[name]) })
    }

    static func time(_ title: String, _ name: String) -> Field {
        (TextTable.Column(title), { ValueText.clockTime($0[name]) })
    }

    static func table(_ json: JSONValue, _ list: String, _ fields: [Field], empty: String) -> ToolAnswer {
        table(json[list]?.array ?? [], fields, empty: empty)
    }

    static func table(_ elements: [JSONValue], _ fields: [Field], empty: String) -> ToolAnswer {
        guard !elements.isEmpty else { return ToolAnswer(talk: [empty]) }
        // Rows merged from several servers have a `shard` member.
        let isShared = elements.contains { $0["shard"] != nil }
        let fields = (isShared ? [field("SHARD", "shard")] : []) + fields
        var table = TextTable(columns: fields.map(\.column))
        table.rows = elements.map { element in fields.map { $0.text(element) } }
        return ToolAnswer(lines: table.lines)
    }

    static func joined(_ value: JSONValue) -> String {
        guard let members = value.object?.members else { return ValueText.text(value) }
        return TextTable.oneLine(
            members.map { ValueText.text($0.value) }.filter { !$0.isEmpty }.joined(separator: "  "))
    }
}
