import Clocks
import ServerCore
import SocketTransport
import WebSocketCore

/// Back-pressure for slow readers.
extension Server {
    /// Returns true if more output may be written now.
    func hasRoom(_ connection: Connection) -> Bool {
        guard connection.pendingBytes > highWaterBytes else { return true }
        if crowded.last?.connection !== connection { crowded.append((connection, isReader: false)) }
        return false
    }

    /// Lets the loop pause reading from a peer that does not read its output.
    func pauseIfSlow(_ connection: Connection) {
        guard connection.pendingBytes > highWaterBytes else { return }
        if crowded.last?.connection === connection { crowded.removeLast() }
        crowded.append((connection, isReader: true))
    }

    /// Records a peer's unsent bytes, and pauses or resumes reading.
    func noteOutput(_ bytes: Int, of connection: Connection, isReader: Bool) {
        connection.pendingBytes = UInt32(clamping: bytes)
        guard connection.pendingBytes > highWaterBytes else { return resume(connection) }
        guard isReader, connection.exchange != nil || connection.webSocket?.isOpen == true,
            !connection.isPaused
        else { return }
        connection.isPaused = true
        outputs.append(.pauseReading(connection.socket))
        setDeadline(nil, of: connection)
    }

    /// Resumes first the output to a peer, then the input from it.
    func resume(_ connection: Connection) {
        continueHistory(of: connection)
        release(connection)
        resumeReading(connection)
        if connection.isFeed { control.serveWatchers() }
    }

    private func resumeReading(_ connection: Connection) {
        guard connection.isPaused, connection.pendingBytes <= highWaterBytes else { return }
        connection.isPaused = false
        setDeadline(nil, of: connection)
        connection.exchange?.value.beginAnew()
        updateDeadline(of: connection)
        guard connection.webSocket?.awaitsInflation != true else { return inflateOn() }
        outputs.append(.resumeReading(connection.socket))
    }

    /// Charges an unfinished message, or ends the connection.
    func charge(_ bytes: Int, ofMessageOn connection: Connection) {
        guard let webSocket = connection.webSocket, !charge(body: bytes, to: connection) else { return }
        guard webSocket.isOpen else { return abort(connection) }
        beginClosing(connection, .tryAgainLater, "no room for the message (limits.bodiesTotalBytes)")
    }

    func setDeadline(_ deadline: Instant?, of connection: Connection) {
        timers.deadlines.note(deadline, for: Int32(connection.socket.slot))
    }
}
