/// Bounds of one connection. Each is crossed by a test in `LimitTests`.
package struct Limits: Equatable, Sendable {
    /// Payload bytes of a control frame (RFC 6455 §5.5).
    package static let controlPayloadBytes = 125
    /// Bytes of a close reason: a control payload without the two bytes of the code (RFC 6455 §5.5.1).
    package static let closeReasonBytes = 123

    /// Bytes of one incoming message, all fragments together. 128 KiB: what the Messaging API
    /// documents for a client's message. More is answered with 1009 as soon as a header announces it.
    package var messageBytes: Int
    /// Frames of one incoming message. 16,384: a full message in pieces of 8 bytes. Fragments may be empty, so
    /// the byte limit alone would let a message go on for ever. More is answered with 1008.
    package var framesPerMessage: Int

    package init(messageBytes: Int = 131_072, framesPerMessage: Int = 16_384) {
        self.messageBytes = messageBytes
        self.framesPerMessage = framesPerMessage
    }
}
