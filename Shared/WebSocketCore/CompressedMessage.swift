import Texts

/// A compressed message being inflated in bounded steps (RFC 7692 §6.2).
///
/// UTF-8 is checked step by step, without a second pass over the whole. An error in the text is reported at the end: a
/// message that is also damaged or too long closes with that error's code, however the message was cut.
package struct CompressedMessage: Sendable {
    let opcode: Opcode
    /// The payloads of all its frames, as they came.
    package let packed: [UInt8]
    /// The most bytes the inflated message may have.
    package let limit: Int
    /// The inflater's position.
    package var place = Place()
    /// The inflated bytes so far.
    package private(set) var bytes: [UInt8] = []
    private var validator = UTF8Validator()
    private var isUTF8 = true

    /// A position in the compressed input.
    package struct Place: Equatable, Sendable {
        /// Bytes that were read of `packed`; then of the four that every compressor leaves out (RFC 7692 §7.2.2).
        package var read = 0
        /// All of `packed` was read.
        package var isAtTail = false

        package init() {}
    }

    package init(_ opcode: Opcode, _ packed: [UInt8], limit: Int) {
        self.opcode = opcode
        self.packed = packed
        self.limit = limit
    }

    /// Bytes of memory held, compressed and inflated.
    var byteCount: Int { packed.count + bytes.count }

    /// Inflated bytes left below ``limit``.
    package var room: Int { limit - bytes.count }

    /// Takes the next inflated bytes, ``room`` at most. As much memory at a time as there is already, but not beyond the
    /// limit.
    package mutating func append(_ piece: UnsafeRawBufferPointer) {
        let count = bytes.count + piece.count
        if count > bytes.capacity { bytes.reserveCapacity(min(max(count, 2 * bytes.count), limit)) }
        bytes.append(contentsOf: piece)
        if opcode == .text, isUTF8 { isUTF8 = validator.accept(piece) }
    }

    /// The whole message.
    func finish() throws(FrameError) -> [UInt8] {
        guard isUTF8, validator.isComplete else { throw .notUTF8 }
        return bytes
    }
}
