import HTTPCore
import Texts
import WebSocketCore

/// Both sides of the opening handshake (RFC 6455 §4).
enum HandshakeEntries {
    static let words = [
        "GET /ws HTTP/1.1\r\n", "HTTP/1.1 101 Switching Protocols\r\n", "Host: a\r\n",
        "Upgrade: websocket\r\n",
        "Connection: keep-alive, Upgrade\r\n", "Sec-WebSocket-Version: 13\r\n",
        "Sec-WebSocket-Version: 8\r\n",
        "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n", "Sec-WebSocket-Protocol: chat, poly\r\n",
        "Sec-WebSocket-Accept: 0q1yiXHbNqU9E0vYYGQtgmHRM1o=\r\n",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n", "permessage-deflate",
        "Content-Length: 0\r\n", "\r\n", ",", ";", "=", "poly", "POST", "HTTP/1.0",
    ]
    private static let subprotocols = ["poly", "chat"]

    /// A request judged by the server: what it accepts, our own client accepts too.
    static func server(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var parser = RequestParser()
        for output in parser.receive(bytes) {
            switch output {
            case .head(let head), .upgrade(let head, _): return try judge(head)
            default: continue
            }
        }
        return Trait("none")
    }

    private static func judge(_ head: RequestHead) throws(BrokenRule) -> Trait {
        switch ServerHandshake.judge(head, subprotocols: subprotocols) {
        case .refuse(let response):
            try require([400, 405, 426].contains(response.status), "refused with \(response.status)")
            return Trait("refused", String(decoding: response.body, as: UTF8.self))
        case .accept(let response):
            try require(
                head.headers.list("Upgrade", contains: "websocket"), "accepted what asks for no WebSocket")
            var answers = ResponseParser()
            answers.begin(method: "GET")
            let written = response.serialized(to: head, closing: false, date: nil)
            guard case .upgrade(let answer, leftover: [])? = answers.receive(written).first,
                let key = head.headers["Sec-WebSocket-Key"], let nonce = Base64.standard.decode(key.utf8)
            else { throw BrokenRule("the answer to an accepted handshake cannot be read") }
            let client = ClientHandshake(host: "a", target: "/", nonce: nonce, subprotocols: subprotocols)
            do throws(ClientHandshakeError) {
                let chosen = try client.check(status: answer.status, headers: answer.headers)
                return Trait("accepted", chosen ?? "")
            } catch {
                throw BrokenRule("our client refuses what our server accepted: \(error)")
            }
        }
    }

    /// A response judged by the client.
    static func client(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        let handshake = ClientHandshake(
            host: "a", target: "/ws", nonce: Array(0...15), subprotocols: subprotocols)
        var parser = ResponseParser()
        parser.begin(method: "GET")
        for output in parser.receive(bytes) {
            guard case .upgrade(let head, _) = output else { continue }
            let chosen: String?
            do throws(ClientHandshakeError) {
                chosen = try handshake.check(status: head.status, headers: head.headers)
            } catch {
                return Trait("refused", String(error.description.prefix(24)))
            }
            let accepted = head.headers.values(of: "Sec-WebSocket-Accept")
            try require(
                accepted == [ServerHandshake.acceptValue(for: "AAECAwQFBgcICQoLDA0ODw==")],
                "taken without its proof")
            return Trait("open", chosen ?? "")
        }
        return Trait("none")
    }
}
