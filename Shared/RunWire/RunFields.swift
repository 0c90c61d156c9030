package import Texts

/// Format error of an event or request, with the path of the wrong field.
package struct RunFormatError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Problem: Equatable, Sendable {
        case json(JSONError)
        case missing
        case wrong(expected: String)
    }

    package var type: String?
    /// Path such as `messages[2].content`. Empty if the error concerns the whole object.
    package var path: String
    package var problem: Problem

    package init(_ problem: Problem, at path: String = "", type: String? = nil) {
        self.problem = problem
        self.path = path
        self.type = type
    }

    package var description: String {
        let place = path.isEmpty ? "" : "\"\(path)\": "
        switch problem {
        case .json(let error): return error.description
        case .missing: return place + "the field is missing"
        case .wrong(let expected): return place + "must be \(expected)"
        }
    }
}

/// Members of a JSON object, with the object's path for error messages.
struct RunFields {
    let object: JSONObject
    var path = ""
    /// Whether keys in snake case are accepted too. Camel case takes precedence.
    private let takesSnakeCase: Bool
    /// Whether the look-up of keys in snake case can be skipped.
    private let lacksSnakeCase: Bool

    init(_ object: JSONObject, path: String = "", takesSnakeCase: Bool = false) {
        self.object = object
        self.path = path
        self.takesSnakeCase = takesSnakeCase
        lacksSnakeCase =
            !takesSnakeCase || !object.members.contains { $0.name.utf8.contains(UInt8(ascii: "_")) }
    }

    /// Returns a value; nil if it is absent or null.
    func optional(_ name: String) -> JSONValue? {
        let value = object[name] ?? (lacksSnakeCase ? nil : object[Self.snakeCase(name)])
        return value == .null ? nil : value
    }

    /// Returns a required value, which may be null.
    func any(_ name: String) throws(RunFormatError) -> JSONValue {
        guard let value = object[name] else { throw missing(name) }
        return value
    }

    func text(_ name: String) throws(RunFormatError) -> String {
        guard let text = try optionalText(name) else { throw missing(name) }
        return text
    }

    func optionalText(_ name: String) throws(RunFormatError) -> String? {
        guard let value = optional(name) else { return nil }
        guard case .string(let text) = value else { throw wrong(name, "a string") }
        return text
    }

    func optionalInt(_ name: String) throws(RunFormatError) -> Int? {
        guard let value = optional(name) else { return nil }
        guard let number = value.integer.flatMap({ Int(exactly: $0) }), number >= 0 else {
            throw wrong(name, "a whole number, not negative")
        }
        return number
    }

    func optionalBool(_ name: String) throws(RunFormatError) -> Bool? {
        guard let value = optional(name) else { return nil }
        guard case .bool(let flag) = value else { throw wrong(name, "true or false") }
        return flag
    }

    func optionalObject(_ name: String) throws(RunFormatError) -> JSONObject? {
        guard let value = optional(name) else { return nil }
        guard case .object(let object) = value else { throw wrong(name, "an object") }
        return object
    }

    func object(_ name: String) throws(RunFormatError) -> JSONObject {
        guard let object = try optionalObject(name) else { throw missing(name) }
        return object
    }

    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(RunFormatError) -> Word? where Word.RawValue == String {
        guard let text = try optionalText(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw wrong(name, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    func texts(_ name: String) throws(RunFormatError) -> [String]? {
        guard let value = optional(name) else { return nil }
        guard let array = value.array else { throw wrong(name, "an array of strings") }
        var texts: [String] = []
        for element in array {
            guard case .string(let text) = element else { throw wrong(name, "an array of strings") }
            texts.append(text)
        }
        return texts
    }

    func optionalArray<Element>(
        _ name: String, _ read: (RunFields) throws(RunFormatError) -> Element
    ) throws(RunFormatError) -> [Element]? {
        guard let value = optional(name) else { return nil }
        guard case .array(let elements) = value else { throw wrong(name, "an array") }
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let place = "\(path)\(name)[\(index)]"
            guard case .object(let object) = element else {
                throw RunFormatError(.wrong(expected: "an object"), at: place)
            }
            result.append(try read(RunFields(object, path: place + ".", takesSnakeCase: takesSnakeCase)))
        }
        return result
    }

    func array<Element>(
        _ name: String, _ read: (RunFields) throws(RunFormatError) -> Element
    ) throws(RunFormatError) -> [Element] {
        guard let array = try optionalArray(name, read) else { throw missing(name) }
        return array
    }

    func inner(_ name: String, _ object: JSONObject) -> RunFields {
        RunFields(object, path: "\(path)\(name).", takesSnakeCase: takesSnakeCase)
    }

    func missing(_ name: String) -> RunFormatError { RunFormatError(.missing, at: path + name) }

    func wrong(_ name: String, _ expected: String) -> RunFormatError {
        RunFormatError(.wrong(expected: expected), at: path + name)
    }

    static func snakeCase(_ name: String) -> String {
        var result = ""
        for character in name {
            if character.isUppercase { result += "_" }
            result += character.lowercased()
        }
        return result
    }
}

struct RunFieldWriter {
    var bytes: [UInt8]
    private var needsComma = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func name(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        JSONWriter.literal(name, into: &bytes)
        JSONWriter.literal("\":", into: &bytes)
        needsComma = true
    }

    mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        JSONWriter.string(text, into: &bytes)
    }

    mutating func field(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        self.name(name)
        JSONWriter.integer(number, into: &bytes)
    }

    mutating func field(_ name: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        self.name(name)
        JSONWriter.value(value, into: &bytes)
    }

    mutating func field(_ name: StaticString, _ object: JSONObject?) {
        guard let object else { return }
        field(name, .object(object))
    }

    mutating func field(_ name: StaticString, _ texts: [String]?) {
        guard let texts else { return }
        field(name, .array(texts.map { .string($0) }))
    }

    mutating func object(_ name: StaticString, _ body: (inout RunFieldWriter) -> Void) {
        self.name(name)
        braces(body)
    }

    mutating func array<Element>(
        _ name: StaticString, _ elements: [Element]?, _ body: (inout RunFieldWriter, Element) -> Void
    ) {
        guard let elements else { return }
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            braces { body(&$0, element) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func braces(_ body: (inout RunFieldWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }
}
