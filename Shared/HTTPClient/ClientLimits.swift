package import Clocks

/// Limits of this module that its users do not choose. A test crosses each one except the first.
package enum ClientLimits {
    /// Delay before the next address of a host is tried (RFC 8305 §5 recommends 250 ms).
    static let addressStagger = Interval.milliseconds(250)
    /// Maximum number of addresses tried for one host.
    static let addresses = 8
    /// Timeout for the peer's close frame, and then for its end of stream, after our close frame.
    package static let closeHandshake = Interval.seconds(2)
    /// Size of the pieces in which a file is read.
    static let filePiece = 64 << 10
    /// Maximum memory for a file being sent: output buffer (`SocketLimits/highWaterBytes`) and one piece.
    package static let fileBytes = 320 << 10
    /// Overhead of an unhandled message, added to its bytes.
    package static let messageCost = 256
    /// Maximum number of interim responses (RFC 9110 §15.2), so that a request cannot stay open for ever.
    static let interimResponses = 100
}
