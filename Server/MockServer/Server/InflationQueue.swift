import ConversationEngine

/// A round-robin queue of connections with a compressed message to inflate.
///
/// | state | on | next |
/// | --- | --- | --- |
/// | idle | a connection waits | due: a turn is requested |
/// | due | the turn begins | turning |
/// | turning | a message is complete, or its connection is gone | turning; reading continues |
/// | turning | the allowance is used up, or a peer does not read | turning; the connection goes to the end |
/// | turning | the turn is over, and a connection can continue | due |
/// | turning | the turn is over, and no waiting connection's peer reads its output | idle |
struct InflationQueue {
    private var waiting: [ConnectionID] = []
    private var isTurnDue = false

    var count: Int { waiting.count }

    mutating func append(_ id: ConnectionID) { waiting.append(id) }

    /// Returns true if a connection waits and no turn is requested yet.
    mutating func becomesDue() -> Bool {
        guard !isTurnDue, !waiting.isEmpty else { return false }
        isTurnDue = true
        return true
    }

    /// Begins a turn. Returns the number of connections to serve.
    mutating func beginTurn() -> Int {
        isTurnDue = false
        return count
    }

    mutating func next() -> ConnectionID { waiting.removeFirst() }
}
