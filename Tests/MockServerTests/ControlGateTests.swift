import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

@Suite("Who may use the control API", .timeLimit(.minutes(5)))
struct ControlGateTests {
    @Test(
        "A Host that is not this machine is refused, so that no foreign name leads here",
        arguments: [
            ("localhost", 200), ("127.0.0.1", 200), ("LOCALHOST:1", 200), ("[::1]:80", 200),
            ("evil.example", 403), ("127.0.0.1.evil.example", 403), ("localhost.evil.example:80", 403),
            ("10.0.0.1", 403),
        ] as [(String, Int)])
    func host(_ host: String, _ status: Int) async throws {
        try await World.run { world in
            let clock = try await world.client.request("GET", "/_mock/clock", ["Host": host])
            expectEqual(clock.status, status)
            let health = try await world.client.request("GET", "/_mock/health", ["Host": host])
            expectEqual(health.status, 200)
        }
    }

    @Test("A server on every address answers to each in figures, and to no name")
    func everyAddress() async throws {
        try await World.run {
            $0.host = "0.0.0.0"
        } _: { world in
            let figures = try await world.client.request("GET", "/_mock/clock", ["Host": "10.0.0.7:80"])
            expectEqual(figures.status, 200)
            let name = try await world.client.request("GET", "/_mock/clock", ["Host": "mock.lan"])
            expectEqual(name.status, 403)
        }
    }

    @Test(
        "A read or write from a page of another origin is refused; the server's own pages may",
        arguments: [
            ("http://127.0.0.1", 200), ("http://evil.example", 403), ("null", 403),
            ("http://localhost", 403), ("ftp://127.0.0.1", 403),
        ] as [(String, Int)])
    func origin(_ origin: String, _ status: Int) async throws {
        try await World.run { world in
            let write = try await world.client.request(
                "POST", "/_mock/reset", ["Origin": origin, "Content-Type": "application/json"], body: "{}")
            expectEqual(write.status, status)
            let read = try await world.client.request("GET", "/_mock/clock", ["Origin": origin])
            expectEqual(read.status, status)
            expectEqual(read.headers["Access-Control-Allow-Origin"], nil)
            let line = try await world.client.upgrade("/_mock/feed", ["Origin": origin])
            try await expectEqual(line.answer(0).status, status == 200 ? 101 : 403)
        }
    }

    @Test("A body must be declared as JSON: forms cannot do that")
    func contentType() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            for (route, type) in [
                ("reset", "text/plain"), ("reset", "application/x-www-form-urlencoded"),
                ("reset", "application/jsonx"), ("reset", "application/x-ndjson"), ("import", "text/plain"),
            ] {
                let answer = try await control.ask("POST", route, ["Content-Type": type], body: "{}")
                expectEqual(answer.status, 415)
                #expect(answer.message.contains("Content-Type: application/json"))
            }
            try await expectEqual(control.ask("POST", "reset", body: "{}").status, 415)
            let charset = ["Content-Type": "Application/JSON; charset=utf-8"] as HeaderFields
            try await expectEqual(control.ask("POST", "reset", charset, body: "{}").status, 200)
        }
    }

    @Test("A write without a body needs X-Mock-Control: 1 or the JSON type")
    func controlField() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let refused = try await control.ask("POST", "reset")
            expectEqual(refused.status, 403)
            #expect(refused.message.contains("X-Mock-Control: 1"))
            try await expectEqual(control.ask("DELETE", "faults").status, 403)
            try await expectEqual(control.ask("POST", "reset", ["X-Mock-Control": "1"]).status, 200)
            let typed = try await control.ask("DELETE", "faults", ["Content-Type": "application/json"])
            expectEqual(typed.status, 200)
        }
    }

    @Test("With a control token, every route but health wants it, and no log or row tells it")
    func token() async throws {
        let token = "s3cret-word"
        try await World.run {
            $0.control.token = token
        } _: { world in
            for route in ControlRoute.all where route.name != "health" && !route.isWebSocket {
                let path = route.path.split(separator: "{").count > 1 ? "/_mock/faults/1" : route.path
                let method = path == "/_mock/faults/1" ? "DELETE" : route.method
                for headers in [[:], ["X-Mock-Token": "s3cret-worD"], ["X-Mock-Token": "s3cret"]]
                    as [HeaderFields]
                {
                    let answer = try await world.client.request(method, path, headers)
                    expectEqual(answer.status, 401, "\(path)")
                }
            }
            try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
            let good: HeaderFields = ["X-Mock-Token": token]
            try await expectEqual(world.client.request("GET", "/_mock/clock", good).status, 200)
            try await expectEqual(world.client.request("GET", "/_mock/clock?token=\(token)").status, 401)
            for target in ["/_mock/feed?token=\(token)", "/%5Fmock/feed?token=\(token)"] {
                let feed = try await world.client.upgrade(target)
                try await expectEqual(feed.answer(0).status, 101)
            }
            let stranger = try await world.client.upgrade("/_mock/feed?token=x")
            try await expectEqual(stranger.answer(0).status, 401)
            _ = try await world.client.request("GET", "/api/v1/nothing", good)
            let export = try await world.client.request("GET", "/_mock/export", good)
            expectEqual(export.status, 200)
            #expect(!export.text.contains(token))
            #expect(!world.log.all.contains { $0.contains(token) })
        }
    }

    @Test("A token that no header field carries is refused at the start")
    func badToken() async throws {
        var configuration = Configuration()
        configuration.control.token = "two words"
        await #expect(throws: ServerError.self) { try await MockServer.start(configuration) }
    }
}
