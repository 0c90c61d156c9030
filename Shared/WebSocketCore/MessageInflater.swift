/// Decompressor of one peer's messages, in order (RFC 7692 §7.2.2). A class that the caller passes to the connection,
/// so that the connection stays a value and this module needs no compression library.
package protocol MessageInflater: AnyObject {
    /// Starts or continues to inflate a message, within the implementation's limits.
    ///
    /// - Returns: true when the message is complete, false when a later call must continue.
    /// - Throws: ``FrameError/messageTooBig(limit:)`` when the message exceeds its limit, ``FrameError/compressedData``
    ///   when its data is invalid.
    func inflate(_ message: inout CompressedMessage) throws(FrameError) -> Bool
}
