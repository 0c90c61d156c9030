/// Header of a frame, checked as far as possible without other frames (RFC 6455 §5.2).
struct FrameHeader: Sendable {
    var opcode: Opcode
    var fin: Bool
    /// RSV1: the message is compressed (RFC 7692 §6).
    var isCompressed: Bool
    var length: Int
    /// Masking key. Its lowest byte comes first in the frame. 0 if not masked.
    var mask: UInt32
    var size: Int

    /// RSV1 in the first byte.
    static let compressionBit: UInt8 = 0x40

    /// Parses a header. Nil if incomplete. `reservedBits` are the first byte's bits that negotiated extensions use.
    static func parse(
        _ bytes: UnsafeRawBufferPointer, from sender: WebSocketConnection.Role, reservedBits: UInt8
    ) throws(FrameError) -> FrameHeader? {
        guard bytes.count >= 2 else { return nil }
        let first = bytes[0]
        let second = bytes[1]
        guard first & 0x70 & ~reservedBits == 0 else { throw .reservedBits }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode(first & 0x0F) }
        let fin = first & 0x80 != 0
        // Without permessage-deflate, the reserved bit was already refused above.
        let isCompressed = first & compressionBit != 0
        if isCompressed, opcode != .text, opcode != .binary { throw .misplacedCompression }
        let isMasked = second & 0x80 != 0
        let short = Int(second & 0x7F)
        if opcode.isControl {
            guard fin else { throw .fragmentedControl }
            guard short <= WebSocketLimits.controlPayloadBytes else { throw .longControl }
        }
        switch sender {
        case .client: guard isMasked else { throw .unmaskedClientFrame }
        case .server: guard !isMasked else { throw .maskedServerFrame }
        }
        guard let (length, lengthEnd) = try length(bytes, short: short) else { return nil }
        guard isMasked else {
            return FrameHeader(
                opcode: opcode, fin: fin, isCompressed: isCompressed, length: length, mask: 0, size: lengthEnd
            )
        }
        guard bytes.count >= lengthEnd + 4 else { return nil }
        let mask = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: lengthEnd, as: UInt32.self))
        return FrameHeader(
            opcode: opcode, fin: fin, isCompressed: isCompressed, length: length, mask: mask,
            size: lengthEnd + 4)
    }

    private static func length(
        _ bytes: UnsafeRawBufferPointer, short: Int
    ) throws(FrameError) -> (length: Int, end: Int)? {
        switch short {
        case 126:
            guard bytes.count >= 4 else { return nil }
            let length = Int(bytes[2]) << 8 | Int(bytes[3])
            guard length >= 126 else { throw .lengthNotMinimal }
            return (length, 4)
        case 127:
            guard bytes.count >= 10 else { return nil }
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length >> 63 == 0 else { throw .lengthNegative }
            guard length > 0xFFFF else { throw .lengthNotMinimal }
            return (Int(clamping: length), 10)
        default:
            return (short, 2)
        }
    }
}
