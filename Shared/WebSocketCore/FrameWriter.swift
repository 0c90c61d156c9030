/// Encoder of frames (RFC 6455 §5.2). Servers send payloads unchanged, so that connections can share them.
package enum FrameWriter {
    /// Appends the header of an unmasked frame: 2, 4 or 10 bytes.
    package static func appendHeader(opcode: Opcode, length: Int, fin: Bool = true, to out: inout [UInt8]) {
        appendHeader(opcode: opcode, length: length, fin: fin, maskBit: 0, to: &out)
    }

    /// Appends the header of a compressed message's only frame, with RSV1 (RFC 7692 §6.1).
    package static func appendCompressedHeader(opcode: Opcode, length: Int, to out: inout [UInt8]) {
        precondition(!opcode.isControl, "RFC 7692 §6")
        let first = out.count
        appendHeader(opcode: opcode, length: length, fin: true, maskBit: 0, to: &out)
        out[first] |= FrameHeader.compressionBit
    }

    /// Appends a frame. `mask` is a client's masking key, whose lowest byte comes first in the frame.
    package static func appendFrame(
        opcode: Opcode, payload: [UInt8], fin: Bool = true, mask: UInt32? = nil, to out: inout [UInt8]
    ) {
        guard let mask else {
            appendHeader(opcode: opcode, length: payload.count, fin: fin, maskBit: 0, to: &out)
            out.append(contentsOf: payload)
            return
        }
        appendHeader(opcode: opcode, length: payload.count, fin: fin, maskBit: 0x80, to: &out)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            out.append(UInt8(truncatingIfNeeded: mask >> shift))
        }
        payload.withUnsafeBytes { Masking.append($0, to: &out, key: mask) }
    }

    private static func appendHeader(
        opcode: Opcode, length: Int, fin: Bool, maskBit: UInt8, to out: inout [UInt8]
    ) {
        precondition(
            !opcode.isControl || (fin && length <= WebSocketLimits.controlPayloadBytes), "RFC 6455 §5.5")
        out.append((fin ? 0x80 : 0) | opcode.rawValue)
        if length < 126 {
            out.append(maskBit | UInt8(truncatingIfNeeded: length))
        } else if length <= 0xFFFF {
            out.append(maskBit | 126)
            out.append(UInt8(truncatingIfNeeded: length >> 8))
            out.append(UInt8(truncatingIfNeeded: length))
        } else {
            out.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                out.append(UInt8(truncatingIfNeeded: UInt64(length) >> UInt64(shift)))
            }
        }
    }
}
