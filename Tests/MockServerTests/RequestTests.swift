import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite("REST", .timeLimit(.minutes(5)))
struct RequestTests {
    /// protocol.md#token-answer, protocol.md#token-life
    @Test("A token response has the three documented members")
    func token() async throws {
        try await World.run { world in
            let answer = try await world.client.request(
                "POST", "/api/v1/access-token", ["X-Token": "t", "X-Host": "h"])
            expectEqual(answer.status, 200)
            expectEqual(answer["access_token"]?.string?.split(separator: ".").count, 3)
            expectEqual(answer["expires_in"], .integer(86_400))
            expectEqual(answer["token_type"], .string("Bearer"))
        }
    }

    /// protocol.md#host-match
    @Test(
        "Listed connectors are checked: token, hosts, sub-domains",
        arguments: [
            ("", "yourcompany.com", 401, "Missing authentication headers"),
            ("good", "", 401, "Missing authentication headers"),
            ("bad", "yourcompany.com", 401, "Connector token does not exist"),
            ("homeless", "yourcompany.com", 401, "Connector missing host domain"),
            ("good", "elsewhere.com", 401, "Failed to validate connector"),
            ("good", "com", 401, "Failed to validate connector"),
            ("good", "notyourcompany.com", 401, "Failed to validate connector"),
            ("good", "https://App.YourCompany.com:443/path/", 200, nil),
            ("good", "com.yourcompany.app", 200, nil),
        ] as [(String, String, Int, String?)])
    func connectors(_ token: String, _ host: String, _ status: Int, _ message: String?) async throws {
        try await World.run {
            $0.connectors = [
                .init(token: "good", id: "c-1", hosts: ["yourcompany.com", "com.yourcompany.app"]),
                .init(token: "homeless", id: "c-2", hosts: []),
            ]
        } _: { world in
            let answer = try await world.client.request(
                "POST", "/api/v1/access-token", ["X-Token": token, "X-Host": host])
            expectEqual(answer.status, status)
            expectEqual(answer.message, message)
        }
    }

    /// protocol.md#context-id
    @Test("A connector may send a context id in SESSION_START")
    func contextID() async throws {
        try await World.run {
            $0.connectors = [.init(token: "good", id: "c-1", hosts: ["a.b"], sendsContextID: true)]
        } _: { world in
            let token = try await world.client.token(connector: "good", host: "a.b")
            let talk = try await world.client.connect(try await world.client.session(token: token))
            try await expectEqual(talk.next().payload["context_id"]?.string?.isEmpty, false)
        }
    }

    /// protocol.md#session-check-order
    @Test("Sessions refuse what is missing, malformed or not JSON")
    func sessionErrors() async throws {
        try await World.run { world in
            let token = try await world.client.token()
            func refusal(_ headers: HeaderFields, _ body: String = "") async throws -> String {
                let answer = try await world.client.request("POST", "/api/v1/sessions", headers, body: body)
                return "\(answer.status) \(answer.message ?? "")"
            }
            let good: HeaderFields = ["Authorization": "Bearer \(token)"]
            try await expectEqual(refusal([:]), "400 Missing access token")
            try await expectEqual(refusal(["Authorization": "Basic x"]), "401 Missing authentication headers")
            try await expectEqual(refusal(["Authorization": "Bearer x.y.z"]), "401 Invalid access token")
            try await expectEqual(refusal(good, "{"), "400 Error parsing request")
            try await expectEqual(refusal(good, #"{"streaming_enabled":"yes"}"#), "400 Error parsing request")
            try await expectEqual(refusal(good), "200 ")
        }
    }

    /// protocol.md#error-body, protocol.md#correlation-id
    @Test("Every error has the one body form, and the correlation id comes back")
    func errorForm() async throws {
        try await World.run { world in
            let answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["X-Polyai-Correlation-Id": "abc-123"])
            expectEqual(answer["success"], .bool(false))
            expectEqual(answer["error"]?.string, answer.message)
            expectEqual(answer["error_message"]?.string, answer.message)
            expectEqual(answer["error_code"], .string("MISSING_ACCESS_TOKEN"))
            expectEqual(answer["error_id"], .string("abc-123"))
            expectEqual(answer["data"], .null)
            expectEqual(answer.headers["X-Polyai-Correlation-Id"], "abc-123")
            let success = try await world.client.request(
                "POST", "/api/v1/access-token",
                ["X-Token": "t", "X-Host": "h", "X-Polyai-Correlation-Id": "abc-124"])
            expectEqual(success.headers["X-Polyai-Correlation-Id"], "abc-124")
        }
    }

    /// protocol.md#handshake-order
    @Test("The WebSocket refuses in the documented order")
    func handshakeErrors() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            let other = try await world.client.token()
            func refusal(_ target: String) async throws -> String {
                let line = try await world.client.upgrade(target)
                let answer = try await line.answer(0)
                _ = try await line.ended()
                return "\(answer.status) \(answer.message ?? "")"
            }
            try await expectEqual(refusal("/ws"), "400 invalid connection parameters")
            try await expectEqual(
                refusal("/ws?access_token=&session_id=\(session.id)"),
                "400 invalid connection parameters")
            try await expectEqual(
                refusal("/ws?access_token=x&session_id=\(session.id)"),
                "401 authentication failed")
            try await expectEqual(
                refusal("/ws?access_token=\(session.token)&session_id=nobody"),
                "404 session not found")
            try await expectEqual(
                refusal(APIClient.target(session, token: other)), "401 authentication failed")
        }
    }

    /// protocol.md#token-binding
    @Test("The binding of sessions to tokens can be loosened")
    func binding() async throws {
        try await World.run {
            $0.tokens.binding = .off
        } _: { world in
            let session = try await world.client.session()
            let talk = try await world.client.connect(session, token: try await world.client.token())
            try await expectEqual(talk.next().type, "SESSION_START")
        }
        try await World.run {
            $0.tokens.binding = .subject
        } _: { world in
            let session = try await world.client.session()
            let other = try await world.client.token()
            let line = try await world.client.upgrade(APIClient.target(session, token: other))
            try await expectEqual(line.answer(0).status, 401)
            _ = try await world.client.connect(session)
        }
    }

    /// protocol.md#token-expiry
    @Test("A token is refused once its life is over, by the server's clock")
    func expiry() async throws {
        try await World.run {
            $0.tokens.life = .seconds(400)
        } _: { world in
            let session = try await world.client.session()
            await world.pass(.seconds(399))
            _ = try await world.client.session(token: session.token)
            await world.pass(.seconds(1))
            let answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["Authorization": "Bearer \(session.token)"])
            #expect(answer.status == 401 && answer.message == "Invalid access token")
            let line = try await world.client.upgrade(APIClient.target(session))
            try await expectEqual(line.answer(0).status, 401)
        }
    }

    /// protocol.md#request-rate, protocol.md#retry-after
    @Test("Requests over the rate get 429 with the seconds to wait, and pass after them")
    func rate() async throws {
        try await World.run {
            $0.rates.rest = .init(burst: 1, perSecond: 0.5)
        } _: { world in
            _ = try await world.client.token()
            let headers: HeaderFields = ["X-Token": "connector-token", "X-Host": "h"]
            let answer = try await world.client.request("POST", "/api/v1/access-token", headers)
            expectEqual(answer.status, 429)
            expectEqual(answer.headers["Retry-After"], "2")
            await world.pass(.seconds(2))
            _ = try await world.client.token()
        }
    }

    /// protocol.md#unknown-paths, protocol.md#trailing-slashes
    @Test("Unknown paths are 404, known ones with another method 405 with Allow")
    func routing() async throws {
        try await World.run { world in
            let unknown = try await world.client.request("GET", "/api/v2/sessions")
            #expect(unknown.status == 404 && unknown["success"] == .bool(false))
            let wrong = try await world.client.request("GET", "/api/v1/sessions")
            expectEqual(wrong.status, 405)
            expectEqual(wrong.headers["Allow"], "POST, OPTIONS")
            let page = try await world.client.request("DELETE", "/")
            expectEqual(page.headers["Allow"], "GET, HEAD, OPTIONS")
            let options = try await world.client.request("OPTIONS", "*")
            expectEqual(options.status, 204)
            let slashes = try await world.client.request(
                "POST", "/api/v1/access-token///", ["X-Token": "t", "X-Host": "h"])
            expectEqual(slashes.status, 200)
        }
    }

    /// protocol.md#upgrade-required
    @Test("A plain GET of the WebSocket path is told to upgrade")
    func upgradeRequired() async throws {
        try await World.run { world in
            for path in ["/ws", "/ws/"] {
                let answer = try await world.client.request("GET", path)
                expectEqual(answer.status, 426)
                expectEqual(answer.headers["Upgrade"], "websocket")
            }
            let old = try await world.client.open()
            let answer = try await old.request(
                "GET", "/ws",
                [
                    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "8",
                    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
                ])
            #expect(answer.status == 426 && answer.headers["Sec-WebSocket-Version"] == "13")
        }
    }

    @Test("A preflight allows pages of any origin; answers say so too (Fetch, CORS protocol)")
    func cors() async throws {
        try await World.run { world in
            let preflight = try await world.client.request(
                "OPTIONS", "/api/v1/sessions",
                [
                    "Origin": "https://page.example", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "authorization, content-type",
                ])
            expectEqual(preflight.status, 204)
            expectEqual(preflight.headers["Access-Control-Allow-Origin"], "*")
            expectEqual(preflight.headers["Access-Control-Allow-Methods"]?.contains("POST"), true)
            expectEqual(preflight.headers["Access-Control-Allow-Headers"], "authorization, content-type")
            let answer = try await world.client.request(
                "POST", "/api/v1/sessions", ["Origin": "https://page.example"])
            expectEqual(answer.headers["Access-Control-Allow-Origin"], "*")
            expectEqual(answer.headers["Access-Control-Expose-Headers"]?.contains("Retry-After"), true)
            let health = try await world.client.request(
                "GET", "/_mock/health", ["Origin": "https://page.example"])
            expectEqual(health.headers["Access-Control-Allow-Origin"], nil)
        }
    }

    @Test("HEAD tells the length of the body and sends none (RFC 9110 §9.3.2)")
    func head() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            let get = try await line.request("GET", "/")
            let head = try await line.request("HEAD", "/")
            #expect(head.status == 200 && head.body.isEmpty)
            expectEqual(head.headers["Content-Length"], "\(get.body.count)")
            try await expectEqual(line.request("GET", "/_mock/health").status, 200)
        }
    }

    @Test("The start page names the address it was asked for; the health report is JSON")
    func ownPages() async throws {
        try await World.run { world in
            let page = try await world.client.request("GET", "/", ["Host": "mock.example:99"])
            expectEqual(page.headers["Content-Type"]?.hasPrefix("text/html"), true)
            #expect(page.text.contains("http://mock.example:99/api/v1"))
            _ = try await world.greeted()
            await world.pass(.seconds(7))
            let health = try await world.client.request("GET", "/_mock/health")
            expectEqual(health["status"], .string("ok"))
            expectEqual(health["seed"], .integer(42))
            expectEqual(health["sessions"], .integer(1))
            expectEqual(health["connections"], .integer(1))
            // Not from the seed: two servers of one seed are two.
            let instance = try #require(health["instance"]?.string)
            let again = try await world.client.request("GET", "/_mock/health")
            #expect(instance.count == 16 && again["instance"]?.string == instance)
            await world.pass(.hours(7))
            let late = try await world.client.request("GET", "/_mock/health")
            // Jumps of the server's clock do not count.
            #expect(try #require(late["uptimeSeconds"]?.integer) < 3_600)
            try await World.run {
                $0.seed = 42
            } _: { other in
                let health = try await other.client.request("GET", "/_mock/health")
                #expect(health["instance"]?.string != instance && health["seed"] == .integer(42))
            }
        }
    }

    @Test("Every link of the start page and of the list of routes leads somewhere")
    func linksOfTheStartPage() async throws {
        try await World.run { world in
            for (page, least) in [("/", 7), ("/_mock/", 12), ("/_mock", 12)] {
                let text = try await world.client.request(
                    "GET", page, ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
                ).text
                let links = text.split(separator: "href=\"").dropFirst().map {
                    $0.prefix { $0 != "\"" && $0 != "#" }
                }
                .filter { $0.hasPrefix("/") }
                #expect(links.count >= least, "\(page)")
                for link in links {
                    try await expectEqual(world.client.request("GET", String(link)).status, 200, "\(link)")
                }
            }
            await expectEqual(world.server.inspect { $0.unmatched.count + $0.rows().count }, 0)
        }
    }

    @Test("The echo endpoint is there only when asked for", arguments: [true, false] as [Bool])
    func echo(isServed: Bool) async throws {
        try await World.run {
            $0.servesEcho = isServed
        } _: { world in
            let line = try await world.client.upgrade("/_mock/echo")
            guard isServed else {
                try await expectEqual(line.answer(0).status, 404)
                return
            }
            try await expectEqual(line.answer(0).status, 101)
            line.sendFrame(.text, Array("Grüße".utf8))
            line.sendFrame(.binary, [0, 255])
            line.sendFrame(.ping, [1])
            let items = try await line.items.wait(count: 3)
            expectEqual(items, [.text(Array("Grüße".utf8)), .binary([0, 255]), .pong([1])])
            line.sendClose(1000)
            _ = try await line.ended()
        }
    }
}
