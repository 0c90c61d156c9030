package import ConversationEngine
package import Matching

/// Event for observers in the same process, such as tests.
package enum ServerNews: Sendable {
    case opened(session: String, script: Script)
    /// `connection` is the engine's id of the connection.
    case connected(session: String, connection: ConnectionID, cursor: UInt64)
    case disconnected(session: String, connection: ConnectionID)
    /// Input of a client.
    case said(session: String, connection: ConnectionID, ClientInput)
    /// A journal entry for clients.
    case delivered(session: String, JournalEntry)
    /// `report` explains why no rule matched a message.
    case noted(session: String, Note, report: UnmatchedReport?)
    /// `source` is the rule's anchor in a page of `Shared/Docs`. `session` is empty for a violation without a session.
    case broken(session: String, connection: ConnectionID?, protocolRule: String, source: String)
    case unmatchedRequest(String)
}
