import ConversationEngine

/// Round-robin queue of connections whose compressed message is being inflated. A turn of the loop inflates at most
/// ``ServerLimits/inflatedBytes``; other connections are served between two turns.
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

    /// True when a turn has to be requested: a connection waits, and no turn was requested yet.
    mutating func becomesDue() -> Bool {
        guard !isTurnDue, !waiting.isEmpty else { return false }
        isTurnDue = true
        return true
    }

    /// The number of connections that this turn serves. Connections added during the turn wait for the next one.
    mutating func beginTurn() -> Int {
        isTurnDue = false
        return count
    }

    mutating func next() -> ConnectionID { waiting.removeFirst() }
}
