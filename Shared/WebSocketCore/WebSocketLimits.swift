/// Limits of one connection.
package struct WebSocketLimits: Equatable, Sendable {
    /// Payload of a control frame in bytes (RFC 6455 §5.5).
    package static let controlPayloadBytes = 125
    /// Close reason in bytes: the payload of a control frame without the code (RFC 6455 §5.5.1).
    package static let closeReasonBytes = 123

    /// Size limit of one incoming message, with all fragments and inflated. 128 KiB, as documented for the Messaging
    /// API. A larger message closes the connection with 1009 as soon as this is known.
    package var messageBytes: Int
    /// Frames of one incoming message. 16,384: fragments of 8 bytes. Fragments may be empty. Closes with 1008.
    package var framesPerMessage: Int

    /// Window bits of permessage-deflate where the peer allows a choice. 12, a window of 4 KiB: a compressor takes 38
    /// kB instead of 260 kB, and messages rarely exceed 2 kB.
    package static let deflateWindowBits = 12
    /// The smallest window that zlib supports for raw DEFLATE.
    package static let smallestDeflateWindowBits = 9

    /// Returns the limit of a message's payload in frames. Incompressible data grows: DEFLATE adds five bytes to each
    /// block, of some 500 bytes with little memory, so 1/64 more is allowed. The limit stays below what zlib can count.
    func frameBytes(isCompressed: Bool) -> Int {
        guard isCompressed else { return messageBytes }
        let most = min(messageBytes, 1 << 31)
        return most + most / 64 + 64
    }

    package init(messageBytes: Int = 131_072, framesPerMessage: Int = 16_384) {
        self.messageBytes = messageBytes
        self.framesPerMessage = framesPerMessage
    }
}
