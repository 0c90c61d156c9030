import ConversationEngine

/// Connections with a compressed message that is not whole yet, in the order in which they came to wait. Each turn of the
/// loop inflates at most ``ServerLimits/inflatedBytes``; between two turns the other connections are served.
///
/// | state | on | next |
/// | --- | --- | --- |
/// | idle | a connection waits | due: a turn is asked for |
/// | due | the turn begins | turning |
/// | turning | a message is whole, or its connection has gone | turning; reading goes on |
/// | turning | the allowance is used up, or a connection's answers wait to be read | turning; the connection waits after the others |
/// | turning | the turn is over, one waits that may go on | due |
/// | turning | the turn is over, none waits but for its peer to read | idle |
struct InflationQueue {
    private var waiting: [ConnectionID] = []
    private var isTurnDue = false

    var count: Int { waiting.count }

    mutating func append(_ id: ConnectionID) { waiting.append(id) }

    /// True when a turn has to be asked for: a connection waits, and no turn was asked for yet.
    mutating func becomesDue() -> Bool {
        guard !isTurnDue, !waiting.isEmpty else { return false }
        isTurnDue = true
        return true
    }

    /// The number of connections that may go on in this turn. Connections added during the turn wait for the next one.
    mutating func beginTurn() -> Int {
        isTurnDue = false
        return count
    }

    mutating func next() -> ConnectionID { waiting.removeFirst() }
}
