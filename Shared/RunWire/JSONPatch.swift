package import Texts

/// Operation of a JSON Patch (RFC 6902 §4).
public enum JSONPatchVerb: String, Sendable, Codable, CaseIterable {
    /// Adds the value at the path, in an array before the element at that index (RFC 6902 §4.1).
    case add
    /// Removes the value at the path.
    case remove
    /// Replaces the value at the path.
    case replace
    /// Moves the value at `from` to the path.
    case move
    /// Copies the value at `from` to the path.
    case copy
    /// Fails the patch unless the value at the path is equal.
    case test
}

package struct JSONPatchOperation: Equatable, Sendable {
    package var verb: JSONPatchVerb
    /// A JSON Pointer (RFC 6901).
    package var path: String
    /// Source of `move` and `copy`.
    package var from: String?
    /// Value of `add`, `replace` and `test`.
    package var value: JSONValue?

    package init(_ verb: JSONPatchVerb, _ path: String, from: String? = nil, value: JSONValue? = nil) {
        self.verb = verb
        self.path = path
        self.from = from
        self.value = value
    }
}

/// Error of a JSON Patch, with the pointer at which it failed.
package struct JSONPatchError: Error, Equatable, Sendable {
    package enum Reason: String, Sendable {
        case badPointer = "no JSON Pointer"
        case noSuchPlace = "there is no such place"
        case failedTest = "the value is another one"
        case intoItself = "a value cannot be moved into itself"
        case tooMuch = "more values copied, or deeper nesting, than allowed"
    }

    package var reason: Reason
    package var path: String

    init(_ reason: Reason, _ path: String) {
        self.reason = reason
        self.path = path
    }
}

package enum JSONPatch {
    /// Maximum number of values that the `copy` operations of one patch may add. Without a limit, each copy could
    /// double the document.
    package static let copiedValues = 100_000

    /// Returns `document` after all operations. Throws if one of them fails (RFC 6902 §5).
    package static func apply(
        _ operations: [JSONPatchOperation], to document: JSONValue
    ) throws(JSONPatchError) -> JSONValue {
        var result = document
        var budget = copiedValues
        for operation in operations { try apply(operation, to: &result, &budget) }
        return result
    }

    private static func apply(
        _ operation: JSONPatchOperation, to document: inout JSONValue, _ budget: inout Int
    ) throws(JSONPatchError) {
        let path = try JSONPointer(operation.path)
        switch operation.verb {
        case .add: try path.add(operation.value ?? .null, to: &document)
        case .remove: _ = try path.remove(from: &document)
        case .replace: try path.replace(in: &document, with: operation.value ?? .null)
        case .test:
            guard let found = path.value(in: document) else { throw JSONPatchError(.noSuchPlace, path.text) }
            guard found.isSame(as: operation.value ?? .null) else {
                throw JSONPatchError(.failedTest, path.text)
            }
        case .move:
            let from = try JSONPointer(operation.from ?? "")
            guard !path.isInside(from) else { throw JSONPatchError(.intoItself, path.text) }
            try path.add(try from.remove(from: &document), to: &document)
        case .copy:
            let from = try JSONPointer(operation.from ?? "")
            guard let found = from.value(in: document) else { throw JSONPatchError(.noSuchPlace, from.text) }
            budget -= found.valueCount(atMost: budget + 1)
            guard budget >= 0 else { throw JSONPatchError(.tooMuch, path.text) }
            try path.add(found, to: &document)
        }
    }
}

package struct JSONPointer: Equatable, Sendable {
    package let text: String
    package let tokens: [String]

    package init(_ text: String) throws(JSONPatchError) {
        self.text = text
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { throw JSONPatchError(.badPointer, text) }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let token = Self.unescaped(part) else { throw JSONPatchError(.badPointer, text) }
            tokens.append(token)
        }
        // The depth is limited, because recursion over a deep document could overflow the stack.
        guard tokens.count <= JSONLimits.maxDepth else { throw JSONPatchError(.tooMuch, text) }
        self.tokens = tokens
    }

    /// Decodes `~1` as a slash and `~0` as a tilde (RFC 6901 §4). Nil for any other tilde.
    private static func unescaped(_ part: Substring.UTF8View) -> String? {
        guard part.contains(UInt8(ascii: "~")) else { return String(Substring(part)) }
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for token in tokens {
            switch value {
            case .object:
                guard let next = value[token] else { return nil }
                value = next
            case .array(let elements):
                guard let index = Self.index(token), index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    func isInside(_ other: JSONPointer) -> Bool {
        tokens.count > other.tokens.count && tokens.starts(with: other.tokens)
    }

    func add(_ value: JSONValue, to document: inout JSONValue) throws(JSONPatchError) {
        try change(&document, at: tokens[...], .add(value))
    }

    func replace(in document: inout JSONValue, with value: JSONValue) throws(JSONPatchError) {
        guard self.value(in: document) != nil else { throw JSONPatchError(.noSuchPlace, text) }
        try change(&document, at: tokens[...], .replace(value))
    }

    func remove(from document: inout JSONValue) throws(JSONPatchError) -> JSONValue {
        guard let removed = value(in: document) else { throw JSONPatchError(.noSuchPlace, text) }
        try change(&document, at: tokens[...], .remove)
        return removed
    }

    /// Change of the value at a pointer. For `replace` and `remove`, the value must exist.
    private enum Edit {
        case add(JSONValue)
        case replace(JSONValue)
        case remove
    }

    private func change(
        _ value: inout JSONValue, at tokens: ArraySlice<String>, _ edit: Edit
    ) throws(JSONPatchError) {
        guard let token = tokens.first else {
            switch edit {
            case .add(let new), .replace(let new): value = new
            case .remove: value = .null
            }
            return
        }
        // The container is moved out of `value` first. With two references, each change would copy it.
        switch value {
        case .object(var object):
            let index = object.members.lastIndex { $0.name == token }
            value = .null
            defer { value = .object(object) }
            if tokens.count == 1 {
                switch (edit, index) {
                case (.add(let new), let index?), (.replace(let new), let index?):
                    object.members[index].value = new
                case (.add(let new), nil), (.replace(let new), nil):
                    object.members.append(JSONObject.Member(token, new))
                case (.remove, _): object.members.removeAll { $0.name == token }
                }
                return
            }
            guard let index else { break }
            return try change(&object.members[index].value, at: tokens.dropFirst(), edit)
        case .array(var elements):
            value = .null
            defer { value = .array(elements) }
            if tokens.count == 1, case .add(let new) = edit {
                let index = token == "-" ? elements.count : Self.index(token)
                guard let index, index <= elements.count else { break }
                return elements.insert(new, at: index)
            }
            guard let index = Self.index(token), index < elements.count else { break }
            if tokens.count > 1 { return try change(&elements[index], at: tokens.dropFirst(), edit) }
            if case .replace(let new) = edit { elements[index] = new } else { elements.remove(at: index) }
            return
        default: break
        }
        throw JSONPatchError(.noSuchPlace, text)
    }

    /// Reads an array index: digits without a leading zero (RFC 6901 §4).
    private static func index(_ token: String) -> Int? {
        guard let first = token.utf8.first, token.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            first != 0x30 || token.utf8.count == 1
        else { return nil }
        return Int(token)
    }
}

extension JSONValue {
    /// Compares values by RFC 6902 §4.6: numbers by value, objects in any order of members.
    package func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .double(let right)), (.double(let right), .integer(let left)):
            return Double(left) == right
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.object(let left), .object(let right)):
            let (left, right) = (left.lastMembers, right.lastMembers)
            guard left.count == right.count else { return false }
            return left.allSatisfy { name, value in right[name]?.isSame(as: value) == true }
        default: return self == other
        }
    }

    /// Counts this value and all values inside it, up to about `limit`.
    func valueCount(atMost limit: Int) -> Int {
        var count = 1
        switch self {
        case .array(let elements):
            for element in elements where count <= limit {
                count += element.valueCount(atMost: limit - count)
            }
        case .object(let object):
            for member in object.members where count <= limit {
                count += member.value.valueCount(atMost: limit - count)
            }
        default: break
        }
        return count
    }
}

extension JSONObject {
    var lastMembers: [String: JSONValue] { Dictionary(members.map { ($0.name, $0.value) }) { $1 } }
}
