import SocketTransport
import WebSocketCore

/// Output of ``Server``, executed in order after each input.
enum ServerOutput {
    /// Bytes that are written as they are.
    case write(SocketID, [UInt8])
    /// A short WebSocket message: a range of ``Server/framed``, with its header.
    case frame(SocketID, Range<UInt32>)
    /// A long WebSocket message. Connections may share its bytes.
    case message(SocketID, Opcode, [UInt8])

    case compressed(SocketID, Opcode, [UInt8])
    /// One chunk of a body (RFC 9112 §7.1).
    case chunk(SocketID, [UInt8])
    /// Sends the written bytes now, before other outputs.
    case flush(SocketID)
    case pauseReading(SocketID)
    case resumeReading(SocketID)
    /// Closes the connection after all written bytes were sent.
    case close(Connection)
    case abort(SocketID)
    /// Drops a connection because all connections together have too many unsent bytes.
    case overflow(Connection)
    /// Cuts a connection whose deadline has passed, unless its peer still reads output.
    case endOverdue(Connection)
    /// Checks a connection whose output has waited for a while.
    case lookAtOutput(slot: Int32)
    case resumeAccepting
    case work(AwayWork)
    /// Requests another turn of the loop, after its current work.
    case again(@Sendable (Server) -> Void)
}
