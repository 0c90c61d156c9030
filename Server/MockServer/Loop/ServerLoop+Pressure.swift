import Clocks
import HTTPCore
import LawBook
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
        connection.isCounted = true
        return count <= limit
    }

    /// What ``accept(_:from:)`` added up.
    func leave(_ connection: Connection) {
        uncount(connection)
        if connection.crowd != nil { turnedAwayCount -= 1 }
    }

    private func uncount(_ connection: Connection) {
        guard connection.isCounted else { return }
        connection.isCounted = false
        let address = connection.peer.with(port: 0)
        let count = socketsOfAddress[address, default: 1] - 1
        socketsOfAddress[address] = count > 0 ? count : nil
    }

    /// One connection too many is only told so, once it has asked something: an answer to nothing would not be read
    /// (RFC 9112 §9.2).
    func turnAway(_ connection: Connection, _ crowd: Connection.Crowd) {
        uncount(connection)
        connection.crowd = crowd
        turnedAwayCount += 1
        let limits = configuration.limits
        setDeadline(clock.now + min(limits.handshakeTime, limits.closeTime), of: connection)
    }

    /// The answer to whatever a connection asks that is one too many (RFC 9110 §15.6.4).
    func refuseOneTooMany(_ connection: Connection, _ crowd: Connection.Crowd) {
        let reason =
            switch crowd {
            case .ofServer: "The server has no room for one more connection (limits.sockets)."
            case .ofAddress: "Your address has as many connections as it may (limits.socketsPerAddress)."
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
        guard connection.stall == nil,
            sockets.pendingBytes(connection.socket) > sockets.limits.highWaterBytes
        else { return }
        switch connection.stage {
        case .http: break
        case .webSocket where connection.webSocket?.state == .open: break
        default: return
        }
        connection.stall = sockets.sentBytes(connection.socket)
        sockets.pauseReading(connection.socket)
        setDeadline(clock.now + configuration.limits.stallTime, of: connection)
    }

    /// Goes on after ``pauseIfSlow(_:)``.
    func readOn(_ connection: Connection) {
        guard connection.stall != nil,
            sockets.pendingBytes(connection.socket) <= sockets.limits.highWaterBytes
        else { return }
        connection.stall = nil
        setDeadline(nil, of: connection)
        // What it began to ask begins again.
        connection.requestBegan = nil
        updateDeadline(of: connection)
        sockets.resumeReading(connection.socket)
    }

    /// Slow is well, as long as something is read at all.
    func timeOutStall(_ connection: Connection) {
        let sent = sockets.sentBytes(connection.socket)
        let time = configuration.limits.stallTime
        guard sent == connection.stall else {
            connection.stall = sent
            return setDeadline(clock.now + time, of: connection)
        }
        log.line(
            "connection cut", peer: connection.peer,
            "the peer read nothing for \(time) (limits.stallTime)")
        noteDropped(connection, .lost)
        abort(connection)
    }
}
