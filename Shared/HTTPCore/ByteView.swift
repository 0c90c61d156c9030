/// Borrowed bytes: valid only during the call that received them.
///
/// A plain pointer and count: the loops of the standard buffer types are not specialised in debug builds,
/// where parsing a request took several times as long with them.
struct ByteView {
    private let start: UnsafePointer<UInt8>
    let count: Int

    init(_ buffer: UnsafeRawBufferPointer) {
        let nothing: StaticString = ""
        start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing.utf8Start
        count = buffer.count
    }

    private init(start: UnsafePointer<UInt8>, count: Int) {
        self.start = start
        self.count = count
    }

    var isEmpty: Bool { count == 0 }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        assert(index >= 0 && index < count)
        return start[index]
    }

    /// The bytes from `lower` up to `upper`, counted from 0 again.
    func part(_ lower: Int, _ upper: Int) -> ByteView {
        precondition(lower >= 0 && lower <= upper && upper <= count)
        return ByteView(start: start + lower, count: upper - lower)
    }

    func part(_ range: Range<Int>) -> ByteView {
        part(range.lowerBound, range.upperBound)
    }

    func dropFirst(_ number: Int) -> ByteView {
        part(number, count)
    }

    /// The index of the first `byte` at or after `index`; `end` without one.
    func index(of byte: UInt8, from index: Int, to end: Int) -> Int {
        precondition(end <= count)
        var index = index
        while index < end, start[index] != byte { index += 1 }
        return index
    }

    /// The bytes without leading and trailing blanks.
    func trimmed() -> ByteView {
        var lower = 0
        var upper = count
        while lower < upper, ByteClass.isBlank(start[lower]) { lower += 1 }
        while lower < upper, ByteClass.isBlank(start[upper - 1]) { upper -= 1 }
        return part(lower, upper)
    }

    /// True for one or more token characters.
    var isToken: Bool {
        var index = 0
        while index < count, ByteClass.isToken(start[index]) { index += 1 }
        return index == count && count > 0
    }

    /// The index of the first byte that may not be in a field value; nil without one.
    var firstControl: Int? {
        var index = 0
        while index < count, ByteClass.isFieldValue(start[index]) { index += 1 }
        return index < count ? index : nil
    }

    /// Compares ignoring the case of ASCII letters.
    func matches(_ other: ByteView) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index < count {
            let (left, right) = (start[index], other.start[index])
            if left != right, ByteClass.lowercase(left) != ByteClass.lowercase(right) { return false }
            index += 1
        }
        return true
    }

    func matches(_ text: StaticString) -> Bool {
        matches(ByteView(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && part(0, text.utf8CodeUnitCount).matches(text)
    }

    /// The bytes as text; those that are not UTF-8 are replaced.
    var text: String {
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Text of a checked field value: UTF-8 where it is, otherwise ISO 8859-1 (RFC 9110 §5.5), so that no
    /// byte is lost.
    var lenientText: String {
        var index = 0
        while index < count, start[index] < 0x80 { index += 1 }
        if index == count { return text }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        if let text = WireText.utf8(bytes) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    func appended(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }

    var array: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}

extension String {
    /// Gives the UTF-8 of this text to `use`.
    func withBytes<Result>(_ use: (ByteView) -> Result) -> Result {
        var text = self
        return text.withUTF8 { use(ByteView(UnsafeRawBufferPointer($0))) }
    }
}

/// Bytes of the wire as text.
enum WireText {
    /// The text, or nil when the bytes are not UTF-8.
    static func utf8(_ bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs what is invalid, and a repaired text differs from the bytes it came from.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
