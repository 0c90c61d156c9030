import Clocks
import ServerCore
import SocketTransport
import WebSocketCore

/// Peers that read too slowly. How much waits for them the loop knows: it is asked once what is to be written is written.
extension Server {
    /// More may be written to it before the peer has read. Where it seems not, ``ServerLoop`` looks, and has it go on
    /// if there is room.
    func hasRoom(_ connection: Connection) -> Bool {
        guard connection.pendingBytes > highWaterBytes else { return true }
        if crowded.last?.connection !== connection { crowded.append((connection, isReader: false)) }
        return false
    }

    /// A peer that asks for more than it reads is not read from until it has caught up. That slows it down
    /// (RFC 9293 §3.8.6) and bounds what waits for it, pings included.
    func pauseIfSlow(_ connection: Connection) {
        // Nearly always the reason to leave, so asked first.
        guard connection.pendingBytes > highWaterBytes else { return }
        if crowded.last?.connection === connection { crowded.removeLast() }
        crowded.append((connection, isReader: true))
    }

    /// So many bytes wait for it now; `isReader`: it is not read from before they are fewer.
    func noteOutput(_ bytes: Int, of connection: Connection, isReader: Bool) {
        connection.pendingBytes = UInt32(clamping: bytes)
        guard connection.pendingBytes > highWaterBytes else { return goOn(connection) }
        guard isReader, connection.exchange != nil || connection.webSocket?.isOpen == true,
            !connection.isPaused
        else { return }
        connection.isPaused = true
        outputs.append(.pauseReading(connection.socket))
        setDeadline(nil, of: connection)
    }

    /// Its peer has read.
    func goOn(_ connection: Connection) {
        continueHistory(of: connection)
        release(connection)
        readOn(connection)
        if connection.isFeed { control.serveWatchers() }
    }

    /// Goes on after ``pauseIfSlow(_:)``.
    private func readOn(_ connection: Connection) {
        guard connection.isPaused, connection.pendingBytes <= highWaterBytes else { return }
        connection.isPaused = false
        setDeadline(nil, of: connection)
        connection.exchange?.value.beginAnew()
        updateDeadline(of: connection)
        guard connection.webSocket?.isBehind != true else { return inflateOn() }
        outputs.append(.resumeReading(connection.socket))
    }

    /// Charges what has come of a message that is not whole; where there is no room, its connection closes with 1013, "try
    /// again later" (IANA, WebSocket close codes).
    func charge(_ bytes: Int, ofMessageOn connection: Connection) {
        guard let webSocket = connection.webSocket, !charge(body: bytes, to: connection) else { return }
        guard webSocket.isOpen else { return abort(connection) }
        beginClosing(connection, .tryAgainLater, "no room for the message (limits.bodiesTotalBytes)")
    }

    func setDeadline(_ deadline: Instant?, of connection: Connection) {
        timers.deadlines.note(deadline, for: Int32(connection.socket.slot))
    }
}
