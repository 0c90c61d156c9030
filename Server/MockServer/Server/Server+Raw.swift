package import ConversationEngine
import ServerCore
import WebSocketCore

/// Showing clients something else than what their sessions tell.
extension Server {
    /// From now on sessions tell their clients nothing; `take` hears of each text that would have left, and so
    /// that a connection can be written to.
    package func replaceTexts(
        _ take: @escaping @Sendable (_ session: String, _ connection: ConnectionID) -> Void
    ) {
        diversion = take
    }

    /// Sends a text message to one connection, byte by byte as it stands.
    ///
    /// - Returns: false when the connection is gone.
    package func push(raw text: [UInt8], type: String, to id: ConnectionID) -> Bool {
        guard let connection = connection(of: id), let webSocket = connection.webSocket,
            webSocket.isOpen
        else { return false }
        let context = OutboundContext(session: sessionID(of: connection), type: type)
        sendInOrder(.message(text, context), connection)
        return true
    }
}
