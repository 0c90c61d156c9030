import Texts

/// A compressed message that is inflated in steps of limited size (RFC 7692 §6.2). Invalid UTF-8 is reported at the
/// end, so that the close code does not depend on the steps.
package struct CompressedMessage: Sendable {
    let opcode: Opcode
    /// The payloads of all frames, still compressed.
    package let packed: [UInt8]
    package let limit: Int
    package var place = Place()
    package private(set) var bytes: [UInt8] = []
    private var validator = UTF8Validator()
    private var isUTF8 = true

    package struct Place: Equatable, Sendable {
        /// Bytes read of `packed` or, if `isAtTail`, of the tail that compressors omit (RFC 7692 §7.2.2).
        package var read = 0
        package var isAtTail = false

        package init() {}
    }

    package init(_ opcode: Opcode, _ packed: [UInt8], limit: Int) {
        self.opcode = opcode
        self.packed = packed
        self.limit = limit
    }

    var byteCount: Int { packed.count + bytes.count }

    package var room: Int { limit - bytes.count }

    /// Appends a piece of at most ``room`` bytes.
    package mutating func append(_ piece: UnsafeRawBufferPointer) {
        let count = bytes.count + piece.count
        if count > bytes.capacity { bytes.reserveCapacity(min(max(count, 2 * bytes.count), limit)) }
        bytes.append(contentsOf: piece)
        if opcode == .text, isUTF8 { isUTF8 = validator.accept(piece) }
    }

    /// Returns the whole message. Throws if it is text and not valid UTF-8.
    func finish() throws(FrameError) -> [UInt8] {
        guard isUTF8, validator.isComplete else { throw .notUTF8 }
        return bytes
    }
}
