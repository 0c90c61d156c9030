/// Bytes that never change. Up to ``capacity`` of them are stored in place, without an allocation (small-buffer
/// optimization). Public and inlinable, because other modules read them for every message.
public struct InlineBytes: Sendable {
    /// 104 bytes, the most that a short message's object has room for in the allocator's class of 208 bytes.
    public typealias Place = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
    )

    /// Bytes that fit in place.
    @inlinable public static var capacity: Int { MemoryLayout<Place>.size }

    @usableFromInline let place: Place
    /// All bytes, where they are more.
    @usableFromInline let long: [UInt8]?
    /// Number of bytes.
    public let count: Int

    /// Creates `count` bytes that `write` fills; those it leaves out are 0.
    @inlinable
    public init(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        var place: Place = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        var long: [UInt8]?
        if count <= Self.capacity {
            withUnsafeMutableBytes(of: &place) {
                write(UnsafeMutableRawBufferPointer(rebasing: $0[..<count]))
            }
        } else {
            var bytes = [UInt8](repeating: 0, count: count)
            bytes.withUnsafeMutableBytes(write)
            long = bytes
        }
        self.place = place
        self.long = long
        self.count = count
    }

    /// Lends the bytes to `body`.
    @inlinable
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let long { return long.withUnsafeBytes(body) }
        return Swift.withUnsafeBytes(of: place) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// The bytes of `range` as text.
    package func text(_ range: Range<Int>) -> String {
        withUnsafeBytes { String(decoding: UnsafeRawBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }
}
