/// Object whose words are in the texts of several rows, such as a user's message.
package protocol RowSource: AnyObject, Sendable {
    /// Calls `body` with the UTF-8 bytes of the message's text and metadata; returns nil if there is no text.
    func withRowWords<Result>(
        _ body: (_ text: UnsafeRawBufferPointer, _ metadata: UnsafeRawBufferPointer?) -> Result
    ) -> Result?
}

extension RowSource {
    package func withRowWords<Result>(
        _ body: (_ text: UnsafeRawBufferPointer, _ metadata: UnsafeRawBufferPointer?) -> Result
    ) -> Result? { nil }
}

/// What stands around the words of a message in a row's text. A row of which the words are in the journal keeps no text,
/// which saves 155 bytes of a short message.
struct RowPattern: Sendable {
    private let prefix: [UInt8]
    /// Nil if the metadata is not in the text.
    private let middle: [UInt8]?
    private let suffix: [UInt8]
    private var count: Int { prefix.count + (middle?.count ?? 0) + suffix.count }

    /// Finds the words in `raw`: the text alone, or as a JSON string before the metadata. Nil if they are not there as
    /// they are, for example because of an escape.
    init?(
        _ raw: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ metadata: UnsafeRawBufferPointer?
    ) {
        if raw.has(text, at: 0), raw.count == text.count {
            (prefix, middle, suffix) = ([], nil, [])
            return
        }
        guard let start = raw.indices.first(where: { $0 > 0 && raw[$0 - 1] == 0x22 && raw.has(text, at: $0) })
        else { return nil }
        let end = start + text.count
        prefix = Array(raw[..<start])
        guard let metadata else {
            (middle, suffix) = (nil, Array(raw[end...]))
            return
        }
        guard
            let next = raw[end...].indices.first(where: {
                raw[$0] == metadata.first && raw.has(metadata, at: $0)
            })
        else { return nil }
        (middle, suffix) = (Array(raw[end..<next]), Array(raw[(next + metadata.count)...]))
    }

    /// Whether `raw` is the pattern with these words.
    func matches(
        _ raw: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ metadata: UnsafeRawBufferPointer?
    ) -> Bool {
        guard raw.count == count + text.count + (middle == nil ? 0 : metadata?.count ?? 0) else {
            return false
        }
        var position = 0
        func takes(_ part: UnsafeRawBufferPointer) -> Bool {
            defer { position += part.count }
            return raw.has(part, at: position)
        }
        guard prefix.withUnsafeBytes(takes), takes(text) else { return false }
        if let middle {
            guard let metadata, middle.withUnsafeBytes(takes), takes(metadata) else { return false }
        }
        return suffix.withUnsafeBytes(takes)
    }

    func raw(_ text: UnsafeRawBufferPointer, _ metadata: UnsafeRawBufferPointer?) -> [UInt8] {
        guard let middle, let metadata else { return prefix + text + suffix }
        return prefix + text + middle + metadata + suffix
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `part` is at `position`. Compares eight bytes at a time, which takes 150 instructions for a short message.
    fileprivate func has(_ part: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard position <= count - part.count else { return false }
        var offset = 0
        while offset + 8 <= part.count {
            guard
                loadUnaligned(fromByteOffset: position + offset, as: UInt64.self)
                    == part.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < part.count {
            guard self[position + offset] == part[offset] else { return false }
            offset += 1
        }
        return true
    }
}
