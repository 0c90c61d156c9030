import Texts

/// Assembler of one message's fragments. UTF-8 is checked as they arrive (RFC 6455 §5.4, §5.6, §8.1).
struct MessageAssembler: Sendable {
    /// Nil if no message is incomplete.
    private(set) var opcode: Opcode?
    private var isCompressed = false
    private var bytes: [UInt8] = []
    private var frames = 0
    private var validator = UTF8Validator()

    var byteCount: Int { bytes.count }

    /// Checks the header of a data frame. The caller must append the frame's payload next.
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

    /// Unmasks and appends a payload. Memory grows with the bytes received, not with the announced length.
    mutating func append(_ payload: UnsafeRawBufferPointer, mask: UInt32) throws(FrameError) {
        let start = bytes.count
        Masking.append(payload, to: &bytes, key: mask)
        guard opcode == .text, !isCompressed else { return }
        let isValid = bytes.withUnsafeBytes { whole in
            validator.accept(UnsafeRawBufferPointer(rebasing: whole[start...]))
        }
        guard isValid else { throw .notUTF8 }
    }

    /// Returns the message without copying it. The text of a compressed message is not checked yet.
    mutating func finish() throws(FrameError) -> (opcode: Opcode, bytes: [UInt8], isCompressed: Bool) {
        guard let opcode else { throw .continuationWithoutStart }
        guard validator.isComplete else { throw .notUTF8 }
        let message = (opcode, bytes, isCompressed)
        self = MessageAssembler()
        return message
    }
}
