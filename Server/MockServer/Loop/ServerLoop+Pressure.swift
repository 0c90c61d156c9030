import Clocks
import DialectKit
import HTTPCore
import ServerCore
import SocketTransport
import WebSocketCore

/// Peers that read too slowly.
extension ServerLoop {
    func hasRoom(_ connection: Connection) -> Bool {
        sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes
    }

    /// A peer that asks for more than it reads is not read from until it has caught up. That slows it down
    /// (RFC 9293 §3.8.6) and bounds what waits for it, pings included.
    func pauseIfSlow(_ connection: Connection) {
        // Nearly always the reason to leave, so asked first.
        guard !hasRoom(connection),
            connection.exchange != nil || connection.webSocket?.isOpen == true, !connection.isPaused
        else { return }
        connection.isPaused = true
        sockets.pauseReading(connection.socket)
        setDeadline(nil, of: connection)
    }

    /// Goes on after ``pauseIfSlow(_:)``.
    func readOn(_ connection: Connection) {
        guard connection.isPaused, hasRoom(connection) else { return }
        connection.isPaused = false
        setDeadline(nil, of: connection)
        connection.exchange?.value.beginAnew()
        updateDeadline(of: connection)
        guard connection.webSocket?.isBehind != true else { return inflateOn() }
        sockets.resumeReading(connection.socket)
    }

    /// Charges what has come of a message that is not whole; where there is no room, its connection closes with 1013, "try
    /// again later" (IANA, WebSocket close codes).
    func charge(_ bytes: Int, ofMessageOn connection: Connection) {
        guard let webSocket = connection.webSocket, !server.charge(body: bytes, to: connection) else {
            return
        }
        guard webSocket.isOpen else { return abort(connection) }
        beginClosing(connection, .tryAgainLater, "no room for the message (limits.bodiesTotalBytes)")
    }

    // MARK: - Output that waits

    /// Much waits for the peer: it has to take something from time to time.
    func watchOutput(of connection: Connection) {
        guard connection.stall == nil else { return }
        noteOutput(of: connection)
        timers.stalls.note(
            clock.now + configuration.limits.stallTime, for: Int32(connection.socket.slot))
    }

    func endOutputWatch(of connection: Connection) {
        connection.stall = nil
        timers.stalls.remove(Int32(connection.socket.slot))
    }

    /// Looks at peers for which much waits. A slow reader is fine; only one that takes nothing is cut.
    func watchStalls(at now: Instant) {
        for due in timers.stalls.takeDue(by: now) {
            guard let connection = server.connections[Int(due.slot)] else { continue }
            if isStalled(connection, at: now) {
                cutStalled(connection)
            } else {
                timers.stalls.note(
                    (connection.stall?.since ?? now) + configuration.limits.stallTime, for: due.slot)
            }
        }
    }

    /// A connection that is to close has output left: it may take as long as the peer takes something of it.
    ///
    /// - Returns: false when nothing is left, or was not since the last look.
    func waitsForOutput(_ connection: Connection) -> Bool {
        let now = clock.now
        guard sockets.pendingBytes(connection.socket) > 0 else {
            // The last of it may still be on its way.
            guard connection.stall != nil else { return false }
            endOutputWatch(of: connection)
            setDeadline(now + configuration.limits.closeTime, of: connection)
            return true
        }
        if connection.stall == nil { noteOutput(of: connection) }
        if isStalled(connection, at: now) {
            cutStalled(connection)
        } else {
            setDeadline(now + configuration.limits.closeTime, of: connection)
        }
        return true
    }

    /// Remembers what the peer has taken so far, where something waits for it.
    func noteOutput(of connection: Connection) {
        guard connection.stall == nil, sockets.pendingBytes(connection.socket) > 0 else { return }
        connection.stall = (sockets.acknowledgedBytes(connection.socket), clock.now)
    }

    private func isStalled(_ connection: Connection, at now: Instant) -> Bool {
        connection.isStalled(
            sent: sockets.acknowledgedBytes(connection.socket), for: configuration.limits.stallTime, at: now)
    }

    private func cutStalled(_ connection: Connection) {
        let time = configuration.limits.stallTime
        server.remark("connection cut", "the peer read nothing for \(time) (limits.stallTime)", connection)
        server.tellDropped(connection, .lost)
        abort(connection)
    }
}
