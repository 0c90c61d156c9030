package import HTTPCore
import Texts

/// The client's side of the opening handshake (RFC 6455 §4.1).
package struct ClientHandshake: Equatable, Sendable {
    package let request: RequestHead
    private let acceptValue: String
    private let subprotocols: [String]

    /// - Parameters:
    ///   - host: the value of the Host field. It includes the port, unless the port is the scheme's default.
    ///   - target: path and query.
    ///   - nonce: 16 random bytes, different for every connection.
    ///   - subprotocols: the offered subprotocols, in order of preference.
    ///   - headers: additional fields, such as Origin or Authorization.
    package init(
        host: String, target: String, nonce: [UInt8], subprotocols: [String] = [], headers: HeaderFields = [:]
    ) {
        precondition(nonce.count == 16, "a handshake key has 16 bytes (RFC 6455 §4.1)")
        let key = Base64.standard.text(of: nonce)
        var fields: HeaderFields = [
            "Host": host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty {
            fields.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))
        }
        for field in headers.fields { fields.append(field.name, field.value) }
        request = RequestHead(method: "GET", target: target, headers: fields)
        acceptValue = ServerHandshake.acceptValue(for: key)
        self.subprotocols = subprotocols
    }

    /// Checks the final response, not an interim one (1xx except 101). Returns the subprotocol that the server chose.
    package func check(status: Int, headers: HeaderFields) throws(ClientHandshakeError) -> String? {
        guard status == 101 else { throw .refused(status: status) }
        guard headers.list("Upgrade", contains: "websocket") else { throw .noUpgrade(headers["Upgrade"]) }
        guard headers.list("Connection", contains: "upgrade") else {
            throw .noConnectionUpgrade(headers["Connection"])
        }
        let accepted = headers.values(of: "Sec-WebSocket-Accept")
        guard accepted == [acceptValue] else { throw .wrongAccept(accepted.first) }
        // The client offers no extensions, so the server must not choose any (§9.1).
        if let chosen = headers["Sec-WebSocket-Extensions"] { throw .unrequestedExtension(chosen) }
        let chosen = headers.values(of: "Sec-WebSocket-Protocol")
        guard let first = chosen.first else { return nil }
        guard chosen.count == 1, subprotocols.contains(first) else { throw .unrequestedSubprotocol(first) }
        return first
    }
}
