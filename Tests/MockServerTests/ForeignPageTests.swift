import DialectKit
import Expectations
import HTTPCore
import MockServer
import ServerCore
import TestSupport
import Testing

/// Every route of a server, asked as pages of other origins can ask it. The routes come from the server's own table, so
/// that a new one is asked by itself.
@Suite("Pages of other origins, on every route", .timeLimit(.minutes(5)))
struct ForeignPageTests {
    /// What browsers say of a request that a foreign page caused (Fetch standard §3.2; W3C Fetch Metadata §2.4).
    static let claims: [HeaderFields] = [
        ["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"],
        ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"], ["Origin": "null"],
        ["Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"],
        ["Origin": "http://127.0.0.1", "Sec-Fetch-Site": "cross-site"],
        ["oRIGIN": "HTTP://EVIL.EXAMPLE", "sec-fetch-site": "same-origin"],
        ["Origin": "http://localhost"], ["Sec-Fetch-Site": "something-new"],
    ]
    static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "put"]
    /// The three that a page may declare without a preflight, those that it may not, and none.
    static let types: [HeaderFields] = [
        ["Content-Type": "text/plain"], ["Content-Type": "application/x-www-form-urlencoded"],
        ["Content-Type": "multipart/form-data; boundary=x"], ["Content-Type": "application/json"],
        ["Content-Type": "application/x-ndjson"], [:],
    ]

    /// A path of the table, with something in place of each name in braces.
    private static func target(of route: String) -> String {
        route.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasPrefix("{") ? "a" : String(part)
        }.joined(separator: "/")
    }

    private struct Asked {
        let owner: RouteTable.Owner
        let route: String
        let isOpen: Bool
        let isWebSocket: Bool

        var isClosedOff: Bool {
            switch owner {
            case .control, .echo: true
            case .dialect: !isOpen
            case .health, .pages, .startPage: false
            }
        }
    }

    private static func routes(of world: World) async -> [Asked] {
        let table = await world.server.inspect { $0.routes.all }
        var asked = table.map {
            Asked(
                owner: $0.owner, route: $0.route.path, isOpen: $0.route.isOpenToPages,
                isWebSocket: $0.route.isWebSocket)
        }
        asked += ControlRoute.all.filter { $0.name != "health" }.map {
            Asked(owner: .control, route: $0.path, isOpen: false, isWebSocket: $0.isWebSocket)
        }
        asked += ["/_mock/nothing", "/_mock/sessions//", "/_mock", "/_mock/fixtures/"].map {
            Asked(owner: .control, route: $0, isOpen: false, isWebSocket: false)
        }
        return asked
    }

    private static func run(_ body: (World) async throws -> Void) async throws {
        try await World.run {
            $0.servesEcho = true
            $0.fixtureText = ConversationFixture.quiet
        } _: {
            try await body($0)
        }
    }

    @Test(
        "What is not for them is refused with 403 and no permission, by any method, type and claim",
        arguments: Strength.of([0, 1, 2], full: Array(types.indices)))
    func refused(type: Int) async throws {
        try await Self.run { world in
            let routes = await Self.routes(of: world).filter(\.isClosedOff)
            #expect(routes.count > 50)
            var turn = type
            for asked in routes {
                for method in Self.methods {
                    turn += 1
                    let claim = Self.claims[turn % Self.claims.count]
                    var headers = claim
                    for field in Self.types[(turn / 2 + type) % Self.types.count].fields {
                        headers.append(field.name, field.value)
                    }
                    let target = Self.target(of: asked.route)
                    let answer = try await world.client.request(method, target, headers)
                    expectEqual(answer.status, 403, "\(method) \(target) \(headers)")
                    expectEqual(answer.headers["Access-Control-Allow-Origin"], nil, "\(method) \(target)")
                }
            }
            #expect(await world.server.inspect { $0.sessions.isEmpty && $0.faultNames.isEmpty })
        }
    }

    @Test(
        "Each claim is refused by itself, with the reason in words, for reading, writing, waiting and preflights"
    )
    func everyClaim() async throws {
        try await Self.run { world in
            let requests = [
                ("GET", "/_mock/sessions"), ("GET", "/_mock/wait?timeout=1h"), ("POST", "/_mock/reset"),
                ("OPTIONS", "/_mock/faults"), ("GET", "/_mock/"), ("PUT", "/contact/chat"),
                ("POST", "/contact/stop"), ("OPTIONS", "/contact/chat"),
            ]
            for claim in Self.claims {
                for (method, target) in requests {
                    let answer = try await world.client.request(method, target, claim)
                    expectEqual(answer.status, 403, "\(method) \(target) \(claim)")
                    #expect(
                        answer.text.lowercased().contains("of other origin")
                            || answer.text.contains("of another origin"), "\(answer.text)")
                }
            }
        }
    }

    @Test("A body that is announced to what is not for them is refused on the head")
    func bodies() async throws {
        try await Self.run { world in
            for target in ["/contact/chat", "/contact/attributes", "/_mock/fixtures", "/_mock/import"] {
                let line = try await world.client.open()
                line.send(
                    "PUT \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 500000\r\n\r\n",
                    requests: ["PUT"])
                try await expectEqual(line.answer(0).status, 403, "\(target)")
                line.drop()
            }
        }
    }

    @Test("Their WebSockets reach sessions alone, neither the feed nor the echo")
    func webSockets() async throws {
        try await Self.run { world in
            for asked in await Self.routes(of: world) where asked.isWebSocket {
                for claim in Self.claims {
                    let line = try await world.client.upgrade(asked.route, claim)
                    let status = try await line.answer(0).status
                    #expect(asked.isOpen ? status != 101 : status == 403, "\(asked.route) \(claim)")
                    line.drop()
                }
                guard !asked.isOpen else { continue }
                let own = try await world.client.upgrade(
                    asked.route, ["Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"])
                try await expectEqual(own.answer(0).status, 101, "\(asked.route)")
                own.drop()
            }
        }
    }

    @Test("What is for them can be read by every origin, refusals and preflights included")
    func open() async throws {
        try await Self.run { world in
            let routes = await Self.routes(of: world).filter(\.isOpen)
            #expect(routes.count >= 20)
            for asked in routes {
                for method in Self.methods {
                    let origin: HeaderFields = [
                        "Origin": "http://page.example", "Sec-Fetch-Site": "cross-site",
                        "Access-Control-Request-Method": method,
                    ]
                    let answer = try await world.client.request(method, Self.target(of: asked.route), origin)
                    expectEqual(
                        answer.headers["Access-Control-Allow-Origin"], "*", "\(method) \(asked.route)")
                }
            }
        }
    }

    @Test("Every answer says its type and no other, has a policy, and says who may embed it")
    func inert() async throws {
        try await Self.run { world in
            for asked in await Self.routes(of: world) where asked.route != "/_mock/wait" {
                for method in ["GET", "POST", "PUT"] {
                    let headers: HeaderFields = ["Accept": "text/html", "X-Mock-Control": "1"]
                    let answer = try await world.client.request(method, Self.target(of: asked.route), headers)
                    let name = "\(method) \(asked.route) \(answer.status)"
                    expectEqual(answer.headers["X-Content-Type-Options"], "nosniff", "\(name)")
                    let policy = try #require(answer.headers["Content-Security-Policy"], "\(name)")
                    let isPage = answer.headers["Content-Type"]?.hasPrefix("text/html") == true
                    let isSafe = policy.contains("frame-ancestors") || policy == "sandbox; default-src 'none'"
                    #expect(isSafe && isPage == policy.contains("frame-ancestors"), "\(name)")
                    expectEqual(answer.headers["Cross-Origin-Resource-Policy"], "same-origin", "\(name)")
                }
            }
        }
    }

    @Test("Programs, the server's own pages and the address bar are answered as ever")
    func own() async throws {
        try await Self.run { world in
            for headers: HeaderFields in [
                [:], ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"],
                ["Sec-Fetch-Site": "same-origin"],
                ["Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"],
            ] {
                try await expectEqual(world.client.request("GET", "/_mock/sessions", headers).status, 200)
                var headers = headers
                headers.append("Content-Type", "application/json")
                let start =
                    #"{"InstanceId":"i","ContactFlowId":"f","ParticipantDetails":{"DisplayName":"J"}}"#
                headers.append("Content-Length", "\(start.utf8.count)")
                try await expectEqual(
                    world.client.request("PUT", "/contact/chat", headers, body: start).status, 200
                )
            }
            let health = try await world.client.request("GET", "/_mock/health", Self.claims[1])
            #expect(health.status == 200 && !health.text.contains("seed"))
        }
    }
}

private enum ConversationFixture {
    static let quiet = #"{ fixture: 1, name: "Quiet", agent: { name: "Ada" }, stages: { start: [] } }"#
}
