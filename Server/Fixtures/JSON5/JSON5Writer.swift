import Texts

/// Writes a value as compact JSON (RFC 8259) for events that are sent as they stand.
package enum JSON5Writer {
    /// nil when the value holds Infinity or NaN, which JSON cannot say; `offset` is where.
    package static func compactJSON(_ value: JSON5Value, of document: JSON5Document) -> String? {
        var text: [UInt8] = []
        guard write(value, of: document, to: &text) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(
        _ value: JSON5Value, of document: JSON5Document, to text: inout [UInt8]
    ) -> Bool {
        switch value.content {
        case .null: text.append(contentsOf: "null".utf8)
        case .boolean(let flag): text.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let number):
            guard number.isFinite else { return false }
            text.append(contentsOf: numberText(number, source: document.bytes[value.range]))
        case .text(let words): JSONWriter.string(words, controlsByNumber: true, into: &text)
        case .list(let items):
            text.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                guard write(item, of: document, to: &text) else { return false }
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.string(member.name, controlsByNumber: true, into: &text)
                text.append(UInt8(ascii: ":"))
                guard write(member.value, of: document, to: &text) else { return false }
            }
            text.append(UInt8(ascii: "}"))
        }
        return true
    }

    /// As written where that is JSON already, so that no digit is lost; otherwise as Swift writes it.
    private static func numberText(_ number: Double, source: ArraySlice<UInt8>) -> [UInt8] {
        var source = source
        if source.first == UInt8(ascii: "+") { source = source.dropFirst() }
        let digits = source.first == UInt8(ascii: "-") ? source.dropFirst() : source
        var isPlain = digits.first.map(JSON5Escape.isDigit) ?? false
        var afterPoint = false
        for byte in digits {
            if byte | 0x20 == UInt8(ascii: "x") { isPlain = false }
            if afterPoint, !JSON5Escape.isDigit(byte) { isPlain = false }
            afterPoint = byte == UInt8(ascii: ".")
        }
        if isPlain, !afterPoint { return Array(source) }
        if let whole = Int64(exactly: number) { return Array(String(whole).utf8) }
        return Array("\(number)".utf8)
    }
}
