package import ConversationEngine
import SocketTransport

/// A look into a running server, from its own loop.
package struct ServerInspection {
    let loop: ServerLoop

    package var sessions: [Conversation] { loop.engine.sessions }
    package var openWebSockets: Int { loop.openWebSockets }
    package var openSockets: Int { loop.sockets.openSockets }
    /// Connections that can time out.
    package var connectionDeadlines: Int { loop.deadlines.count }

    package func session(_ id: String) -> Conversation? {
        loop.engine.handle(of: id).flatMap { loop.engine[$0] }
    }
}
