package import Clocks
package import Texts

/// Error for an invalid value, with a sentence for the user.
package struct ValueMistake: Error {
    package var code: FindingCode
    package var sentence: String
    /// The likely spelling of a misspelt word.
    var meant: String?

    init(_ sentence: String, _ code: FindingCode = .wrongType, meant: String? = nil) {
        self.code = code
        self.meant = meant
        self.sentence = sentence
    }
}

/// Reader of one value of a fixture, a settings file or a request.
package struct ValueReader {
    let value: JSON5Value
    /// Quoted name of the value, for messages.
    let name: String
    let source: () -> String
    /// Whether the caller discards the error.
    let isMute: Bool

    package init(_ value: JSONValue, named name: String) {
        self.init(
            JSON5Value(shallow: value), named: name,
            source: String(decoding: JSONWriter.bytes(value), as: UTF8.self))
    }

    package init(
        _ value: JSON5Value, named name: String, source: @escaping @autoclosure () -> String,
        isMute: Bool = false
    ) {
        (self.value, self.name, self.source, self.isMute) = (value, name, source, isMute)
    }

    package func text() throws(ValueMistake) -> String {
        guard case .text(let text) = value.content else { throw wanted("a text") }
        return text
    }

    package func filledText() throws(ValueMistake) -> String {
        let text = try text()
        guard !text.isEmpty else { throw ValueMistake("\(name) must not be empty.") }
        return text
    }

    package func flag() throws(ValueMistake) -> Bool {
        guard case .boolean(let flag) = value.content else { throw wanted("true or false") }
        return flag
    }

    package func list() throws(ValueMistake) -> [JSON5Value] {
        guard case .list(let items) = value.content else { throw wanted("a list in [ ]") }
        return items
    }

    package func number() throws(ValueMistake) -> Double {
        guard case .number(let number) = value.content else { throw wanted("a number") }
        guard number.isFinite else { throw ValueMistake("\(name) must be a number that ends.") }
        return number
    }

    package func number(in range: ClosedRange<Int>) throws(ValueMistake) -> Double {
        let number = try number()
        guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
            throw outside(range, "a number")
        }
        return number
    }

    package func whole(in range: ClosedRange<Int>) throws(ValueMistake) -> Int {
        guard let whole = Int(exactly: try number()), range.contains(whole) else {
            throw outside(range, "a whole number")
        }
        return whole
    }

    package func word(among known: [String]) throws(ValueMistake) -> String {
        let list = "It can be \(MessageFormat.alternatives(known.prefix(40).map { "\"\($0)\"" }))."
        guard case .text(let text) = value.content else {
            throw ValueMistake("\(wanted("a text").sentence) \(list)")
        }
        if known.contains(text) { return text }
        let meant = isMute ? nil : NearestName.suggestion(for: text, among: known)
        let help = meant.map { "Did you mean \"\($0)\"?" } ?? list
        throw ValueMistake(
            "\(name) cannot be \"\(MessageFormat.shortened(text))\". \(help)", .unknownName, meant: meant)
    }

    package func interval() throws(ValueMistake) -> Interval {
        let form = "Write \"800ms\", \"2s\", \"5m\" or \"1h\"."
        switch value.content {
        case .text(let text):
            if let interval = ValueSyntax.interval(text) { return interval }
            let meant = isMute ? nil : ValueSyntax.intervalMeant(by: text)
            let help = meant.map { "Write \"\($0)\"." } ?? form
            throw ValueMistake(
                "\"\(MessageFormat.shortened(text))\" is not a length of time. \(help)", .duration,
                meant: meant)
        case .number(let number):
            guard number >= 0 else {
                throw ValueMistake("\(shortened) is not a length of time. \(form)", .duration)
            }
            throw ValueMistake(
                "\(shortened) has no unit. Write \"\(shortened)s\" for seconds, or \"\(shortened)ms\" for milliseconds.",
                .duration)
        default:
            throw ValueMistake("\(name) must be a length of time, not \(value.kindName). \(form)")
        }
    }

    /// Returns the error for a value of the wrong type.
    package func wanted(_ kind: String) -> ValueMistake {
        ValueMistake("\(name) must be \(kind), not \(value.kindName).")
    }

    private func outside(_ range: ClosedRange<Int>, _ kind: String) -> ValueMistake {
        ValueMistake(
            "\(name) must be \(kind) from \(range.lowerBound) to \(range.upperBound), not \(shortened).")
    }

    private var shortened: String { MessageFormat.shortened(source()) }

    /// Returns a question such as `Did you mean "suggest"?`; nil if no name is similar.
    package static func didYouMean(_ name: String, among names: some Sequence<String>) -> String? {
        NearestName.suggestion(for: name, among: names).map { "Did you mean \"\($0)\"?" }
    }
}

extension JSON5Value {
    /// Converts a JSON value. Lists and objects lose their contents.
    fileprivate init(shallow value: JSONValue) {
        let content: Content =
            switch value {
            case .null: .null
            case .bool(let flag): .boolean(flag)
            case .integer(let number): .number(Double(number))
            case .double(let number): .number(number)
            case .string(let text): .text(text)
            case .array: .list([])
            case .object: .object([])
            }
        self.init(content, range: 0..<0)
    }
}
