package struct JSON5Value: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        case null
        case boolean(Bool)
        /// A number, which may be Infinity or NaN.
        case number(Double)
        case text(String)
        case list([JSON5Value])
        /// Members in the order of the file.
        case object([JSON5Member])
    }

    package var content: Content
    /// Byte range of the value in the file, including quotes and brackets.
    package var range: Range<Int>

    package init(_ content: Content, range: Range<Int>) {
        self.content = content
        self.range = range
    }

    package var start: Int { range.lowerBound }

    /// Returns the value of the member `name`; nil if there is none.
    package subscript(name: String) -> JSON5Value? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.name == name }?.value
    }

    var isFlag: Bool { if case .boolean = content { true } else { false } }

    package var kindName: String {
        switch content {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "a block"
        }
    }
}

package struct JSON5Member: Equatable, Sendable {
    package var name: String
    /// Byte offset of the member's name, or of its opening quote.
    package var nameStart: Int
    package var value: JSON5Value

    func renamed(_ name: String) -> Self { Self(name: name, nameStart: nameStart, value: value) }
}

/// Comment for the linter: the text after `// lint:`.
package struct JSON5LintComment: Equatable, Sendable {
    package var text: String
    /// Byte offset of the first slash.
    package var start: Int
    /// Whether only white space precedes the comment on its line.
    package var isAlone: Bool
}

package struct JSON5Problem: Error, Equatable, Sendable {
    package enum Kind: String, Sendable {
        case syntax
        case duplicateName = "duplicate-key"
    }

    package var kind: Kind
    package var offset: Int
    package var message: String
    /// The only correction. Nil if none is sure.
    package var correction: Correction?

    /// Text that replaces a range of bytes on one line.
    package struct Correction: Equatable, Sendable {
        package var range: Range<Int>
        package var text: String
    }

    package init(
        _ message: String, at offset: Int, kind: Kind = .syntax, correction: Correction? = nil
    ) {
        self.kind = kind
        self.offset = offset
        self.message = message
        self.correction = correction
    }
}
