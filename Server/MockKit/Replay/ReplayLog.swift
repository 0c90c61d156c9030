import Clocks
import ConversationEngine
import MockServer
import Texts

/// The journal of a mock as lines, with connections and faults in order of time.
struct ReplayLog: Sendable {
    struct Item: Sendable, Equatable {
        enum Kind: String, Sendable {
            case event, connection, disconnection, session, fault, unmatchedMessage, violation,
                unmatchedRequest
        }

        var kind: Kind
        var time: Interval
        var sequence: UInt64?
        var type = ""
        var text = ""
    }

    private struct Session: Sendable {
        var newest: UInt64 = 0
        var connections: [ConnectionID] = []
    }

    private var start: Instant?
    private var sessions: [String: Session] = [:]
    private(set) var items: [Item] = []

    mutating func record(_ news: ServerNews, at now: Instant) {
        let start = start ?? now
        self.start = start
        let time = now - start
        switch news {
        case .opened(let id, _):
            sessions[id] = Session()
            if sessions.count > 1 { append(.session, time, "session \(sessions.count) opens") }
        case .connected(let id, let connection, let cursor):
            sessions[id]?.connections.append(connection)
            let number = sessions[id]?.connections.count ?? 1
            append(.connection, time, "connection \(number)" + (number > 1 ? " with cursor \(cursor)" : ""))
        case .disconnected(let id, let connection):
            guard let index = sessions[id]?.connections.lastIndex(of: connection) else { return }
            append(.disconnection, time, "connection \(index + 1) ends")
        case .delivered(let id, let entry):
            guard let sequence = entry.sequence, sequence > sessions[id]?.newest ?? 0 else { return }
            sessions[id]?.newest = sequence
            items.append(
                Item(
                    kind: .event, time: entry.time - start, sequence: sequence,
                    type: Server.type(of: entry.event), text: entry.event.summary.words))
        case .noted(_, .faultFired(let name, _), _): append(.fault, time, "fault \"\(name)\" fires")
        case .noted(_, .unmatched(let unmatched), _):
            append(.unmatchedMessage, time, "no rule hears \"\(unmatched.text)\"")
        case .broken(_, _, let protocolRule, let source):
            append(.violation, time, "protocol rule broken: \(protocolRule) (\(source))")
        case .unmatchedRequest(let request): append(.unmatchedRequest, time, "no route takes \(request)")
        case .said, .noted: break
        }
    }

    private mutating func append(_ kind: Item.Kind, _ time: Interval, _ text: String) {
        guard items.count < KitLimits.observedEvents else { return }
        items.append(Item(kind: kind, time: time, text: text))
    }

    func items(until sequence: UInt64?) -> ArraySlice<Item> {
        guard let sequence, let last = items.firstIndex(where: { ($0.sequence ?? 0) >= sequence }) else {
            return items[...]
        }
        return items[...last]
    }
}

extension ReplayLog.Item {
    /// For example ` 9 00:03.412 POLY_AGENT_MESSAGE "…"`. An item without a sequence begins with `--`.
    var line: String {
        guard let sequence else { return " --  \(time.stamp)  \(text)" }
        let number = "\(sequence)"
        let space = String(repeating: " ", count: max(0, 3 - number.count))
        return "\(space)\(number)  \(time.stamp)  \(type)" + (text.isEmpty ? "" : "  \"\(oneLine)\"")
    }

    var json: String {
        JSONWriter.line([
            ("seq", sequence.map { .integer(Int64($0)) }), ("ms", .integer(time.milliseconds)),
            ("kind", .string(kind.rawValue)), ("type", type.isEmpty ? nil : .string(type)),
            ("text", text.isEmpty ? nil : .string(text)),
        ])
    }

    private var oneLine: String { String(text.map { $0.isNewline ? " " : $0 }) }
}
