import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
package import ServerCore
import Timeline

/// Bytes that requests hold, by connection, and the memory of the server as a whole.
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

    // MARK: - Of all

    /// Bytes by what holds them: what counts as it changes, and what is counted now.
    package var heldBytes: [(kind: MemoryLedger.Kind, bytes: Int)] {
        MemoryLedger.Kind.allCases.map { ($0, heldBytes(of: $0)) }
    }

    /// Long answers that may be put together at once.
    var mostWorks: Int { min(ServerLimits.Control.works, shares.works) }

    /// Charges rows that a wait has found to its connection.
    ///
    /// - Returns: false where there is no room.
    func charge(_ bytes: Int, toWaitOf connection: Connection) -> Bool {
        guard ledger[.waits] + bytes <= ledger.limits.waits else { return false }
        ledger.charge(bytes, as: .waits)
        connection.waitCharge += bytes
        return true
    }

    func heldBytes(of kind: MemoryLedger.Kind) -> Int {
        switch kind {
        case .bodies, .runs, .contacts, .waits: ledger[kind]
        case .journals: ledger[kind] + engine.sessionCount * CoreLimits.sessionBytes
        case .files: shelf.heldBytes
        case .output: sockets.unsent
        case .held: ledger[kind] + connections.reduce(0) { $0 + ($1?.heldBytes ?? 0) }
        case .feeds: connections.reduce(0) { $0 + ($1?.feed?.changes?.heldBytes ?? 0) }
        case .rows: chronicle.recorder.timeline.memoryBytes
        case .unmatched: chronicle.unmatched.heldBytes
        case .compression: deflate?.heldBytes ?? 0
        }
    }
}

extension Connection {
    /// Bytes of the answer that troubles hold back, and of messages queued after the history.
    fileprivate var heldBytes: Int {
        let queued = channel?.behindHistoryBytes ?? 0
        guard case .held(let answer) = stage else { return queued }
        return answer.parts.reduce(queued) { $0 + $1.count }
    }
}

extension FeedChanges {
    /// An identifier takes some tens of bytes, and its place in a set.
    fileprivate var heldBytes: Int {
        items.reduce(0) { $0 + $1.count } + sessions.count * 32
            + forgotten.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
    }
}
