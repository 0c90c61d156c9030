import Texts

/// Assembler of the fragments of one message, with an incremental UTF-8 check (RFC 6455 §5.4, §5.6, §8.1).
struct MessageAssembler: Sendable {
    /// The opcode of the incomplete message; nil without one.
    private(set) var opcode: Opcode?
    private var isCompressed = false
    private var bytes: [UInt8] = []
    private var frames = 0
    private var validator = UTF8Validator()

    var byteCount: Int { bytes.count }

    /// Checks the header of a data frame. Its payload must follow unless an error is thrown.
    mutating func begin(_ header: FrameHeader, _ limits: WebSocketLimits) throws(FrameError) {
        if header.opcode == .continuation {
            guard opcode != nil else { throw .continuationWithoutStart }
        } else {
            guard opcode == nil else { throw .messageInsideMessage }
            opcode = header.opcode
            isCompressed = header.isCompressed
        }
        guard header.length <= limits.frameBytes(isCompressed: isCompressed) - bytes.count else {
            throw .messageTooBig(limit: limits.messageBytes)
        }
        guard frames < limits.framesPerMessage else { throw .tooManyFrames(limit: limits.framesPerMessage) }
        frames += 1
    }

    /// Appends unmasked payload bytes. Memory grows with the received bytes, not the announced length.
    mutating func append(_ payload: UnsafeRawBufferPointer, mask: UInt32) throws(FrameError) {
        let start = bytes.count
        Masking.append(payload, to: &bytes, key: mask)
        guard opcode == .text, !isCompressed else { return }
        let isValid = bytes.withUnsafeBytes { whole in
            validator.accept(UnsafeRawBufferPointer(rebasing: whole[start...]))
        }
        guard isValid else { throw .notUTF8 }
    }

    /// Returns the complete message without a copy. The text of a compressed message is still unchecked.
    mutating func finish() throws(FrameError) -> (opcode: Opcode, bytes: [UInt8], isCompressed: Bool) {
        guard let opcode else { throw .continuationWithoutStart }
        guard validator.isComplete else { throw .notUTF8 }
        let message = (opcode, bytes, isCompressed)
        self = MessageAssembler()
        return message
    }
}
