/// Bounds of one connection. Each is crossed by a test in `LimitTests`.
package struct Limits: Equatable, Sendable {
    /// Payload bytes of a control frame (RFC 6455 §5.5).
    package static let controlPayloadBytes = 125
    /// Bytes of a close reason: a control payload without the two bytes of the code (RFC 6455 §5.5.1).
    package static let closeReasonBytes = 123

    /// Bytes of one incoming message, all fragments together, inflated. 128 KiB: what the Messaging API
    /// documents for a client's message. More is answered with 1009 as soon as a header announces it, or as soon
    /// as that much was inflated.
    package var messageBytes: Int
    /// Frames of one incoming message. 16,384: a full message in pieces of 8 bytes. Fragments may be empty, so
    /// the byte limit alone would let a message go on for ever. More is answered with 1008.
    package var framesPerMessage: Int

    /// Window of permessage-deflate, as a power of two, where the peer leaves the choice: 4 KiB. A compressor with
    /// 32 KiB takes 260 kB, one with 4 KiB 38 kB, and a message of this protocol rarely has more than 2 kB.
    package static let deflateWindowBits = 12
    /// The smallest window that zlib compresses for: it has no raw DEFLATE with 8 bits.
    package static let smallestDeflateWindowBits = 9

    /// Bytes of a message as its frames carry it. DEFLATE stores what it cannot compress in blocks, at the cost of
    /// five bytes for each: a compressor with little memory makes blocks of some 500 bytes, so 1/64 more will do.
    /// Never more than zlib can count in one go.
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
