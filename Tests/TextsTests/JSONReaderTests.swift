import Expectations
import TestSupport
import Testing
import Texts

@Suite("JSON reader (RFC 8259)")
struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    private func refusal(_ bytes: [UInt8], maxDepth: Int = 64, maxBytes: Int = 1 << 20) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONReader.read(bytes, maxDepth: maxDepth, maxBytes: maxBytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Every kind of value is read (§3)",
        arguments: [
            ("null", .null), ("true", .bool(true)), (" false\n", .bool(false)), ("0", .integer(0)),
            ("-12", .integer(-12)), ("1.5", .double(1.5)), ("2E3", .double(2_000)), ("1e-2", .double(0.01)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("\"\"", .string("")),
            ("[]", .array([])), ("{}", .object([:])),
            ("[1,\t[2]]", .array([.integer(1), .array([.integer(2)])])),
            ("{\"b\":1,\"a\":{\"c\":null}}", .object(["b": .integer(1), "a": .object(["c": .null])])),
        ] as [(String, JSONValue)])
    func values(_ text: String, _ value: JSONValue) throws {
        try expectEqual(read(text), value)
    }

    @Test(
        "Escapes stand for their characters (§7)",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
            (#""a\ud83d\ude00b""#, "a😀b"), (#""\u0000""#, "\0"), ("\"é€😀\"", "é€😀"),
        ] as [(String, String)])
    func escapes(_ text: String, _ value: String) throws {
        try expectEqual(read(text), .string(value))
    }

    @Test("Members keep their order, and of members with one name the last counts (§4)")
    func members() throws {
        let object = try #require(try read(#"{"z":1,"a":2,"z":3}"#).object)
        expectEqual(object.members.map(\.name), ["z", "a", "z"])
        expectEqual(object["z"], .integer(3))
    }

    @Test(
        "What is not JSON is refused, with the byte where that shows",
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("nul", .unexpectedEnd, 3),
            ("nulL", .unexpectedByte, 3), ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1),
            ("{\"a\" 1}", .unexpectedByte, 5),
            ("[", .unexpectedEnd, 1), ("{\"a\":", .unexpectedEnd, 5), ("\"abc", .unexpectedEnd, 4),
            ("1 2", .trailingBytes, 2), ("{}}", .trailingBytes, 2), ("01", .badNumber, 0),
            ("-", .unexpectedEnd, 1),
            ("-x", .badNumber, 1), ("1.", .unexpectedEnd, 2), ("1.e3", .badNumber, 2),
            ("1e+", .unexpectedEnd, 3),
            ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0),
            ("1e999", .badNumber, 0), ("'a'", .unexpectedByte, 0), ("\"\\x\"", .badEscape, 1),
            ("\"\\u12G4\"", .badEscape, 1), ("\"\\u12", .unexpectedEnd, 5),
            ("\"\\ud800\"", .loneSurrogate, 1),
            ("\"\\ud800\\u0041\"", .loneSurrogate, 1), ("\"\\udc00\"", .loneSurrogate, 1),
            ("\"a\nb\"", .controlCharacter, 2), ("\"\u{0}\"", .controlCharacter, 1),
            ("// x\n1", .unexpectedByte, 0),
            ("\u{FEFF}1", .unexpectedByte, 0),
        ] as [(String, JSONError.Reason, Int)])
    func refusals(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
        expectEqual(refusal(Array(text.utf8)), JSONError(reason, at: offset))
    }

    @Test(
        "Bytes that are not UTF-8 are refused inside a string (§8.1, RFC 3629)",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xE2, 0x28, 0xA1],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        expectEqual(refusal([0x22] + bytes + [0x22])?.reason, .badUTF8)
    }

    @Test(
        "A lenient reader repairs what is wrong in one value, and reads its neighbours",
        arguments: [
            (#""\ud83d""#, .string("\u{FFFD}")), (#""a\udc00b""#, .string("a\u{FFFD}b")),
            (#""\ud83d\ud83d\ude00""#, .string("\u{FFFD}😀")), (#""\ud83dx\u0041""#, .string("\u{FFFD}xA")),
            (#""\ud83d\n""#, .string("\u{FFFD}\n")), (#""\ud83d\\ude00""#, .string("\u{FFFD}\\ude00")),
            (#"{"\ude00":1}"#, .object(["\u{FFFD}": .integer(1)])),
            (#""\ud83d\ude00\ud83d\u0041""#, .string("😀\u{FFFD}A")),
            ("\u{FEFF}[1]", .array([.integer(1)])), ("\u{FEFF}\u{FEFF} 2", .integer(2)),
            ("[1e999,2]", .array([.null, .integer(2)])),
            (#"{"a":[[["}"],{"b":"]"}]],"c":1}"#, .object(["a": .array([.null]), "c": .integer(1)])),
        ] as [(String, JSONValue)])
    func lenient(_ text: String, _ value: JSONValue) throws {
        try expectEqual(JSONReader.read(Array(text.utf8), maxDepth: 2, manner: .lenient), value)
        #expect(refusal(Array(text.utf8), maxDepth: 2) != nil)
    }

    @Test(
        "A lenient reader repairs bytes that are not UTF-8, surrogates in three bytes too, and still wants JSON"
    )
    func lenientBytes() throws {
        let cut: [UInt8] = [0x22, 0x61, 0xED, 0xA0, 0xBD, 0x62, 0xFF, 0x22]
        let text = try #require(try JSONReader.read(cut, manner: .lenient).string)
        #expect(text.hasPrefix("a\u{FFFD}") && text.hasSuffix("b\u{FFFD}"))
        for wrong in ["", "\u{FEFF}", "{", "\"\\ud83d", "\"\\ud83\"", "[[[", "nul", "1 \u{FEFF}"] {
            #expect(throws: JSONError.self) {
                try JSONReader.read(Array(wrong.utf8), maxDepth: 2, manner: .lenient)
            }
        }
    }

    @Test("A text cut at any byte is refused, never misread")
    func cutAnywhere() {
        let text = Array(#"{"a":[1.5e3,true,null,"é\u00e9😀\ud83d\ude00"],"b":{"c":"d"}}"#.utf8)
        for cut in 0..<text.count {
            #expect(refusal(Array(text[..<cut])) != nil, "cut at \(cut)")
            expectEqual(
                try? JSONReader.read(Array(text[..<cut]), manner: .lenient), nil, "lenient, at \(cut)")
        }
        expectEqual(refusal(text), nil)
    }

    @Test("Nesting is allowed up to the limit and refused beyond it (§9)")
    func depth() {
        let atLimit =
            Array(String(repeating: "[", count: 64).utf8) + Array(String(repeating: "]", count: 64).utf8)
        expectEqual(refusal(atLimit), nil)
        expectEqual(refusal([0x5B] + atLimit + [0x5D]), JSONError(.tooDeep, at: 64))
        let objects = Array(String(repeating: "{\"a\":", count: 100_000).utf8)
        expectEqual(refusal(objects), JSONError(.tooDeep, at: 64 * 5))
    }

    @Test("A document above the byte limit is refused before it is read")
    func size() {
        expectEqual(refusal(Array("[1,2]".utf8), maxBytes: 5), nil)
        expectEqual(refusal(Array("[1,2]".utf8), maxBytes: 4), JSONError(.tooLong, at: 4))
    }

    @Test("An error says where and why")
    func description() {
        expectEqual("\(JSONError(.badEscape, at: 7))", "not JSON at byte 7: an escape JSON does not know")
    }

    @Test(
        "What the writer writes reads back as the same value",
        arguments: 1...Strength.of(60, full: 200) as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = Random(state: seed)
        let value = random.value(depth: 0)
        try expectEqual(JSONReader.read(JSONWriter.bytes(value)), value)
    }

    @Test(
        "Random damage never makes the reader crash or accept broken UTF-8",
        arguments: 1...50 as ClosedRange<UInt64>)
    func damage(seed: UInt64) {
        var random = Random(state: seed)
        var bytes = JSONWriter.bytes(random.value(depth: 0))
        for _ in 0..<40 {
            bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            let lenient = try? JSONReader.read(bytes, manner: .lenient)
            guard let value = try? JSONReader.read(bytes) else { continue }
            expectEqual(lenient, value)
            #expect(String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes))
        }
    }
}
