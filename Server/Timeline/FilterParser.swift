import Clocks
import Patterns
import Texts

struct FilterParser {
    private let characters: [Character]
    private var index = 0
    private let byteCount: Int
    private let names: EventNames

    static let fields =
        ["dir", "kind", "type", "is", "since", "after", "before"]
        + FilterTest.NumberField.allCases.map(\.rawValue) + FilterTest.IDField.allCases.map(\.rawValue)

    init(_ text: String, _ names: EventNames) {
        self.names = names
        characters = Array(text)
        byteCount = text.utf8.count
    }

    mutating func terms() throws(FilterError) -> [FilterTerm] {
        guard byteCount <= TimelineLimits.filterBytes else {
            throw FilterError(.tooLong, at: 1, fix: "ask for less at once")
        }
        var terms: [FilterTerm] = []
        var steps = 0
        while true {
            while here?.isWhitespace == true { index += 1 }
            guard here != nil else { return terms }
            var isNegated = false
            if here == "-", let next = peek(1), !next.isWhitespace {
                isNegated = true
                index += 1
            }
            let start = index
            let test = try test()
            steps += test.stepsPerByte
            guard steps <= TimelineLimits.filterSteps else {
                throw FilterError(.tooCostly(steps), at: start + 1, fix: "leave out some terms")
            }
            terms.append(
                FilterTerm(
                    test: test, isNegated: isNegated, text: String(characters[start..<index]),
                    place: terms.count))
        }
    }

    // MARK: Terms

    private mutating func test() throws(FilterError) -> FilterTest {
        switch here {
        case "\"": return .text(FoldedText(try quoted()))
        case "/": return .pattern(try pattern())
        case "$" where peek(1) == "." || peek(1) == "[": return .path(try path())
        default:
            let start = index
            let name = letters()
            guard !name.isEmpty, here == ":" else {
                index = start
                return .text(FoldedText(wild: word()))
            }
            index += 1
            return try field(name.lowercased(), at: start)
        }
    }

    private mutating func field(_ name: String, at start: Int) throws(FilterError) -> FilterTest {
        guard Self.fields.contains(name) else {
            let likely = Spelling.nearest(to: name, in: Self.fields)
            index = start
            let whole = word()
            let fix = likely.map { "write \"\($0):\(whole.dropFirst(name.count + 1))\"" }
            throw FilterError(
                .unknownField(name), at: start + 1,
                fix: fix ?? "to search for it as text, write it in quotes: \"\(whole)\"")
        }
        let values = try values(of: name, at: start)
        if let number = FilterTest.NumberField(rawValue: name) {
            return .number(
                number,
                try values.map { (value) throws(FilterError) in
                    guard let range = NumberRange(value.text, field: number) else {
                        throw FilterError(
                            .badNumber(value.text, field: name), at: value.position,
                            fix: "write \(FilterExample.number(number))")
                    }
                    return range
                })
        }
        if let id = FilterTest.IDField(rawValue: name) {
            return .id(id, values.map { FilterTest.IDValue($0.text, isQuoted: $0.isQuoted, of: id) })
        }
        switch name {
        case "dir": return .direction(try choices(values, of: name))
        case "kind": return .kind(try choices(values, of: name))
        case "is": return .state(try choices(values, of: name))
        case "since": return .since(try length(values[0]))
        case "after", "before": return .time(try time(values[0], of: name), isAfter: name == "after")
        default:
            return .type(
                values.map {
                    NamePattern(names.short($0.text), kind: .type, isQuoted: $0.isQuoted, in: names)
                })
        }
    }

    // MARK: Values

    struct Value {
        var text: String
        var position: Int
        var isQuoted: Bool
    }

    private mutating func values(of name: String, at start: Int) throws(FilterError) -> [Value] {
        var values: [Value] = []
        repeat {
            if !values.isEmpty { index += 1 }
            let position = index + 1
            let isQuoted = here == "\""
            let text = isQuoted ? try quoted() : bare(until: ",")
            guard !text.isEmpty else {
                throw FilterError(
                    .missingValue(field: name), at: position,
                    fix: "write \"\(name == "type" ? "type:\(names.example)" : FilterExample.term(name))\"")
            }
            values.append(Value(text: text, position: position, isQuoted: isQuoted))
        } while here == ","
        return values
    }

    private func choices<Choice: RawRepresentable & CaseIterable>(
        _ values: [Value], of name: String
    ) throws(FilterError) -> [Choice] where Choice.RawValue == String {
        try values.map { (value) throws(FilterError) in
            let text = value.text.lowercased()
            if let choice = Choice(rawValue: FormerNames.rows[text] ?? text) { return choice }
            let known = Choice.allCases.map(\.rawValue)
            let likely = Spelling.nearest(to: value.text, in: known)
            throw FilterError(
                .unknownValue(value.text, field: name), at: value.position,
                fix: likely.map { "write \"\(name):\($0)\"" } ?? "use one of \(known.joined(separator: ", "))"
            )
        }
    }

    private static let lengths: [(name: String, factor: Int64)] = [
        ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    private func length(_ value: Value) throws(FilterError) -> Interval {
        guard let nanoseconds = NumberRange.number(value.text, Self.lengths) else {
            throw FilterError(
                .badTime(value.text, field: "since"), at: value.position,
                fix: "write a number with ms, s, m or h, such as since:30s")
        }
        return Interval(nanoseconds: nanoseconds)
    }

    private func time(_ value: Value, of name: String) throws(FilterError) -> FilterTest.TimeBound {
        if let instant = TimeStamp.parse(value.text) {
            return .instant(Instant(nanosecondsSince1970: instant))
        }
        // A time of day is parsed as a time on 1970-01-01.
        let full = value.text.utf8.count == 5 ? value.text + ":00" : value.text
        if let ofDay = TimeStamp.parse("1970-01-01T\(full)Z") { return .ofDay(Interval(nanoseconds: ofDay)) }
        throw FilterError(
            .badTime(value.text, field: name), at: value.position,
            fix: "write a time of day such as \(name):12:00:00, or 2026-01-15T12:00:00Z")
    }

    // MARK: Patterns and paths

    private mutating func pattern() throws(FilterError) -> RegularExpression {
        let start = index
        index += 1
        var body = ""
        // Position in the filter of each scalar of the expression.
        var places: [Int] = []
        while var next = here, next != "/" {
            // The escape `\/` belongs to the filter and loses its backslash. Other escapes are left to the expression.
            if next == "\\", let escaped = peek(1) {
                if escaped != "/" {
                    body.append(next)
                    places.append(index)
                }
                index += 1
                next = escaped
            }
            body.append(next)
            places += next.unicodeScalars.map { _ in index }
            index += 1
        }
        guard here == "/" else {
            throw FilterError(
                .unclosedPattern, at: start + 1,
                fix: "end it with \"/\", or write the text in quotes to find it as it stands")
        }
        index += 1
        let flags = bare(until: nil)
        guard flags.isEmpty || flags == "i" else {
            throw FilterError(
                .badPattern("has the flag \"\(flags)\""), at: index - flags.count + 1,
                fix: "use \"i\" to ignore case, or no flag")
        }
        do throws(PatternError) {
            return try RegularExpression(body, .filter(ignoresCase: flags == "i"))
        } catch {
            let before = String(decoding: body.utf8.prefix(error.offset), as: UTF8.self).unicodeScalars.count
            let place = before < places.count ? places[before] : start
            throw FilterError(.badPattern(error.reason), at: place + 1, fix: error.fix)
        }
    }

    private mutating func path() throws(FilterError) -> JSONPath {
        let start = index
        index += 1
        var steps: [JSONPath.Step] = []
        while let next = here, next == "." || next == "[" {
            index += 1
            if next == "." {
                let name = member()
                guard !name.isEmpty else { throw badPath(start) }
                steps.append(.member(name))
            } else {
                if here == "\"" {
                    steps.append(.member(try quoted()))
                } else if let number = Int(digits()) {
                    steps.append(.element(number))
                } else {
                    throw badPath(start)
                }
                guard here == "]" else { throw badPath(start) }
                index += 1
            }
        }
        guard let next = here, !next.isWhitespace else {
            return JSONPath(steps: steps, comparison: nil, value: "")
        }
        let rest = String(characters[index..<min(index + 2, characters.count)])
        let comparisons = JSONPath.Comparison.allCases
        guard let comparison = comparisons.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw badPath(start)
        }
        index += comparison.rawValue.count
        guard here != "\"" else { return JSONPath(steps: steps, comparison: comparison, value: try quoted()) }
        let value = bare(until: nil)
        let wild = value.contains("*") ? NamePattern(value, kind: .value, isQuoted: false) : nil
        return JSONPath(steps: steps, comparison: comparison, value: value, wild: wild)
    }

    private mutating func badPath(_ start: Int) -> FilterError {
        index = start
        return FilterError(
            .badPath(word()), at: start + 1,
            fix: "write names after dots and numbers in brackets, such as $.payload.events[0].type=X")
    }

    // MARK: Characters

    private var here: Character? { peek(0) }

    private func peek(_ offset: Int) -> Character? {
        index + offset < characters.count ? characters[index + offset] : nil
    }

    /// Reads a quoted text. A backslash escapes a quote or a backslash.
    private mutating func quoted() throws(FilterError) -> String {
        let start = index
        index += 1
        var text = ""
        while let next = here {
            index += 1
            if next == "\"" { return text }
            if next == "\\", let escaped = here, escaped == "\"" || escaped == "\\" {
                text.append(escaped)
                index += 1
            } else {
                text.append(next)
            }
        }
        throw FilterError(.unclosedQuote, at: start + 1, fix: "end the phrase with a quote")
    }

    private mutating func read(while isPart: (Character) -> Bool) -> String {
        let start = index
        while let next = here, isPart(next) { index += 1 }
        return String(characters[start..<index])
    }

    private mutating func word() -> String { bare(until: nil) }

    private mutating func bare(until end: Character?) -> String { read { !$0.isWhitespace && $0 != end } }

    private mutating func letters() -> String { read { $0.isASCII && $0.isLetter } }

    private mutating func digits() -> String { read { $0.isASCII && $0.isNumber } }

    private mutating func member() -> String {
        read { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
}
