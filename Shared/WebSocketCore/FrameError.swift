/// Error in receiving frames, with the close code and reason to send (RFC 6455 §7.4.1).
package enum FrameError: Error, Equatable, Sendable, CustomStringConvertible {
    case reservedBits
    case reservedOpcode(UInt8)
    case fragmentedControl
    case longControl
    case unmaskedClientFrame
    case maskedServerFrame
    case lengthNotMinimal
    case lengthNegative
    case continuationWithoutStart
    case messageInsideMessage
    case closeBodyOfOneByte
    case closeCode(UInt16)
    case notUTF8
    /// RSV1 is set on a frame other than the first of a data message (RFC 7692 §6.1).
    case misplacedCompression
    /// The compressed data is invalid (RFC 7692 §7.2.2).
    case compressedData
    case noMemory
    case messageTooBig(limit: Int)
    case tooManyFrames(limit: Int)

    package var closeCode: CloseCode {
        switch self {
        case .notUTF8, .compressedData: .invalidPayload
        case .messageTooBig: .messageTooBig
        case .noMemory: .internalError
        case .tooManyFrames: .policyViolation
        default: .protocolError
        }
    }

    /// The close reason, at most 123 bytes.
    package var description: String {
        switch self {
        case .reservedBits: "a reserved bit is set, but no extension was agreed on"
        case .reservedOpcode(let raw): "opcode \(raw) is reserved"
        case .fragmentedControl: "control frames must not be fragmented"
        case .longControl: "control frames carry at most \(WebSocketLimits.controlPayloadBytes) bytes"
        case .unmaskedClientFrame: "frames from a client must be masked"
        case .maskedServerFrame: "frames from a server must not be masked"
        case .lengthNotMinimal: "the length must use its shortest form"
        case .lengthNegative: "the highest bit of a length must be zero"
        case .continuationWithoutStart: "continuation frame without a message to continue"
        case .messageInsideMessage: "new message before the last one was finished"
        case .closeBodyOfOneByte: "a close body has no byte or at least two"
        case .closeCode(let raw): "close code \(raw) must not be sent"
        case .notUTF8: "text is not UTF-8"
        case .misplacedCompression: "only the first frame of a data message is marked as compressed"
        case .compressedData: "compressed data is damaged or not complete"
        case .noMemory: "no memory is left to inflate the message"
        case .messageTooBig(let limit): "a message may have \(limit) bytes"
        case .tooManyFrames(let limit): "a message may have \(limit) frames"
        }
    }
}
