import Clocks
import HTTPCore
import LawBook
import ServerCore
import SocketTransport
import WebSocketCore

/// Too many peers, and peers that read too slowly.
extension ServerLoop {
    /// Counts a new connection among those of its address.
    ///
    /// - Returns: false when there are too many.
    func count(_ connection: Connection) -> Bool {
        let limit: Int
        if let chosen = configuration.limits.socketsPerAddress {
            limit = chosen
        } else if connection.peer.isLoopback {
            return true
        } else {
            limit = ServerLimits.socketsPerAddress
        }
        let address = connection.peer.with(port: 0)
        let count = socketsOfAddress[address, default: 0] + 1
        socketsOfAddress[address] = count
        connection.admission = .counted
        return count <= limit
    }

    /// Undoes the counting of ``accept(_:from:)``.
    func uncount(_ connection: Connection) {
        defer { connection.admission = .uncounted }
        switch connection.admission {
        case .uncounted: return
        case .tooMany: turnedAwayCount -= 1
        case .counted: uncountAddress(of: connection)
        }
    }

    private func uncountAddress(of connection: Connection) {
        let address = connection.peer.with(port: 0)
        let count = socketsOfAddress[address, default: 1] - 1
        socketsOfAddress[address] = count > 0 ? count : nil
    }

    /// One connection too many is only told so, once it has asked something: an answer to nothing would not be read
    /// (RFC 9112 §9.2).
    func turnAway(_ connection: Connection, _ limit: Connection.OverLimit) {
        uncount(connection)
        connection.admission = .tooMany(of: limit)
        turnedAwayCount += 1
        let limits = configuration.limits
        setDeadline(clock.now + min(limits.handshakeTime, limits.closeTime), of: connection)
    }

    /// The answer to whatever a connection asks that is one too many (RFC 9110 §15.6.4).
    func refuseOneTooMany(_ connection: Connection, _ limit: Connection.OverLimit) {
        let reason =
            switch limit {
            case .server: "The server has no room for one more connection (limits.sockets)."
            case .address: "Your address has as many connections as it may (limits.socketsPerAddress)."
            }
        refuse(
            connection, HTTPCore.Refusal(status: 503, reason: reason),
            ["Retry-After": String(ServerLimits.retryAfterSeconds)])
    }

    // MARK: - Slow readers

    /// A peer that asks for more than it reads is not read from until it has caught up. That slows it down
    /// (RFC 9293 §3.8.6) and bounds what waits for it, pings included; only what the server says of itself can
    /// still add up to ``Configuration/Limits/writeBufferBytes``.
    func pauseIfSlow(_ connection: Connection) {
        // Nearly always the reason to leave, so asked first.
        guard sockets.pendingBytes(connection.socket) > sockets.limits.highWaterBytes,
            connection.exchange != nil || connection.webSocket?.isOpen == true, connection.pause == nil
        else { return }
        connection.pause = sockets.sentBytes(connection.socket)
        sockets.pauseReading(connection.socket)
        setDeadline(clock.now + configuration.limits.stallTime, of: connection)
    }

    /// Goes on after ``pauseIfSlow(_:)``.
    func readOn(_ connection: Connection) {
        guard connection.pause != nil,
            sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes
        else { return }
        connection.pause = nil
        setDeadline(nil, of: connection)
        connection.exchange?.value.beginAnew()
        updateDeadline(of: connection)
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
        remark("connection cut", "the peer read nothing for \(time) (limits.stallTime)", connection)
        tellDropped(connection, .lost)
        abort(connection)
    }
}
