/// Limits of one connection.
package struct WebSocketLimits: Equatable, Sendable {
    /// Maximum bytes of a control frame's payload (RFC 6455 §5.5).
    package static let controlPayloadBytes = 125
    /// Maximum bytes of a close reason: the payload of a control frame without the close code (RFC 6455 §5.5.1).
    package static let closeReasonBytes = 123

    /// Maximum bytes of one incoming message, after joining its fragments and inflating it. 128 KiB, as documented for
    /// the Messaging API. When it becomes known that a message is larger, the connection is closed with 1009.
    package var messageBytes: Int
    /// Maximum number of frames of one incoming message. It is needed because fragments can be empty. 16,384: allows
    /// fragments of 8 bytes. A message with more frames closes the connection with 1008.
    package var framesPerMessage: Int

    /// Window bits of permessage-deflate, if the peer leaves the choice. 12 means a window of 4 KiB. A compressor then
    /// takes 38 kB instead of 260 kB. Messages rarely exceed 2 kB.
    package static let deflateWindowBits = 12
    /// The smallest window that zlib supports for raw DEFLATE.
    package static let smallestDeflateWindowBits = 9

    /// Returns the maximum bytes of a message's payload in frames. Compression can enlarge data: DEFLATE adds five
    /// bytes to each block, and with little memory a block has about 500 bytes. A compressed payload may therefore be
    /// 1/64 larger than the message. The result is capped at about 2 GiB, which zlib's counters can express.
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
