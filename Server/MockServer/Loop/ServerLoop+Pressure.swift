import Clocks
import HTTPCore
import LawBook
import ServerCore
import SocketTransport
import WebSocketCore

/// Peers that read too slowly.
extension ServerLoop {
    func hasRoom(_ connection: Connection) -> Bool {
        sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes
    }

    /// A peer that asks for more than it reads is not read from until it has caught up. That slows it down
    /// (RFC 9293 §3.8.6) and bounds what waits for it, pings included; only what the server says of itself can
    /// still add up to ``Configuration/Limits/writeBufferBytes``.
    func pauseIfSlow(_ connection: Connection) {
        // Nearly always the reason to leave, so asked first.
        guard !hasRoom(connection),
            connection.exchange != nil || connection.webSocket?.isOpen == true, connection.pause == nil
        else { return }
        connection.pause = sockets.sentBytes(connection.socket)
        sockets.pauseReading(connection.socket)
        setDeadline(clock.now + configuration.limits.stallTime, of: connection)
    }

    /// Goes on after ``pauseIfSlow(_:)``.
    func readOn(_ connection: Connection) {
        guard connection.pause != nil, hasRoom(connection) else { return }
        connection.pause = nil
        setDeadline(nil, of: connection)
        connection.exchange?.value.beginAnew()
        updateDeadline(of: connection)
        guard connection.webSocket?.unread.isEmpty ?? true else { return inflateOn() }
        sockets.resumeReading(connection.socket)
    }

    /// A slow reader is fine; only one that reads nothing times out.
    func timeOutPause(_ connection: Connection) {
        let sent = sockets.sentBytes(connection.socket)
        let time = configuration.limits.stallTime
        guard sent == connection.pause else {
            connection.pause = sent
            return setDeadline(clock.now + time, of: connection)
        }
        state.remark("connection cut", "the peer read nothing for \(time) (limits.stallTime)", connection)
        state.tellDropped(connection, .lost)
        abort(connection)
    }
}
