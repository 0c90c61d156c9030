import Clocks

/// Bytes as text, where they are text.
enum UTF8Text {
    /// nil when the bytes are not UTF-8: decoding repairs, and a repair changes the bytes.
    static func string(_ bytes: some Collection<UInt8>) -> String? {
        let isPlain = bytes.withContiguousStorageIfAvailable(isASCII) ?? false
        var text = String(decoding: bytes, as: UTF8.self)
        guard !isPlain else { return text }
        let isSame = bytes.withContiguousStorageIfAvailable { bytes in
            text.withUTF8 { $0.count == bytes.count && $0.elementsEqual(bytes) }
        }
        return isSame ?? text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }
}

/// Bytes in 64 characters (RFC 4648 §4).
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? Int(bytes[start + offset]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? alphabet[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// nil for anything but whole groups of the alphabet, padded.
    static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters[start..<start + 4]
            let pads = group.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            guard pads == 0 || pads < 3 && start + 4 == characters.count else { return nil }
            var bits = 0
            for character in group.dropLast(pads) {
                guard let value = value(character) else { return nil }
                bits = bits << 6 | value
            }
            bits <<= 6 * pads
            for place in 0..<3 - pads { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * place))) }
        }
        return bytes
    }

    private static func value(_ character: UInt8) -> Int? {
        switch character {
        case 0x41...0x5A: Int(character) - 0x41
        case 0x61...0x7A: Int(character) - 0x61 + 26
        case 0x30...0x39: Int(character) - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

extension Instant {
    /// The time since `earlier`; zero where it does not fit, as between rows of two imported centuries.
    func since(_ earlier: Instant) -> Interval {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? .zero : Interval(nanoseconds: difference)
    }
}
