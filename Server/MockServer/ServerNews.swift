package import ConversationEngine
package import Matching

/// What a server tells whoever watches it from the same process: tests, rehearsals, tools. One case per thing that
/// happens, in the order in which it happens, told on the server's loop.
package enum ServerNews: Sendable {
    case opened(session: String, script: Script)
    /// `connection` is the engine's own number of it.
    case connected(session: String, connection: ConnectionID, cursor: UInt64)
    case disconnected(session: String, connection: ConnectionID)
    /// What a client said, before the session hears it.
    case said(session: String, connection: ConnectionID, ClientInput)
    /// What clients are told. An entry that one of them had to wait for comes once more.
    case told(session: String, JournalEntry)
    /// `report` says why a message was not heard.
    case noted(session: String, Note, report: UnheardReport?)
    /// A client broke a law of the protocol; `source` is the page that says so. No session where it belongs to none.
    case broken(session: String, connection: ConnectionID?, law: String, source: String)
    /// A request that no route takes.
    case stray(String)
}
