import ConversationEngine
import Deflate
import DialectKit
import HTTPCore
package import ServerCore
import Timeline

extension Server {
    /// Charges a request or an unfinished message in place of the last charge. Returns false if there is no room.
    func charge(_ request: HTTPExchange.HeldRequest, to connection: Connection) -> Bool {
        let more = request.total - connection.costs.body
        let isLarge = request.body > CoreLimits.smallBodyBytes
        guard more <= 0 || ledger.hasRoomInBodies(for: more, isLarge: isLarge) else { return false }
        ledger.charge(more, as: .bodies)
        connection.costs.body = request.total
        return true
    }

    func charge(body bytes: Int, to connection: Connection) -> Bool {
        charge(.init(body: bytes), to: connection)
    }

    /// Keeps bytes that arrive during the handshake. Returns false if there is no room.
    func keepEarly(_ bytes: UnsafeRawBufferPointer, of connection: Connection) -> Bool {
        guard case .handshake(var handshake) = connection.stage else { return false }
        handshake.early += bytes
        connection.stage = .handshake(handshake)
        let count = handshake.early.count
        return count <= configuration.limits.messageBytes && charge(body: count, to: connection)
    }

    /// Charges a request that follows a streamed answer. Returns whether the request can be read.
    func keepsNext(of connection: Connection) -> Bool {
        guard let exchange = connection.exchange?.value, !exchange.isOver else { return false }
        return charge(exchange.heldBytes, to: connection)
    }

    /// Charges a request, or returns a refusal.
    func refusal(of request: HTTPExchange.HeldRequest, to connection: Connection) -> HTTPCore.Refusal? {
        guard request.total != connection.costs.body, !charge(request, to: connection) else { return nil }
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

    /// Charges pipelined requests. Without room, replaces them by a refusal.
    func charge(_ pipelined: Connection.Pipelined, to connection: Connection) {
        release(pipelined, of: connection)
        let bytes = pipelined.exchange.value.heldBytes(of: pipelined.outputs).total
        guard ledger.hasRoomInBodies(for: bytes, isLarge: false) else {
            _ = pipelined.exchange.value.inputClosed()
            pipelined.outputs = [.refuse(Self.busy)]
            return
        }
        ledger.charge(bytes, as: .bodies)
        connection.costs.body += bytes
        pipelined.charge = bytes
    }

    /// Releases the charge of pipelined requests.
    func release(_ pipelined: Connection.Pipelined, of connection: Connection) {
        ledger.release(pipelined.charge, as: .bodies)
        connection.costs.body -= pipelined.charge
        pipelined.charge = 0
    }

    func releaseRequest(of connection: Connection) {
        var costs = connection.costs
        guard costs.body != 0 || costs.wait != 0 else { return }
        ledger.release(costs.body, as: .bodies)
        ledger.release(costs.wait, as: .waits)
        (costs.body, costs.wait) = (0, 0)
        connection.costs = costs
    }

    // MARK: - The server as a whole

    package var heldBytes: [(kind: MemoryLedger.Kind, bytes: Int)] {
        MemoryLedger.Kind.allCases.map { ($0, heldBytes(of: $0)) }
    }

    var mostWorks: Int { min(ServerLimits.Control.works, shares.works) }

    /// Charges the rows that a wait has found. Returns false if there is no room.
    func charge(_ bytes: Int, toWaitOf connection: Connection) -> Bool {
        guard ledger[.waits] + bytes <= ledger.limits.waits else { return false }
        ledger.charge(bytes, as: .waits)
        connection.costs.wait += bytes
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
        case .rows: events.recorder.timeline.memoryBytes
        case .unmatched: events.unmatched.heldBytes
        case .compression: deflate?.heldBytes ?? 0
        }
    }
}

extension Connection {
    /// Bytes of a held answer, and of messages queued after the history.
    fileprivate var heldBytes: Int {
        let queued = channel?.behindHistoryBytes ?? 0
        guard case .held(let answer) = stage else { return queued }
        return answer.parts.reduce(queued) { $0 + $1.count }
    }
}

extension FeedChanges {
    /// An estimate: a changed session is counted as 32 bytes, for its identifier and its place in a set.
    var heldBytes: Int {
        items.reduce(0) { $0 + $1.count } + sessions.count * 32
            + forgotten.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
    }
}
