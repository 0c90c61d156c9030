/// Inflates the messages that one peer sends, in their order (RFC 7692 §7.2.2).
///
/// A reference that the caller of ``WebSocketConnection/receive(_:inflater:_:)`` keeps and lends: the connection
/// itself stays a value, and this module knows no compression library.
package protocol MessageInflater: AnyObject {
    /// The message as its sender meant it.
    ///
    /// - Parameters:
    ///   - packed: the payloads of all frames of a message, as they came.
    ///   - limit: bytes that the message may have when it is inflated.
    /// - Returns: its bytes, not checked for being text.
    /// - Throws: ``FrameError/messageTooBig(limit:)`` as soon as there is more, or
    ///   ``FrameError/compressedData`` when `packed` is not what a compressor makes.
    func inflate(_ packed: [UInt8], limit: Int) throws(FrameError) -> [UInt8]
}
