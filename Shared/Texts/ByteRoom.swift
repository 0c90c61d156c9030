/// Short text that is written to the stack, and then appended to an array in one call.
///
/// An append of its own for each part takes some 100 instructions: together 470 of the 37,200 of a round trip.
///
/// Public, because the compiler inlines only public functions into other modules.
public struct ByteRoom {
    @usableFromInline let memory: UnsafeMutableRawBufferPointer
    @usableFromInline var count = 0

    @inlinable
    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    @inlinable
    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Writes a constant text.
    @inlinable
    @inline(__always)
    public mutating func literal(_ text: StaticString) {
        write(atMost: text.utf8CodeUnitCount) { room in
            room.copyMemory(from: UnsafeRawBufferPointer(start: text.utf8Start, count: room.count))
            return room.count
        }
    }

    /// Maximum bytes of ``string(_:)``.
    package static func stringBytes(_ text: String) -> Int { 6 * text.utf8.count + 2 }

    /// Writes a quoted JSON string.
    package mutating func string(_ text: String) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { text in
            let text = UnsafeRawBufferPointer(text)
            guard PlainText.length(text, from: 0, isASCII: false) == text.count else { return false }
            literal("\"")
            write(text)
            literal("\"")
            return true
        }
        guard isPlain != true else { return }
        var bytes: [UInt8] = []
        JSONWriter.string(text, into: &bytes)
        bytes.withUnsafeBytes { write($0) }
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
        write(atMost: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }

    package mutating func integer(_ number: Int64) {
        if number < 0 { literal("-") }
        integer(number.magnitude)
    }

    /// Returns what `use` makes of at most `size` bytes, which `fill` writes.
    package static func text(
        atMost size: Int, _ fill: (inout ByteRoom) -> Void, _ use: (UnsafeRawBufferPointer) -> String
    ) -> String {
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
            var room = ByteRoom(memory)
            fill(&room)
            return use(room.written)
        }
    }

    package mutating func integer(_ number: UInt64) {
        var (digits, rest) = (1, number)
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        write(atMost: digits) { room in
            rest = number
            for place in stride(from: digits - 1, through: 0, by: -1) {
                room[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return digits
        }
    }

    /// Lets `fill` write at most `size` bytes and return their number.
    @inlinable
    @inline(__always)
    public mutating func write(atMost size: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        precondition(size <= memory.count - count, "the text is longer than its room")
        let length = fill(UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + size]))
        precondition(length <= size)
        count += length
    }

    /// Appends at most `size` bytes, which `fill` writes.
    @inlinable
    @inline(__always)
    public static func append(atMost size: Int, to bytes: inout [UInt8], _ fill: (inout ByteRoom) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
            var room = ByteRoom(memory)
            fill(&room)
            bytes.append(contentsOf: room.written)
        }
    }
}
