/// Inflates the messages that one peer sends, in their order (RFC 7692 §7.2.2).
///
/// A reference that the caller of ``WebSocketConnection/receive(_:inflater:_:)`` keeps and lends: the connection
/// itself stays a value, and this module knows no compression library.
package protocol MessageInflater: AnyObject {
    /// Inflates a message, or goes on with it, as far as the inflater's owner allows at the moment.
    ///
    /// No other message is begun before this one is whole, unless its connection is given up.
    ///
    /// - Returns: true when the message is whole, false when it goes on in a later call.
    /// - Throws: ``FrameError/messageTooBig(limit:)`` as soon as there is more than its limit, or
    ///   ``FrameError/compressedData`` when it is not what a compressor makes.
    func inflate(_ message: inout CompressedMessage) throws(FrameError) -> Bool
}
