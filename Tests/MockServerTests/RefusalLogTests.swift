import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Refusals leave their reason in the log", .timeLimit(.minutes(5)))
struct RefusalLogTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var request: String
        var headers: [String: String]
        var body: String
        var status: Int
        var reason: String

        init(
            _ request: String, _ headers: [String: String], _ status: Int, _ reason: String, body: String = ""
        ) {
            self.request = request
            self.headers = headers
            self.status = status
            self.reason = reason
            self.body = body
        }

        init(_ request: String, _ status: Int, _ reason: String) {
            self.init(request, [:], status, reason)
        }

        var testDescription: String { "\(request) \(reason)" }
        var method: String { String(request.prefix { $0 != " " }) }
        var target: String { String(request.drop { $0 != " " }.dropFirst()) }
    }

    private static let token = "POST /api/v1/access-token"
    private static let sessions = "POST /api/v1/sessions"
    private static let preflight = ["Origin": "http://page.example", "Access-Control-Request-Method": "POST"]

    static let connectors = [
        Case(token, ["X-Host": "shop.example"], 401, "poly: X-Token missing"),
        Case(token, ["X-Token": "good"], 401, "poly: X-Host missing"),
        Case(
            token, ["X-Token": "secret-guess", "X-Host": "shop.example"], 401,
            "the X-Token that was sent is that of no connector; \"connectors\" has c-1, c-2"),
        Case(
            token, ["X-Token": "good", "X-Host": "evil.example"], 401,
            "X-Host \"evil.example\" is none of the hosts of connector c-1: shop.example"),
        Case(token, ["X-Token": "homeless", "X-Host": "shop.example"], 401, "connector c-2 has no host"),
        Case(
            token, ["X-Token": "mock:boking", "X-Host": "shop.example"], 401, "did you mean \"booking\"?"),
        Case(sessions, 400, "the field Authorization is missing"),
        Case(sessions, ["Authorization": "Basic x"], 401, "Authorization is not \"Bearer <token>\""),
        Case(sessions, ["Authorization": "Bearer x.y.z"], 401, "access token refused for a session"),
        Case("GET /ws", 426, "does not ask for an upgrade"),
    ]

    static let paths = [
        Case("GET /api/v1/access-token", 405, "GET /api/v1/access-token 405: use POST"),
        Case("DELETE /", 405, "DELETE / 405: use GET"),
        Case("POST /access-token", 404, "POST /access-token; did you mean POST /api/v1/access-token?"),
        Case("GET /access-token", 404, "GET /access-token; did you mean POST /api/v1/access-token?"),
        Case("POST /sessions", 404, "did you mean POST /api/v1/sessions?"),
        Case("POST /api/v2/sessions", 404, "did you mean POST /api/v1/sessions?"),
        Case("POST /api/v1/acess-token", 404, "did you mean POST /api/v1/access-token?"),
        Case("GET /api/v1/ws", 404, "did you mean GET /ws?"),
        Case("GET /unmatched", 404, "did you mean GET /_mock/unmatched?"),
        Case("OPTIONS /sessions", preflight, 404, "did you mean POST /api/v1/sessions?"),
        Case(
            "GET /talk", 404,
            "what is answered: POST /api/v1/access-token, POST /api/v1/sessions, GET /ws"),
        Case("PUT /_mock/clock", 405, "PUT /_mock/clock 405: /_mock/clock does not take PUT"),
        Case(
            "GET /_mock/sesions", 404, "GET /_mock/sesions 404: There is no /_mock/sesions here; did you mean"
        ),
        Case(
            "OPTIONS /_mock/reset", preflight, 403,
            "OPTIONS /_mock/reset 403: A page of another origin (Origin: \"http://page.example\") may not "
                + "control this server"),
        Case(
            "OPTIONS /_mock/health", preflight, 204,
            "OPTIONS /_mock/health 204: refused: it is closed to pages of other origins, such as "
                + "http://page.example"),
        Case(
            "POST /_mock/reset", ["Origin": "http://page.example"], 403,
            "POST /_mock/reset 403: A page of another origin (Origin: \"http://page.example\") may not control "
                + "this server"),
        Case("POST /_mock/reset", [:], 415, "send Content-Type: application/json", body: "{}"),
        Case("GET /_mock/wire?filter=dri:in", 400, "there is no field \"dri\""),
        Case("GET /_mock/feed", 426, "is a WebSocket; ask for an upgrade"),
    ]

    @Test("Whatever refuses a request says why, in one line", arguments: connectors + paths)
    func reasons(_ refused: Case) async throws {
        try await World.run {
            $0.connectors = [
                .init(token: "good", id: "c-1", hosts: ["shop.example"]),
                .init(token: "homeless", id: "c-2", hosts: []),
            ]
        } _: { world in
            var headers: HeaderFields = [:]
            for (name, value) in refused.headers { headers.append(name, value) }
            let answer = try await world.client.request(
                refused.method, refused.target, headers, body: refused.body)
            expectEqual(answer.status, refused.status)
            try await world.logged(refused.reason)
            #expect(!world.log.all.contains { $0.contains("secret-guess") || $0.contains("x.y.z") })
        }
    }

    @Test("WebSockets that are refused say why, too")
    func handshakes() async throws {
        try await World.run { world in
            let session = try await world.client.session()
            for (target, reason) in [
                ("/ws", "?session_id= is missing"), ("/ws?session_id=a", "?access_token= is missing"),
                ("/ws?access_token=\(session.token)&session_id=a", "no session \"a\" is held"),
                ("/ws?access_token=x&session_id=\(session.id)", "access token refused at the handshake"),
                ("/_mock/feed?filter=dri:in", "GET /_mock/feed 400: filter, character 1"),
                ("/wss", "GET /wss; did you mean GET /ws?"),
            ] {
                let line = try await world.client.upgrade(target)
                #expect(try await line.answer(0).status >= 400)
                try await world.logged(reason)
            }
            let old = try await world.client.open()
            _ = try await old.request(
                "GET", "/ws",
                [
                    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "AAAA",
                    "Sec-WebSocket-Version": "8",
                ])
            try await world.logged("GET /ws 4")
            #expect(!world.log.all.contains { $0.contains(session.token) })
        }
    }

    @Test("A request over the rate says which limit it was")
    func rate() async throws {
        try await World.run {
            $0.rates.rest = .init(burst: 1, perSecond: 0.5)
        } _: { world in
            _ = try await world.client.token()
            _ = try await world.client.request(
                "POST", "/api/v1/access-token", ["X-Token": "connector-token", "X-Host": "h"])
            try await world.logged("asks for more tokens than rates.rest allows; the next may come in 2 s")
        }
    }

    @Test("The 404 keeps its shape; what was meant stands in error_message alone")
    func nearMissInTheAnswer() async throws {
        try await World.run { world in
            let answer = try await world.client.request("POST", "/access-token")
            expectEqual(answer.message, "Not found")
            expectEqual(answer["error"]?.string, "Not found")
            expectEqual(
                answer["error_message"]?.string,
                "Not found: did you mean POST /api/v1/access-token?")
            expectEqual(answer["error_code"]?.string, "NOT_FOUND")
            let wrong = try await world.client.request("GET", "/api/v1/sessions")
            expectEqual(wrong["error_message"]?.string, "Method not allowed: use POST")
        }
    }

    @Test("A forgotten prefix and a wrong method are unmatched traffic, with what was meant")
    func unmatched() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            _ = try await world.client.request("POST", "/access-token")
            _ = try await world.client.request("GET", "/api/v1/access-token")
            _ = try await world.client.request("DELETE", "/")
            let list = try await control.get("unmatched")
            expectEqual(list.count("unmatched"), 2)
            expectEqual(
                list["unmatched", 0, "report"]?.string,
                "nothing here answers POST /access-token; did you mean POST /api/v1/access-token?")
            expectEqual(
                list["unmatched", 1, "report"]?.string,
                "nothing here answers GET /api/v1/access-token; use POST")
        }
    }

    @Test(
        "What browsers ask for by themselves is no traffic: not unmatched, no row, no line",
        arguments: [
            "/favicon.ico", "/robots.txt", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png",
            "/.well-known/appspecific/com.chrome.devtools.json", "/browserconfig.xml",
            "/favicon.ico?v=2",
        ] as [String])
    func browsers(_ path: String) async throws {
        for isOn in [true, false] {
            try await World.run {
                $0.control.isOn = isOn
            } _: { world in
                let page = try await world.client.request("GET", "/")
                let asked = try await world.client.request("GET", path)
                #expect(page.status == 200 && asked.status == 404)
                let (unmatched, rows) = await world.server.inspect { ($0.unmatched.count, $0.rows().count) }
                #expect(unmatched == 0 && rows == 0)
                #expect(!world.log.all.contains { $0.contains(path) })
            }
        }
    }

    @Test("A server with its control API off says so, and why")
    func controlIsOff() async throws {
        try await World.run {
            $0.control.isOn = false
        } _: { world in
            try await expectEqual(world.client.request("GET", "/_mock/sessions").status, 404)
            try await world.logged("GET /_mock/sessions 404: The control API of this server is off")
        }
    }
}
