import ConversationEngine
import HTTPCore
import SocketTransport
import WebSocketCore

/// One accepted socket and the protocol it speaks at the moment.
///
/// | stage | on | next |
/// | --- | --- | --- |
/// | http | a request, answered | http |
/// | http | a WebSocket request, accepted | handshake |
/// | handshake | the handshake delay is over | webSocket |
/// | any | refusal, `Connection: close`, close handshake done | closing |
final class Connection {
    enum Stage {
        case http
        /// The 101 response waits; bytes that came meanwhile wait with it.
        case handshake(Response, early: [UInt8])
        case webSocket
        /// Last bytes are on their way; nothing is read any more.
        case closing
    }

    /// What an open WebSocket is for.
    enum Purpose {
        case echo
        case session(SessionHandle, dialect: Int)
    }

    let socket: SocketID
    /// How the engine names this connection.
    var id: ConnectionID { ConnectionID(UInt64(socket.slot) << 32 | UInt64(socket.generation)) }
    let peer: SocketAddress
    var stage = Stage.http
    var parser: RequestParser?
    var head: RequestHead?
    var body: [UInt8] = []
    var webSocket: WebSocketConnection?
    var purpose = Purpose.echo
    /// A request has begun and is not complete.
    var isInRequest = false

    init(socket: SocketID, peer: SocketAddress, parser: RequestParser) {
        self.socket = socket
        self.peer = peer
        self.parser = parser
    }
}
