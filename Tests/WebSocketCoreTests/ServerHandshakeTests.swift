import Expectations
import HTTPCore
import Testing
import WebSocketCore

@Suite("Opening handshake, server side")
struct ServerHandshakeTests {
    static func request(_ change: (inout RequestHead) -> Void = { _ in }) -> RequestHead {
        var head = RequestHead(
            method: "GET", target: "/chat",
            headers: [
                "Host": "127.0.0.1:8787", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
            ])
        change(&head)
        return head
    }

    /// The head with one field replaced, or without it.
    static func with(_ name: String, _ value: String?) -> RequestHead {
        request { head in
            var kept = HeaderFields()
            for field in head.headers.fields where field.name != name { kept.append(field.name, field.value) }
            if let value { kept.append(name, value) }
            head.headers = kept
        }
    }

    func refusal(_ head: RequestHead) -> Response? {
        guard case .refuse(let response) = ServerHandshake.judge(head) else { return nil }
        return response
    }

    @Test("The request of RFC 6455 §1.3 gets the answer of RFC 6455 §1.3, without a body")
    func sample() {
        let expected = Response(
            status: 101,
            headers: [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            ])
        expectEqual(ServerHandshake.judge(Self.request()), .accept(expected))
    }

    @Test(
        "Tokens are found in lists and in any case (RFC 6455 §4.2.1)",
        arguments: [
            ("Upgrade", "WebSocket"), ("Upgrade", "h2c, websocket"), ("Connection", "keep-alive, UPGRADE"),
            ("Connection", "upgrade\t,close"), ("Content-Length", "0"), ("Origin", "null"),
            ("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits"),
        ] as [(String, String)])
    func leniency(_ name: String, _ value: String) {
        expectEqual(refusal(Self.with(name, value)), nil)
    }

    @Test(
        "Any method but GET is answered with 405",
        arguments: ["POST", "HEAD", "OPTIONS", "get", ""] as [String])
    func method(_ method: String) {
        let response = refusal(Self.request { $0.method = method })
        expectEqual(response?.status, 405)
        expectEqual(response?.headers["Allow"], "GET")
    }

    @Test("HTTP/1.0 cannot be upgraded (RFC 6455 §4.2.1 item 1)")
    func oldVersion() {
        expectEqual(refusal(Self.request { $0.minorVersion = 0 })?.status, 400)
    }

    @Test(
        "A missing or malformed field is answered with 400 (RFC 6455 §4.2.1)",
        arguments: [
            ("Host", nil), ("Sec-WebSocket-Version", nil), ("Sec-WebSocket-Key", nil),
            ("Sec-WebSocket-Key", ""), ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAA"),
            ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAAA="),
            ("Sec-WebSocket-Key", "**********************=="),
            ("Content-Length", "5"), ("Transfer-Encoding", "chunked"),
        ] as [(String, String?)])
    func malformed(_ name: String, _ value: String?) {
        expectEqual(refusal(Self.with(name, value))?.status, 400)
    }

    @Test(
        "A field that must be single may not come twice",
        arguments: [
            ("Host", "other.example"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ] as [(String, String)])
    func duplicates(_ name: String, _ value: String) {
        expectEqual(refusal(Self.request { $0.headers.append(name, value) })?.status, 400)
    }

    @Test(
        "Without the upgrade tokens or version 13 the answer is 426 and says what is spoken (RFC 6455 §4.4)",
        arguments: [
            ("Upgrade", nil), ("Upgrade", "h2c"), ("Upgrade", "websockets"), ("Connection", nil),
            ("Connection", "close"), ("Connection", "x-upgrade"), ("Sec-WebSocket-Version", "12"),
            ("Sec-WebSocket-Version", "013"), ("Sec-WebSocket-Version", "13, 12"),
            ("Sec-WebSocket-Version", ""),
        ] as [(String, String?)])
    func upgradeRequired(_ name: String, _ value: String?) {
        let response = refusal(Self.with(name, value))
        expectEqual(response?.status, 426)
        expectEqual(response?.headers["Sec-WebSocket-Version"], "13")
        expectEqual(response?.headers["Upgrade"], "websocket")
        expectEqual(response?.headers["Connection"], "Upgrade")
        expectEqual(response?.body.isEmpty, false)
    }

    @Test(
        "The client's first subprotocol that is spoken here is confirmed, case-sensitively (RFC 6455 §4.2.2)")
    func subprotocols() {
        func chosen(_ offers: [String], _ spoken: [String]) -> String? {
            let head = Self.request { head in
                for offer in offers { head.headers.append("Sec-WebSocket-Protocol", offer) }
            }
            guard case .accept(let response) = ServerHandshake.judge(head, subprotocols: spoken) else {
                return "?"
            }
            return response.headers["Sec-WebSocket-Protocol"]
        }
        expectEqual(chosen(["alpha, beta"], []), nil)
        expectEqual(chosen([], ["beta"]), nil)
        expectEqual(chosen(["alpha,\tbeta "], ["gamma", "beta", "alpha"]), "alpha")
        expectEqual(chosen(["alpha", "beta"], ["beta"]), "beta")
        expectEqual(chosen(["Beta"], ["beta"]), nil)
        expectEqual(chosen([",, a b,;"], ["b"]), nil)
    }
}
