import Clocks
import DialectKit
import ServerCore
import WebSocketCore

/// What sockets and timers do for a ``Server``: in the server they are the loop's, in tests a list of what left.
protocol ConnectionShell: AnyObject {
    /// More may be written to it before the peer has read.
    func hasRoom(_ connection: Connection) -> Bool

    /// Sends one whole message.
    func put(_ message: [UInt8], on connection: Connection)

    /// Sends bytes that are frames or chunks already.
    func write(_ bytes: [UInt8], on connection: Connection)

    /// What was written leaves now, not with all that the server still has to write.
    func flush(_ connection: Connection)

    /// Hears what a client sent, at once.
    func hear(_ piece: LateInput.Piece, from connection: Connection)

    /// Reads nothing more from a peer that has too much to read itself.
    func pauseIfSlow(_ connection: Connection)

    /// Has messages put together away from the loop, then calls ``Server/deliver(_:as:)`` with this
    /// number; at once in a shell without a queue for that work.
    func makeAway(_ later: ToldLater, as number: UInt64)

    /// Starts the close handshake of a WebSocket, or says the last words of a stream.
    func beginClosing(_ connection: Connection, _ code: CloseCode, _ reason: String)

    /// Closes once everything written has left.
    func close(_ connection: Connection)

    /// Closes now, and forgets the connection.
    func abort(_ connection: Connection)

    /// When the connection times out; nil: never.
    func setDeadline(_ deadline: Instant?, of connection: Connection)

    /// When to call ``Server/catchUp(_:)``; nil: no time changes anything.
    func setValve(_ deadline: Instant?, of connection: Connection)

    /// When to call ``Server/advanceEncoder(of:to:)`` for the session in this slot; nil: never.
    func setEncoder(_ deadline: Instant?, of slot: Int32)
}
