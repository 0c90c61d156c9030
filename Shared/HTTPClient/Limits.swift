package import Clocks

/// Bounds of this module that its users do not choose: name, unit, default, reason. All but the first are crossed by a test.
package enum ClientLimits {
    /// Between the first tries of two addresses of a host (RFC 8305 §5 recommends 250 ms).
    static let addressStagger = Interval.milliseconds(250)
    /// Addresses of one host that are tried. 8: two families with a few machines each.
    static let addresses = 8
    /// Time to wait for the peer's Close, and then for its end of stream, after our Close. 2 s: a round trip
    /// and some margin.
    package static let closeHandshake = Interval.seconds(2)
    /// Size of the pieces in which a file is read. 64 KiB: a few system calls for a picture.
    static let filePiece = 64 << 10
    /// Memory used for a file being sent: the waiting output (256 KiB,
    /// `SocketTransport.Limits/highWaterBytes`) and one piece.
    package static let fileBytes = 320 << 10
    /// Overhead of a waiting message, in addition to its bytes.
    package static let messageCost = 256
    /// Interim responses (RFC 9110 §15.2) before the answer. 100: no client needs more than a few, and a
    /// server that never stops sending them would keep a request open for ever.
    static let interimResponses = 100
}
