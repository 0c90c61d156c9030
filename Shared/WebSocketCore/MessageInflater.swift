/// Decompressor of one peer's messages, in order (RFC 7692 §7.2.2). It is a class that the caller passes to the
/// connection. The connection can therefore stay a value type, and this module needs no compression library.
package protocol MessageInflater: AnyObject {
    /// Inflates a message, or continues to inflate it. The implementation limits the work of one call.
    ///
    /// - Returns: true when the message is complete, false if a later call must continue.
    /// - Throws: ``FrameError/messageTooBig(limit:)`` if the message exceeds its limit, ``FrameError/compressedData``
    ///   if its data is invalid.
    func inflate(_ message: inout CompressedMessage) throws(FrameError) -> Bool
}
