import HTTPCore
import ServerCore

/// Bytes that requests hold, by connection.
extension ServerState {
    /// Charges a body, or a message that is not whole, with `bytes` in all.
    ///
    /// - Returns: false where there is no room.
    func charge(_ bytes: Int, toBodyOf connection: Connection) -> Bool {
        let more = bytes - connection.bodyCharge
        let isLarge = bytes > CoreLimits.smallBodyBytes
        guard more <= 0 || ledger.hasRoomInBodies(for: more, isLarge: isLarge) else { return false }
        ledger.charge(more, as: .bodies)
        connection.bodyCharge = bytes
        return true
    }

    /// Keeps bytes that came before the end of the handshake, as many as one message may have.
    ///
    /// - Returns: false where there is no room.
    func keepEarly(_ bytes: UnsafeRawBufferPointer, of connection: Connection) -> Bool {
        guard case .handshake(var handshake) = connection.stage else { return false }
        handshake.early += bytes
        connection.stage = .handshake(handshake)
        let count = handshake.early.count
        return count <= configuration.limits.messageBytes && charge(count, toBodyOf: connection)
    }

    /// Charges what has come of a request, or is announced; nil where there is room.
    func refusal(ofRequest bytes: Int, to connection: Connection) -> HTTPCore.Refusal? {
        guard bytes > connection.bodyCharge, !charge(bytes, toBodyOf: connection) else { return nil }
        let most = bytes > CoreLimits.smallBodyBytes ? ledger.largeBodies : ledger.limits.bodies
        guard bytes <= most else { return HTTPExchange.tooLong(most, limit: "limits.bodiesTotalBytes") }
        return HTTPCore.Refusal(
            status: 503,
            reason: "The bodies of other requests are under way; try again when one is done "
                + "(limits.bodiesTotalBytes).")
    }

    /// The request under way is answered: its body, and the rows that it waited with, are held no longer.
    func releaseRequest(of connection: Connection) {
        ledger.release(connection.bodyCharge, as: .bodies)
        ledger.release(connection.waitCharge, as: .waits)
        (connection.bodyCharge, connection.waitCharge) = (0, 0)
    }
}
