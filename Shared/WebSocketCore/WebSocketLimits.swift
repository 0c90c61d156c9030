package struct WebSocketLimits: Equatable, Sendable {
    /// Maximum bytes of a control frame's payload (RFC 6455 §5.5).
    package static let controlPayloadBytes = 125
    /// Maximum bytes of a close reason: the payload of a control frame without the close code (RFC 6455 §5.5.1).
    package static let closeReasonBytes = 123
    /// Maximum bytes of a message in a reused buffer. Small, because the spare capacity of such a message is not counted.
    package static let reusedBytes = 4096

    /// Maximum bytes of an incoming message, joined and inflated. A larger one closes the connection with 1009. 128
    /// KiB, as documented for the Messaging API.
    package var messageBytes: Int
    /// Maximum number of frames of an incoming message; fragments can be empty. A message with more frames closes the
    /// connection with 1008. 16,384 allows fragments of 8 bytes.
    package var framesPerMessage: Int

    /// Maximum window bits of the server's compressor, and of the client's if the client lets the server choose. 12: a
    /// compressor takes 39 kB (with 15: 154 kB).
    package static let deflateWindowBits = 12
    /// The minimum of zlib for raw DEFLATE.
    package static let smallestDeflateWindowBits = 9

    /// Returns the maximum bytes of all payloads of a message. A compressed message may exceed ``messageBytes`` by 1/64
    /// and 64 bytes, because DEFLATE adds five bytes per block, and blocks can be as short as 500 bytes. The cap of
    /// about 2 GiB suits zlib's counters.
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
