import Texts

/// Range of numbers from `low` to `high`, both included.
struct NumberRange: Equatable, Sendable {
    var low: Int64
    var high: Int64

    func contains(_ number: Int64) -> Bool { low <= number && number <= high }
}

extension NumberRange {
    /// Returns the units of a field (Shared/Docs/filters.md#every-field).
    static func units(_ field: FilterTest.NumberField) -> [(name: String, factor: Int64)] {
        switch field {
        case .size: [("kb", 1_024), ("mb", 1_048_576), ("b", 1), ("", 1)]
        case .lat: [("ms", 1_000_000), ("us", 1_000), ("s", 1_000_000_000), ("", 1_000_000)]
        case .n, .seq, .socket, .status, .close: [("", 1)]
        }
    }

    /// Parses `7`, `10..20`, `10..`, `..20` or a comparison such as `>1kb`. A status can also be `4xx`.
    init?(_ text: String, field: FilterTest.NumberField) {
        let units = Self.units(field)
        if field == .status, text.count == 3, text.lowercased().hasSuffix("xx"),
            let hundreds = text.first?.wholeNumberValue
        {
            self.init(low: Int64(hundreds) * 100, high: Int64(hundreds) * 100 + 99)
        } else if let rest = text.after(">=") {
            guard let low = Self.number(rest, units) else { return nil }
            self.init(low: low, high: .max)
        } else if let rest = text.after("<=") {
            guard let high = Self.number(rest, units) else { return nil }
            self.init(low: .min, high: high)
        } else if let rest = text.after(">") {
            guard let low = Self.number(rest, units), low < .max else { return nil }
            self.init(low: low + 1, high: .max)
        } else if let rest = text.after("<") {
            guard let high = Self.number(rest, units) else { return nil }
            self.init(low: .min, high: high - 1)
        } else if let dots = text.firstPlace(of: "..") {
            let (first, last) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
            guard !first.isEmpty || !last.isEmpty else { return nil }
            guard let low = first.isEmpty ? .min : Self.number(first, units),
                let high = last.isEmpty ? .max : Self.number(last, units), low <= high
            else { return nil }
            self.init(low: low, high: high)
        } else {
            guard let number = Self.number(text, units) else { return nil }
            self.init(low: number, high: number)
        }
    }

    /// Parses a whole or decimal number with a unit; nil if it is malformed or does not fit into 64 bits.
    static func number(_ text: String, _ units: [(name: String, factor: Int64)]) -> Int64? {
        let text = text.lowercased()
        for unit in units where text.hasSuffix(unit.name) {
            let digits = text.dropLast(unit.name.count)
            guard digits.utf8.first.map({ 0x30...0x39 ~= $0 }) == true else { return nil }
            if let whole = Int64(digits) {
                let (product, isTooLarge) = whole.multipliedReportingOverflow(by: unit.factor)
                return isTooLarge ? nil : product
            }
            guard unit.factor > 1, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) else {
                return nil
            }
            return Double(digits).flatMap { Int64(exactly: ($0 * Double(unit.factor)).rounded()) }
        }
        return nil
    }
}

/// Search text that ignores case.
struct FoldedText: Equatable, Sendable {
    private let parts: [SoughtBytes]
    /// Whether the text is ASCII.
    private let isPlain: Bool

    init(_ text: String) { self.init(parts: [text], of: text) }

    /// Creates a text in which `*` stands for any characters.
    init(wild text: String) { self.init(parts: text.split(separator: "*").map { String($0) }, of: text) }

    private init(parts: [String], of text: String) {
        self.parts = parts.map { SoughtBytes(Array($0.lowercased().utf8)) }
        // The original text is tested: the Kelvin sign (U+212A) becomes an ASCII "k" in lower case.
        isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    }

    var stepsPerByte: Int { isPlain ? 1 : 4 }

    func isIn(_ haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isPlain else {
            var folded = String(decoding: haystack, as: UTF8.self).lowercased()
            return folded.withUTF8 { find(in: $0) }
        }
        return find(in: haystack)
    }

    private func find(in haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        var place = 0
        for part in parts {
            guard let end = part.end(in: haystack, from: place, folding: Self.lower) else { return false }
            place = end
        }
        return true
    }

    @inline(__always)
    private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}

/// Byte pattern with its failure function, for a linear search (Knuth, Morris and Pratt 1977).
struct SoughtBytes: Equatable, Sendable {
    let bytes: [UInt8]
    /// Failure function, by position: length of the longest proper prefix of the pattern that ends at this position.
    private let overlaps: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var overlaps = [0]
        var length = 0
        for byte in bytes.dropFirst() {
            while length > 0, bytes[length] != byte { length = overlaps[length - 1] }
            if bytes[length] == byte { length += 1 }
            overlaps.append(length)
        }
        self.overlaps = overlaps
    }

    /// Returns the end of the first occurrence from `start` on; nil if there is none.
    @inline(__always)
    func end(in text: UnsafeBufferPointer<UInt8>, from start: Int, folding fold: (UInt8) -> UInt8) -> Int? {
        guard let first = bytes.first else { return start }
        var length = 0
        var place = start
        while place < text.count {
            let byte = fold(text[place])
            if length == 0 {
                if byte == first { length = 1 }
            } else {
                while length > 0, bytes[length] != byte { length = overlaps[length - 1] }
                if bytes[length] == byte { length += 1 }
            }
            place += 1
            if length == bytes.count { return place }
        }
        return nil
    }
}

/// Path into the JSON of a row, with an optional condition.
struct JSONPath: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
    }

    enum Comparison: String, CaseIterable, Sendable {
        // The parser takes the first match, so longer operators come first.
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case equal = "="
        case less = "<"
        case more = ">"
    }

    var steps: [Step]
    /// Comparison with `value`; nil if the path only has to exist.
    var comparison: Comparison?
    var value: String
    /// The value as a pattern; nil if the value is quoted or contains no star.
    var wild: NamePattern?

    func holds(_ row: Row) -> Bool {
        let start = HTTPText(row.raw)?.bodyStart ?? 0
        let body = start == 0 ? row.raw : Array(row.raw[start...])
        guard let first = body.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x5B,
            var found = try? JSONReader.read(body)
        else { return false }
        for step in steps {
            switch step {
            case .member(let name):
                guard let member = found[name] else { return false }
                found = member
            case .element(let index):
                guard let elements = found.array, elements.indices.contains(index) else { return false }
                found = elements[index]
            }
        }
        guard let comparison else { return true }
        return compare(found, comparison)
    }

    private func compare(_ found: JSONValue, _ comparison: Comparison) -> Bool {
        let text = Self.text(found)
        switch comparison {
        case .equal: return isLike(text) || Self.areSameNumbers(found, value)
        case .unequal: return !isLike(text) && !Self.areSameNumbers(found, value)
        case .less, .more, .atMost, .atLeast:
            guard let left = Self.number(found), let right = Double(value) else { return false }
            return switch comparison {
            case .less: left < right
            case .more: left > right
            case .atMost: left <= right
            default: left >= right
            }
        }
    }

    private func isLike(_ text: String) -> Bool { wild?.takes(text) ?? (text == value) }

    private static func text(_ value: JSONValue) -> String {
        value.string ?? String(decoding: JSONWriter.bytes(value), as: UTF8.self)
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    private static func areSameNumbers(_ value: JSONValue, _ text: String) -> Bool {
        number(value).map { $0 == Double(text) } ?? false
    }
}

extension String {
    func after(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
