import Expectations
import HTTPCore
import Testing
import WebSocketCore

@Suite("Opening handshake, client side")
struct ClientHandshakeTests {
    static let handshake = ClientHandshake(
        host: "127.0.0.1:8787", target: "/ws?a=b", nonce: text("the sample nonce"),
        subprotocols: ["one", "two"],
        headers: ["Origin": "http://localhost"])
    static let good: HeaderFields = [
        "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    static func with(_ name: String, _ value: String?) -> HeaderFields {
        var fields = HeaderFields()
        for field in good.fields where field.name != name { fields.append(field.name, field.value) }
        if let value { fields.append(name, value) }
        return fields
    }

    func error(_ headers: HeaderFields, status: Int = 101) -> ClientHandshakeError? {
        do throws(ClientHandshakeError) {
            _ = try Self.handshake.check(status: status, headers: headers)
            return nil
        } catch {
            return error
        }
    }

    @Test("The request has all fields of RFC 6455 §4.1, the subprotocols and the caller's own")
    func request() {
        let request = Self.handshake.request
        expectEqual(request.method, "GET")
        expectEqual(request.target, "/ws?a=b")
        expectEqual(request.minorVersion, 1)
        expectEqual(request.headers["Host"], "127.0.0.1:8787")
        expectEqual(request.headers["Sec-WebSocket-Key"], "dGhlIHNhbXBsZSBub25jZQ==")
        expectEqual(request.headers["Sec-WebSocket-Version"], "13")
        expectEqual(request.headers["Sec-WebSocket-Protocol"], "one, two")
        expectEqual(request.headers["Origin"], "http://localhost")
        expectEqual(request.headers["Sec-WebSocket-Extensions"], nil)
    }

    @Test("Our server accepts our client's request, and the client its answer")
    func bothSides() throws {
        let verdict = ServerHandshake.judge(Self.handshake.request, subprotocols: ["two"])
        guard case .accept(let response) = verdict else {
            Issue.record("refused: \(verdict)")
            return
        }
        try expectEqual(Self.handshake.check(status: response.status, headers: response.headers), "two")
    }

    @Test(
        "A 101 is accepted in any case and with other connection options (RFC 6455 §4.1)",
        arguments: [
            ("Upgrade", "WebSocket"), ("Connection", "keep-alive, uPGRADE"), ("X-Other", "1"),
        ] as [(String, String)])
    func leniency(_ name: String, _ value: String) throws {
        try expectEqual(Self.handshake.check(status: 101, headers: Self.with(name, value)), nil)
    }

    @Test(
        "Any status but 101 is a refusal, whatever the fields say",
        arguments: [200, 204, 301, 401, 426, 503] as [Int])
    func refusals(_ status: Int) {
        expectEqual(error(Self.good, status: status), .refused(status: status))
    }

    @Test("The 101 must upgrade to websocket (RFC 6455 §4.1 items 2 and 3)")
    func upgradeFields() {
        expectEqual(error(Self.with("Upgrade", nil)), .noUpgrade(nil))
        expectEqual(error(Self.with("Upgrade", "h2c")), .noUpgrade("h2c"))
        expectEqual(error(Self.with("Connection", nil)), .noConnectionUpgrade(nil))
        expectEqual(error(Self.with("Connection", "close")), .noConnectionUpgrade("close"))
    }

    @Test(
        "The accept value must belong to the key, once and in its own case (RFC 6455 §4.1 item 4)",
        arguments: [
            nil, "", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "s3pplmbitxaq9kygzzhzrbk+xoo=",
        ] as [String?])
    func acceptValue(_ value: String?) {
        expectEqual(error(Self.with("Sec-WebSocket-Accept", value)), .wrongAccept(value))
        var twice = Self.good
        twice.append("Sec-WebSocket-Accept", value ?? "")
        expectEqual(error(twice), .wrongAccept("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    }

    @Test("What was not offered may not be chosen (RFC 6455 §4.1 items 5 and 6)")
    func unrequested() {
        expectEqual(error(Self.with("Sec-WebSocket-Extensions", "x")), .unrequestedExtension("x"))
        expectEqual(error(Self.with("Sec-WebSocket-Protocol", "three")), .unrequestedSubprotocol("three"))
        var twice = Self.with("Sec-WebSocket-Protocol", "one")
        twice.append("Sec-WebSocket-Protocol", "two")
        expectEqual(error(twice), .unrequestedSubprotocol("one"))
    }

    @Test("Every error says what came and what to look at")
    func descriptions() {
        #expect(ClientHandshakeError.refused(status: 403).description.contains("403"))
        #expect(ClientHandshakeError.noUpgrade(nil).description.contains("no Upgrade field"))
        #expect(ClientHandshakeError.noConnectionUpgrade("close").description.contains("Connection: close"))
        #expect(ClientHandshakeError.wrongAccept("x").description.contains("Sec-WebSocket-Accept: x"))
        #expect(ClientHandshakeError.unrequestedExtension("x").description.contains("extension x"))
        #expect(ClientHandshakeError.unrequestedSubprotocol("x").description.contains("subprotocol x"))
    }

    @Test("A nonce of another length is our own mistake and traps")
    func nonceTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = ClientHandshake(host: "a", target: "/", nonce: [1, 2, 3])
        }
    }
}
