/// One line of a file, as bytes.
struct Line {
    /// From 1.
    var number: Int
    var bytes: ArraySlice<UInt8>

    static func split(_ bytes: [UInt8]) -> [Line] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            Line(number: $0.offset + 1, bytes: $0.element)
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Letters, digits, the underscore, and all that is not ASCII.
    static func isWordPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
            true
        default:
            false
        }
    }
}
