/// The reason why a client's opening handshake failed (RFC 6455 §4.1).
package enum ClientHandshakeError: Error, Equatable, Sendable, CustomStringConvertible {
    case refused(status: Int)
    case noUpgrade(String?)
    case noConnectionUpgrade(String?)
    /// Sec-WebSocket-Accept is missing, repeated, or does not match the key.
    case wrongAccept(String?)
    case unrequestedExtension(String)
    case unrequestedSubprotocol(String)

    package var description: String {
        switch self {
        case .refused(let status):
            "the server answered the WebSocket handshake with status \(status), not 101; "
                + "check the address and the credentials"
        case .noUpgrade(let value):
            "the 101 has \(Self.field("Upgrade", value)), not websocket; \(Self.notAWebSocket)"
        case .noConnectionUpgrade(let value):
            "the 101 has \(Self.field("Connection", value)), not Upgrade; \(Self.notAWebSocket)"
        case .wrongAccept(let value):
            "the 101 has \(Self.field("Sec-WebSocket-Accept", value)), which does not prove that the key was "
                + "read; a cache or another protocol may have answered"
        case .unrequestedExtension(let value):
            "the server chose the extension \(value), which was not offered; turn it off on the server"
        case .unrequestedSubprotocol(let value):
            "the server chose the subprotocol \(value), which was not offered; offer it or drop it there"
        }
    }

    private static let notAWebSocket = "is there a WebSocket at this address, and does a proxy pass it on?"

    private static func field(_ name: String, _ value: String?) -> String {
        value.map { "\(name): \($0)" } ?? "no \(name) field"
    }
}
