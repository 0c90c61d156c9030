package import ConversationEngine
package import Matching

/// Events for observers in the same process: tests, dry runs, tools. Passed in order, on the server's loop.
package enum ServerNews: Sendable {
    case opened(session: String, script: Script)
    /// `connection` is the engine's number of the connection.
    case connected(session: String, connection: ConnectionID, cursor: UInt64)
    case disconnected(session: String, connection: ConnectionID)
    /// Input of a client, before the session handles it.
    case said(session: String, connection: ConnectionID, ClientInput)
    /// An entry for clients; repeated where one of them had to wait for it.
    case told(session: String, JournalEntry)
    /// `report` explains why no rule matched a message.
    case noted(session: String, Note, report: UnmatchedReport?)
    /// A violation of a protocol rule by a client; `source` is the protocol rule's page. No session where it belongs to
    /// none.
    case broken(session: String, connection: ConnectionID?, protocolRule: String, source: String)
    /// A request without a route.
    case unmatchedRequest(String)
}
