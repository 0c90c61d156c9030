import ServerCore
import SocketTransport
import WebSocketCore

/// An output of ``Server``, executed by ``ServerLoop`` in order after each input. Headers of frames and chunks are written
/// directly to the buffer of the socket.
enum ServerOutput {
    /// Complete frames or chunks.
    case write(SocketID, [UInt8])
    /// A message of a WebSocket; its bytes may be shared by connections.
    case message(SocketID, Opcode, [UInt8])

    case compressed(SocketID, Opcode, [UInt8])
    /// One chunk of a body (RFC 9112 §7.1).
    case chunk(SocketID, [UInt8])
    /// Sends the written bytes now, before other outputs.
    case flush(SocketID)
    case pauseReading(SocketID)
    case resumeReading(SocketID)
    /// Closes once everything written has left.
    case close(Connection)
    case abort(SocketID)
    /// Loses a connection because the unsent bytes of all exceed their limit.
    case overflow(Connection)
    /// Cuts an overdue connection, unless its peer still reads.
    case endOverdue(Connection)
    /// Looks at a connection whose output has waited for a while.
    case lookAtOutput(slot: Int32)
    case resumeAccepting
    case work(AwayWork)
    /// A further turn, after the present work of the loop.
    case again(@Sendable (Server) -> Void)
}
