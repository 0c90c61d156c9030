import Expectations
import TestSupport
import Testing
import Texts

@Suite("UTF-8 validation")
struct UTF8ValidatorTests {
    static let valid: [[UInt8]] = [
        [], text("plain ASCII, longer than one word"), text("grüße"), text("κόσμε"), text("日本語"), text("👋🏽"),
        [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF],
        [0xEE, 0x80, 0x80],
        [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF],
    ]
    /// With the index of the byte that proves it.
    static let invalid: [([UInt8], Int)] = [
        ([0x80], 0), ([0xBF], 0), ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xF5, 0x80, 0x80, 0x80], 0),
        ([0xFE], 0), ([0xFF], 0), ([0xC2, 0x41], 1), ([0xC2, 0xC2], 1), ([0xE0, 0x80, 0x80], 1),
        ([0xE0, 0x9F, 0xBF], 1), ([0xED, 0xA0, 0x80], 1), ([0xED, 0xBF, 0xBF], 1), ([0xE2, 0x82, 0x41], 2),
        ([0xF0, 0x8F, 0xBF, 0xBF], 1), ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF1, 0x80, 0x80, 0x41], 3),
        (text("twelve bytes") + [0xE0, 0x80], 13), (text("eightttt") + [0x80] + text("after it"), 8),
    ]

    @Test("Valid text is accepted whole (RFC 3629 §4)", arguments: valid)
    func validText(_ bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { UTF8Validator.isValid($0) })
    }

    @Test("Valid text is accepted however it is cut", arguments: valid)
    func everySplit(_ bytes: [UInt8]) {
        for cut in 0...bytes.count {
            var validator = UTF8Validator()
            let first = bytes[..<cut].withUnsafeBytes { validator.accept($0) }
            let second = bytes[cut...].withUnsafeBytes { validator.accept($0) }
            #expect(first && second && validator.isComplete)
        }
    }

    @Test("Invalid text is refused at the byte that proves it (RFC 3629 §3)", arguments: invalid)
    func invalidText(_ bytes: [UInt8], _ proof: Int) {
        #expect(!bytes.withUnsafeBytes { UTF8Validator.isValid($0) })
        var validator = UTF8Validator()
        let before = bytes[..<proof].withUnsafeBytes { validator.accept($0) }
        let at = bytes[proof...proof].withUnsafeBytes { validator.accept($0) }
        #expect(before)
        #expect(!at)
    }

    @Test("Text that ends inside a character is incomplete, not yet wrong")
    func cutCharacter() {
        for bytes in [[0xC2], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] as [[UInt8]] {
            var validator = UTF8Validator()
            let accepted = bytes.withUnsafeBytes { validator.accept($0) }
            #expect(accepted)
            #expect(!validator.isComplete)
        }
    }

    @Test(
        "The verdict agrees with the standard library on random bytes",
        arguments: 1...Strength.of(60, full: 200))
    func againstStandardLibrary(_ seed: UInt64) {
        var random = Random(state: seed &* 7919 | 1)
        var bytes = text("aé日👋 some ASCII to run through words é日👋")
        for _ in 0..<Int(seed % 3) {
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        let expected = Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
        expectEqual(bytes.withUnsafeBytes { UTF8Validator.isValid($0) }, expected)
        expectEqual(UTF8Validator.firstBadByte(in: bytes) == nil, expected)
        expectEqual(UTF8Validator.text(bytes[...]) != nil, expected)
    }

    @Test("The first bad character is told by where it begins")
    func firstBadByte() {
        expectEqual(UTF8Validator.firstBadByte(in: text("aé日👋")), nil)
        expectEqual(UTF8Validator.firstBadByte(in: text("aé") + [0x80]), 3)
        expectEqual(UTF8Validator.firstBadByte(in: text("é") + [0xE2, 0x82]), 2)
        expectEqual(UTF8Validator.firstBadByte(in: [0x61, 0xED, 0xA0, 0x80]), 1)
        for place in 0...20 {
            var bytes = text("twenty bytes of ASCII")
            bytes[place] = 0xFF
            expectEqual(UTF8Validator.firstBadByte(in: bytes), place)
            expectEqual(UTF8Validator.firstBadByte(in: Array(bytes[..<place])), nil)
        }
    }
}

private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
