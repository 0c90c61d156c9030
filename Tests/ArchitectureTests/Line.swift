/// One line of a file, as bytes: the checks look at every byte of the repository.
struct Line {
    /// From 1.
    var number: Int
    var bytes: ArraySlice<UInt8>

    static func split(_ bytes: [UInt8]) -> [Line] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().map {
            Line(number: $0.offset + 1, bytes: $0.element)
        }
    }

    static func split(_ text: String) -> [Line] { split(Array(text.utf8)) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Where `needle` begins. Where it begins with a letter, a word has to begin there; likewise at its end,
    /// unless `endsAnywhere`.
    func words(_ needle: [UInt8], endsAnywhere: Bool = false) -> [Int] {
        guard let first = needle.first, let last = needle.last, bytes.count >= needle.count else { return [] }
        var found: [Int] = []
        for start in bytes.startIndex...(bytes.endIndex - needle.count) where bytes[start] == first {
            let end = start + needle.count
            guard bytes[start..<end].elementsEqual(needle) else { continue }
            let goesOnLeft = start > bytes.startIndex && Line.isWordPart(bytes[start - 1])
            let goesOnRight = !endsAnywhere && end < bytes.endIndex && Line.isWordPart(bytes[end])
            if goesOnLeft && Line.isWordPart(first) || goesOnRight && Line.isWordPart(last) { continue }
            found.append(start)
        }
        return found
    }

    func hasWord(_ needle: String) -> Bool { !words(Array(needle.utf8)).isEmpty }

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
