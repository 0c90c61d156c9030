import Clocks
import DialectKit
import ServerCore
import SocketTransport

/// Output that waits for peers. A slow reader is fine; only one that takes nothing is cut.
extension ServerLoop {
    /// Much waits for the peer: it has to take something from time to time.
    func watchOutput(of connection: Connection) {
        guard connection.stall == nil else { return }
        noteTaken(of: connection)
        server.timers.stalls.note(
            clock.now + configuration.limits.stallTime, for: Int32(connection.socket.slot))
    }

    func endOutputWatch(of connection: Connection) {
        connection.stall = nil
        server.timers.stalls.remove(Int32(connection.socket.slot))
    }

    /// Looks at a peer for which much waits.
    func lookAtOutput(of slot: Int32) {
        guard let connection = server.connections[Int(slot)] else { return }
        let now = clock.now
        if isStalled(connection, at: now) {
            cutStalled(connection)
        } else {
            server.timers.stalls.note(
                (connection.stall?.since ?? now) + configuration.limits.stallTime, for: slot)
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
            server.setDeadline(now + configuration.limits.closeTime, of: connection)
            return true
        }
        if connection.stall == nil { noteTaken(of: connection) }
        if isStalled(connection, at: now) {
            cutStalled(connection)
        } else {
            server.setDeadline(now + configuration.limits.closeTime, of: connection)
        }
        return true
    }

    /// Remembers what the peer has taken so far, where something waits for it.
    func noteTaken(of connection: Connection) {
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
        server.abort(connection)
    }
}
