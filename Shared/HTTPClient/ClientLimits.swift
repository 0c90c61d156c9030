package import Clocks

/// Limits of this module that its users cannot choose. A test exceeds each of them except the first.
package enum ClientLimits {
    /// Delay before the next address of a host is tried (RFC 8305 §5 recommends 250 ms).
    static let addressStagger = Interval.milliseconds(250)
    /// Maximum number of addresses tried for one host.
    static let addresses = 8
    /// Timeout after our close frame: for the peer's close frame, and then again for the end of the peer's stream.
    package static let closeHandshake = Interval.seconds(2)
    /// Maximum bytes read from a file at a time.
    static let filePiece = 64 << 10
    /// Maximum memory used for a file that is being sent: the output buffer (`SocketLimits/highWaterBytes`) plus one
    /// piece of the file.
    package static let fileBytes = 320 << 10
    /// Bytes that each unhandled message counts in addition to its content.
    package static let messageCost = 256
    /// Maximum number of interim responses to a request (RFC 9110 §15.2). Without a limit, a server could keep a
    /// request open forever.
    static let interimResponses = 100
}
