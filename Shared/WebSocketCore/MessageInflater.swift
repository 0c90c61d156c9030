/// Decompressor of one peer's messages, in order (RFC 7692 §7.2.2).
package protocol MessageInflater: AnyObject {
    /// Inflates a message, or continues to inflate it. Returns true when the message is complete.
    func inflate(_ message: inout CompressedMessage) throws(FrameError) -> Bool
}
