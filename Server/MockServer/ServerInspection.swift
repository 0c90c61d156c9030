import Clocks
package import ConversationEngine
package import SocketTransport

/// A look into a running server, from its own loop.
package struct ServerInspection {
    let loop: ServerLoop

    package var sessions: [Conversation] { loop.engine.sessions }
    package var openWebSockets: Int { loop.openWebSockets }
    package var openSockets: Int { loop.sockets.openSockets }
    /// Connections that can time out.
    package var connectionDeadlines: Int { loop.deadlines.count }

    /// Does everything that is due by now, without waiting for the timer to come round.
    package func catchUp() {
        loop.fire()
    }

    /// Reads what has arrived, and tells what went through each connection.
    package func traffic() -> [SocketTraffic] {
        loop.drain()
        return loop.sockets.traffic
    }

    /// Lets `input` reach the session `id` as if one of its connections had sent it.
    package func hear(_ input: ClientInput, in id: String) {
        guard let handle = loop.engine.handle(of: id) else { return }
        let now = loop.clock.now
        loop.perform { loop in
            loop.withEngine { engine, effects in
                engine.handle(input, from: ConnectionID(.max), in: handle, at: now, into: &effects)
            }
        }
    }

    package func session(_ id: String) -> Conversation? {
        loop.engine.handle(of: id).flatMap { loop.engine[$0] }
    }
}
