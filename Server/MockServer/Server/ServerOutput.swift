import ServerCore
import SocketTransport
import WebSocketCore

/// An effect of a ``Server`` outside of it. ``ServerLoop`` performs them in order after each input. Frames and chunks are put
/// together where they are sent, in the buffer of their socket.
enum ServerOutput {
    /// Bytes that are frames or chunks already.
    case write(SocketID, [UInt8])
    /// One whole message of a WebSocket, whose bytes other connections may share.
    case message(SocketID, Opcode, [UInt8])
    /// One whole message that is compressed already.
    case compressed(SocketID, Opcode, [UInt8])
    /// One chunk of a body (RFC 9112 §7.1).
    case chunk(SocketID, [UInt8])
    /// Sends the written bytes now, not with all that the server still has to write.
    case flush(SocketID)
    case pauseReading(SocketID)
    case resumeReading(SocketID)
    /// Closes once everything written has left.
    case close(Connection)
    case abort(SocketID)
    /// More waits for all connections than may: this one is lost.
    case overflow(Connection)
    /// Its time is over: it is cut, unless its peer still takes of what was written.
    case endOverdue(Connection)
    /// Much has waited for its peer for a while.
    case lookAtOutput(slot: Int32)
    case resumeAccepting
    /// Work for a queue; ``Server`` goes on with the result.
    case work(AwayWork)
    /// A further turn, after the work that the loop has already.
    case again(@Sendable (Server) -> Void)
}
