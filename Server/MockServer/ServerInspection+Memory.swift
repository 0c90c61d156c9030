import ConversationEngine
import Deflate
import DialectKit
package import ServerCore
import SocketTransport
import Timeline

/// The memory that the server holds for clients.
extension ServerInspection {
    /// Bytes by what holds them: what counts as it changes, and what is counted now.
    package var heldBytes: [(kind: MemoryLedger.Kind, bytes: Int)] {
        MemoryLedger.Kind.allCases.map { ($0, heldBytes(of: $0)) }
    }

    /// Long answers that may be put together at once.
    var mostWorks: Int { min(ServerLimits.Control.works, loop.server.shares.works) }

    /// Charges rows that a wait has found to its connection.
    ///
    /// - Returns: false where there is no room.
    func charge(_ bytes: Int, toWaitOf connection: Connection) -> Bool {
        let ledger = loop.server.ledger
        guard ledger[.waits] + bytes <= ledger.limits.waits else { return false }
        loop.server.ledger.charge(bytes, as: .waits)
        connection.waitCharge += bytes
        return true
    }

    func heldBytes(of kind: MemoryLedger.Kind) -> Int {
        let state = loop.server
        return switch kind {
        case .bodies, .runs, .contacts, .waits: state.ledger[kind]
        case .journals: state.ledger[kind] + state.engine.sessionCount * CoreLimits.sessionBytes
        case .files: state.shelf.heldBytes
        case .output: loop.sockets.unsentBytes
        case .held: state.ledger[kind] + state.connections.reduce(0) { $0 + ($1?.heldBytes ?? 0) }
        case .feeds: state.connections.reduce(0) { $0 + ($1?.feed?.changes?.heldBytes ?? 0) }
        case .rows: state.chronicle.recorder.timeline.memoryBytes
        case .unmatched: state.chronicle.unmatched.heldBytes
        case .compression: loop.deflate?.heldBytes ?? 0
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
