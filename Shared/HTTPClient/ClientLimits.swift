package import Clocks

/// Limits that users of this module cannot choose.
package enum ClientLimits {
    /// Delay before the next address of a host is tried (RFC 8305 §5 recommends 250 ms).
    static let addressStagger = Interval.milliseconds(250)
    static let addresses = 8
    /// Timeout for the peer's close frame, and again for the end of its stream.
    package static let closeHandshake = Interval.seconds(2)
    static let filePiece = 64 << 10
    /// Memory for a file that is being sent: the output buffer (`SocketLimits/highWaterBytes`) and one piece.
    package static let fileBytes = 320 << 10
    /// Bytes that each unhandled message counts in addition to its content.
    package static let messageCost = 256
    /// Maximum interim responses to a request (RFC 9110 §15.2). Without it, a server could keep a request open forever.
    static let interimResponses = 100
}
