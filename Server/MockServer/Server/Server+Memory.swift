import HTTPCore
import ServerCore

/// Bytes that requests hold, by connection.
extension Server {
    /// Charges what is held of a request, or of a message that is not whole, in place of what was charged before.
    ///
    /// - Returns: false where there is no room.
    func charge(_ request: HTTPExchange.HeldRequest, to connection: Connection) -> Bool {
        let more = request.total - connection.bodyCharge
        let isLarge = request.body > CoreLimits.smallBodyBytes
        guard more <= 0 || ledger.hasRoomInBodies(for: more, isLarge: isLarge) else { return false }
        ledger.charge(more, as: .bodies)
        connection.bodyCharge = request.total
        return true
    }

    func charge(body bytes: Int, to connection: Connection) -> Bool {
        charge(.init(body: bytes), to: connection)
    }

    /// Keeps bytes that came before the end of the handshake, as many as one message may have.
    ///
    /// - Returns: false where there is no room.
    func keepEarly(_ bytes: UnsafeRawBufferPointer, of connection: Connection) -> Bool {
        guard case .handshake(var handshake) = connection.stage else { return false }
        handshake.early += bytes
        connection.stage = .handshake(handshake)
        let count = handshake.early.count
        return count <= configuration.limits.messageBytes
            && charge(body: count, to: connection)
    }

    /// Charges the beginning of the next request, which may have come with one that is answered by a stream.
    ///
    /// - Returns: true where that request can be read after the stream.
    func keepsNext(of connection: Connection) -> Bool {
        guard let exchange = connection.exchange?.value, !exchange.isOver else { return false }
        return charge(exchange.heldBytes, to: connection)
    }

    /// Charges what has come of a request, or is announced; nil where there is room.
    func refusal(of request: HTTPExchange.HeldRequest, to connection: Connection) -> HTTPCore.Refusal? {
        guard request.total != connection.bodyCharge, !charge(request, to: connection) else { return nil }
        let most = request.body > CoreLimits.smallBodyBytes ? ledger.largeBodies : ledger.limits.bodies
        guard request.total <= most else {
            guard request.body > 0 else {
                return HTTPCore.Refusal(
                    status: 431, reason: "The head is larger than \(most) bytes (limits.bodiesTotalBytes).")
            }
            return HTTPExchange.tooLong(most, limit: "limits.bodiesTotalBytes")
        }
        return Self.busy
    }

    private static let busy = HTTPCore.Refusal(
        status: 503,
        reason: "Other requests are under way; try again when one is done (limits.bodiesTotalBytes).")

    /// Charges the requests after one that is worked on, together with that one. Where there is no room, nothing of them is
    /// kept, and a refusal follows the answer.
    func charge(_ behind: Connection.Behind, to connection: Connection) {
        release(behind, of: connection)
        let bytes = behind.exchange.value.heldBytes(of: behind.outputs).total
        guard ledger.hasRoomInBodies(for: bytes, isLarge: false) else {
            _ = behind.exchange.value.inputClosed()
            behind.outputs = [.refuse(Self.busy)]
            return
        }
        ledger.charge(bytes, as: .bodies)
        connection.bodyCharge += bytes
        behind.charge = bytes
    }

    /// The next of these requests is read now, and charged by itself.
    func release(_ behind: Connection.Behind, of connection: Connection) {
        ledger.release(behind.charge, as: .bodies)
        connection.bodyCharge -= behind.charge
        behind.charge = 0
    }

    /// The request under way is answered: its body, and the rows that it waited with, are held no longer.
    func releaseRequest(of connection: Connection) {
        ledger.release(connection.bodyCharge, as: .bodies)
        ledger.release(connection.waitCharge, as: .waits)
        (connection.bodyCharge, connection.waitCharge) = (0, 0)
    }
}
