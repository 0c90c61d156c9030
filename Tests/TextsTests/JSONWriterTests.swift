import Expectations
import Testing
import Texts

@Suite("JSON writer")
struct JSONWriterTests {
    private func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A string escapes quotes, backslashes and control characters, and nothing else (RFC 8259 §7)",
        arguments: [
            ("", #""""#), ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#),
            ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
            ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("é/€😀\u{2028}", "\"é/€😀\u{2028}\""),
        ])
    func strings(_ plain: String, _ json: String) {
        expectEqual(text { JSONWriter.string(plain, into: &$0) }, json)
    }

    @Test("Each ASCII character is escaped or not wherever it stands, and read back", arguments: 0..<20)
    func everyPlace(_ place: Int) throws {
        for byte in UInt8(0)..<0x80 {
            let plain = String(repeating: "x", count: place) + String(UnicodeScalar(byte)) + "yé€😀yyyyyyyy"
            let json = text { JSONWriter.string(plain, into: &$0) }
            let isEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            expectEqual(json.utf8.dropFirst(1 + place).first, isEscaped ? UInt8(ascii: "\\") : byte)
            try expectEqual(JSONReader.read(Array(json.utf8)), .string(plain))
        }
    }

    @Test("Texts with many escapes are written whole, whatever their length", arguments: 30..<50)
    func manyEscapes(_ count: Int) throws {
        for piece in ["\"\n\\", "a\"bé\u{1}", String(repeating: "x", count: 40) + "\"", "\u{0}"] {
            let plain = String(repeating: piece, count: count)
            let escaped = text { JSONWriter.string(piece, into: &$0) }.dropFirst().dropLast()
            let json = text { JSONWriter.string(plain, into: &$0) }
            expectEqual(json, "\"" + String(repeating: String(escaped), count: count) + "\"")
            try expectEqual(JSONReader.read(Array(json.utf8)), .string(plain))
        }
    }

    @Test(
        "Integers are written in full",
        arguments: [0, 7, -7, 10, 99, 100, 131_072, Int64.max, Int64.min] as [Int64])
    func integers(_ number: Int64) {
        expectEqual(text { JSONWriter.integer(number, into: &$0) }, "\(number)")
    }

    @Test("The largest sequence is written in full")
    func largest() {
        expectEqual(text { JSONWriter.integer(UInt64.max, into: &$0) }, "18446744073709551615")
    }

    @Test(
        "Doubles are short and read back the same; what JSON cannot say is null",
        arguments: [
            (0.1, "0.1"), (100, "100.0"), (-2.5, "-2.5"), (1e300, "1e+300"), (.infinity, "null"),
            (.nan, "null"),
        ] as [(Double, String)])
    func doubles(_ number: Double, _ json: String) {
        expectEqual(text { JSONWriter.double(number, into: &$0) }, json)
    }

    @Test("Values are written without white space")
    func values() {
        let value = JSONValue.object([
            "a": .array([.integer(1), .null]), "b": .object([:]), "c": .bool(false),
        ])
        expectEqual(text { JSONWriter.value(value, into: &$0) }, #"{"a":[1,null],"b":{},"c":false}"#)
    }
}
