/// Object whose words are in the texts of several rows, such as a user's message.
package protocol RowSource: AnyObject, Sendable {
    /// Calls `body` with the words and returns its result; false if there are none. Lends them, because a copy of an
    /// array in each row takes 180 instructions.
    func lendWords(_ body: (RowWords) -> Bool) -> Bool
}

extension RowSource {
    package func lendWords(_ body: (RowWords) -> Bool) -> Bool { false }
}

/// Text and metadata of a message, as parts of some bytes.
package struct RowWords {
    fileprivate let bytes: UnsafeRawBufferPointer
    fileprivate let text: Range<Int>
    fileprivate let metadata: Range<Int>?

    package init(_ bytes: UnsafeRawBufferPointer, text: Range<Int>, metadata: Range<Int>?) {
        self.bytes = bytes
        self.text = text
        self.metadata = metadata
    }

    var textBytes: [UInt8] { Array(bytes[text]) }

    func hasText(_ raw: UnsafeRawBufferPointer) -> Bool {
        raw.count == text.count && raw.has(bytes, text, at: 0)
    }
}

/// What stands around the words of a message in a row's text. A row of which the words are in the journal keeps no text,
/// which saves 155 bytes of a short message.
struct RowPattern: Sendable {
    /// Number of a pattern that is nothing but the text.
    static let textAlone = UInt32.max

    /// The parts before the text, between text and metadata, and after them.
    private let bytes: [UInt8]
    private let prefixEnd: Int
    private let middleEnd: Int
    private let hasMetadata: Bool

    /// Finds the words in `raw`, the text as a JSON string before the metadata. Nil if they are not there as they are,
    /// for example because of an escape.
    init?(_ raw: UnsafeRawBufferPointer, _ words: RowWords) {
        let text = words.bytes[words.text]
        guard
            let start = raw.indices.first(where: {
                $0 > 0 && raw[$0 - 1] == 0x22 && raw[$0...].starts(with: text)
            })
        else { return nil }
        let end = start + text.count
        (prefixEnd, hasMetadata) = (start, words.metadata != nil)
        guard let metadata = words.metadata.map({ words.bytes[$0] }) else {
            (bytes, middleEnd) = (Array(raw[..<start]) + raw[end...], start)
            return
        }
        guard let next = raw[end...].indices.first(where: { raw[$0...].starts(with: metadata) }) else {
            return nil
        }
        bytes = Array(raw[..<start]) + raw[end..<next] + raw[(next + metadata.count)...]
        middleEnd = start + next - end
    }

    /// Whether `raw` is the pattern with these words.
    func matches(_ raw: UnsafeRawBufferPointer, _ words: RowWords) -> Bool {
        let metadata = words.metadata ?? 0..<0
        guard hasMetadata == (words.metadata != nil),
            raw.count == bytes.count + words.text.count + metadata.count
        else { return false }
        // Without a closure that advances a position, which takes 900 instructions more.
        let middle = prefixEnd + words.text.count
        let custom = middle + middleEnd - prefixEnd
        return bytes.withUnsafeBytes { parts in
            raw.has(parts, 0..<prefixEnd, at: 0) && raw.has(words.bytes, words.text, at: prefixEnd)
                && raw.has(parts, prefixEnd..<middleEnd, at: middle)
                && raw.has(words.bytes, metadata, at: custom)
                && raw.has(parts, middleEnd..<parts.count, at: custom + metadata.count)
        }
    }

    func raw(_ words: RowWords) -> [UInt8] {
        Array(bytes[..<prefixEnd]) + words.bytes[words.text] + bytes[prefixEnd..<middleEnd]
            + words.bytes[words.metadata ?? 0..<0] + bytes[middleEnd...]
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a part of `other` is at `position`. Compares eight bytes at a time; the last eight overlap those before.
    @inline(__always)
    fileprivate func has(_ other: UnsafeRawBufferPointer, _ part: Range<Int>, at position: Int) -> Bool {
        let length = part.upperBound &- part.lowerBound
        guard position &+ length <= count else { return false }
        guard length > 0, let left = baseAddress, let right = other.baseAddress else { return true }
        let (start, otherStart) = (left + position, right + part.lowerBound)
        guard length >= 8 else {
            var index = 0
            while index < length,
                start.load(fromByteOffset: index, as: UInt8.self)
                    == otherStart.load(fromByteOffset: index, as: UInt8.self)
            { index &+= 1 }
            return index == length
        }
        let last = length &- 8
        var index = 0
        while index < last {
            guard
                start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == otherStart.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            else { return false }
            index &+= 8
        }
        return start.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            == otherStart.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }
}
