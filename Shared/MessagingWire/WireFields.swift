import Texts

struct WireFields {
    var bytes: [UInt8]
    private var needsComma = false

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func name(_ name: StaticString) {
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

    mutating func field(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        JSONWriter.bool(flag, into: &bytes)
    }

    mutating func field(_ name: StaticString, texts: [String]) {
        self.name(name)
        JSONWriter.value(.array(texts.map { .string($0) }), into: &bytes)
    }

    mutating func open(_ name: StaticString, _ bracket: UInt8) {
        self.name(name)
        bytes.append(bracket)
        needsComma = false
    }

    mutating func element() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

/// Typed access to fields. A field of the wrong type counts as missing.
extension JSONObject {
    func text(_ name: String) -> String? { self[name]?.string }

    func int(_ name: String) -> Int? { self[name]?.integer.flatMap { Int(exactly: $0) } }

    func flag(_ name: String) -> Bool { self[name]?.bool ?? false }

    /// An empty text counts as missing.
    func link(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    func object(_ name: String) -> JSONObject { self[name]?.object ?? JSONObject() }

    func objects(_ name: String) -> [JSONObject] { (self[name]?.array ?? []).compactMap(\.object) }
}
