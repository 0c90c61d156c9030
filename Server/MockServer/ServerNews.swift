package import ConversationEngine
package import Matching

/// Events for observers in the same process, such as tests. Passed in order, on the server's loop.
package enum ServerNews: Sendable {
    case opened(session: String, script: Script)
    /// `connection` is the engine's id of the connection.
    case connected(session: String, connection: ConnectionID, cursor: UInt64)
    case disconnected(session: String, connection: ConnectionID)
    /// Input of a client, reported before the session handles it.
    case said(session: String, connection: ConnectionID, ClientInput)
    /// An entry for clients. It is repeated if a client had to wait for it.
    case told(session: String, JournalEntry)
    /// `report` explains why no rule matched a message.
    case noted(session: String, Note, report: UnmatchedReport?)
    /// A client broke a protocol rule; `source` is the page of the rule. The session is empty if there is none.
    case broken(session: String, connection: ConnectionID?, protocolRule: String, source: String)
    /// A request without a route.
    case unmatchedRequest(String)
}
