package import ConversationEngine

package struct ServerCounts: Equatable, Sendable, ServerEventReader {
    package private(set) var sessionsOpened: UInt64 = 0
    package private(set) var messagesHeard: UInt64 = 0
    package private(set) var eventsSent: UInt64 = 0
    package private(set) var chunksSent: UInt64 = 0
    package private(set) var connectionsAccepted: UInt64 = 0
    package private(set) var requestsAnswered: UInt64 = 0
    package private(set) var handshakesRefused: UInt64 = 0
    package private(set) var faultsFired: UInt64 = 0
    package private(set) var violations: UInt64 = 0

    package init() {}

    package mutating func countHeard() { messagesHeard += 1 }

    package mutating func countDelivered(_ entry: JournalEntry, to connections: Int) {
        eventsSent += UInt64(connections)
        if entry.kind == .agentChunk { chunksSent += UInt64(connections) }
    }

    package mutating func read(_ event: ServerEvent, at moment: EventTime) {
        switch event {
        case .accepted: connectionsAccepted += 1
        case .handshakeRefused: handshakesRefused += 1
        case .controlled: requestsAnswered += 1
        case .opened: sessionsOpened += 1
        case .heard, .flooded: countHeard()
        case .delivered(_, let entry, let connections): countDelivered(entry, to: connections)
        case .fired: faultsFired += 1
        case .broke: violations += 1
        case .requested, .responded, .judged, .answered, .unmatchedRequest, .connected, .disconnected,
            .dropped,
            .stalled, .framed, .sent, .sentToMany, .sentAll, .noted, .forgotten, .remarked:
            break
        }
    }
}
