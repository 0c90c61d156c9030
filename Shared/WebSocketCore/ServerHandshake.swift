package import HTTPCore
import Texts

/// The server's side of the opening handshake (RFC 6455 §4.2).
package enum ServerHandshake {
    package enum Verdict: Equatable, Sendable {
        /// Send this 101 response, without fields that delimit a body. Frames follow it.
        case accept(Response)
        /// Send this response and close the connection, because the client may already have sent frames.
        case refuse(Response)
    }

    /// Checks a request (RFC 6455 §4.2.1), without authentication and path. Confirms the client's first subprotocol
    /// that is in `subprotocols`.
    package static func judge(_ head: RequestHead, subprotocols: [String] = []) -> Verdict {
        let headers = head.headers
        guard head.method == "GET" else {
            return refuse(405, "A WebSocket is opened with GET.", ["Allow": "GET"])
        }
        guard head.minorVersion >= 1 else { return refuse(400, "A WebSocket needs HTTP/1.1.") }
        guard headers.values(of: "Host").count == 1 else { return refuse(400, "One Host field is needed.") }
        guard headers.list("Upgrade", contains: "websocket"), headers.list("Connection", contains: "upgrade")
        else {
            return refuse(426, "Open a WebSocket here: send Upgrade: websocket and Connection: Upgrade.")
        }
        guard headers["Transfer-Encoding"] == nil, headers["Content-Length"] ?? "0" == "0" else {
            return refuse(400, "A WebSocket handshake has no body.")
        }
        let versions = headers.values(of: "Sec-WebSocket-Version")
        guard versions.count == 1 else { return refuse(400, "One Sec-WebSocket-Version field is needed.") }
        guard versions == ["13"] else { return refuse(426, "Only WebSocket version 13 is spoken here.") }
        let keys = headers.values(of: "Sec-WebSocket-Key")
        guard keys.count == 1, Base64.standard.decode(keys[0].utf8)?.count == 16 else {
            return refuse(400, "One Sec-WebSocket-Key field is needed, with 16 bytes in base64.")
        }
        // An invalid list fails the handshake, even if the server uses no extension (§9.1).
        guard ExtensionOffer.list(headers.values(of: "Sec-WebSocket-Extensions")) != nil else {
            return refuse(400, "Sec-WebSocket-Extensions is not a list of extensions.")
        }
        var answer = upgradeHeaders
        answer.append("Sec-WebSocket-Accept", acceptValue(for: keys[0]))
        if let chosen = choose(from: subprotocols, offered: headers.values(of: "Sec-WebSocket-Protocol")) {
            answer.append("Sec-WebSocket-Protocol", chosen)
        }
        return .accept(Response(status: 101, headers: answer))
    }

    /// Returns the parameters to use with the client (RFC 7692 §5.1); nil without an acceptable offer. The response
    /// must confirm them with ``DeflateTerms/answer`` in Sec-WebSocket-Extensions.
    package static func deflateTerms(for head: RequestHead) -> DeflateTerms? {
        ExtensionOffer.list(head.headers.values(of: "Sec-WebSocket-Extensions")).flatMap {
            DeflateTerms(among: $0)
        }
    }

    /// Returns base64(SHA-1(key + GUID)) (RFC 6455 §4.2.2, step 5.4).
    package static func acceptValue(for key: String) -> String {
        Base64.standard.text(
            of: SHA1.digest(Array(key.utf8) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    private static var upgradeHeaders: HeaderFields { ["Upgrade": "websocket", "Connection": "Upgrade"] }

    private static func choose(from spoken: [String], offered: [String]) -> String? {
        guard !spoken.isEmpty else { return nil }
        for list in offered {
            for part in list.split(separator: ",") {
                let name = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
                if let known = spoken.first(where: { $0 == name }) { return known }
            }
        }
        return nil
    }

    /// With status 426, the response names the protocol (RFC 9110 §15.5.22) and its version (RFC 6455 §4.4).
    private static func refuse(_ status: Int, _ text: String, _ extra: HeaderFields = [:]) -> Verdict {
        var headers = extra
        if status == 426 {
            for field in upgradeHeaders.fields { headers.append(field.name, field.value) }
            headers.append("Sec-WebSocket-Version", "13")
        }
        headers.append("Content-Type", "text/plain; charset=utf-8")
        return .refuse(Response(status: status, headers: headers, body: Array((text + "\n").utf8)))
    }
}
