/// At most ``capacity`` bytes, stored in place: a buffer without an allocation. Public and inlinable, because other modules
/// read them for every message.
public struct InlineBytes: Sendable {
    /// 112 bytes. A message's object has 188 with them, and the allocator's next class ends at 200 (glibc) or 192 (Darwin).
    public typealias Place = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64,
        UInt64
    )

    /// Maximum number of bytes.
    @inlinable public static var capacity: Int { MemoryLayout<Place>.size }

    @usableFromInline let place: Place

    /// Creates bytes that `write` fills; those it leaves out are 0.
    @inlinable
    public init(_ write: (UnsafeMutableRawBufferPointer) -> Void) {
        var place: Place = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &place, write)
        self.place = place
    }

    /// Lends all bytes to `body`.
    @inlinable
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Swift.withUnsafeBytes(of: place, body)
    }
}
