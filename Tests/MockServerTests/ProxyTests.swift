import Clocks
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts

@testable import MockServer

@Suite("Clients behind proxies", .timeLimit(.minutes(5)))
struct ProxyTests {
    private static let field = "X-Forwarded-For"

    /// Where the server thinks that the client of a new WebSocket is.
    private func address(
        _ world: World, _ fields: HeaderFields
    ) async throws -> String {
        let session = try await world.client.session()
        let line = try await world.client.upgrade(APIClient.target(session), fields)
        try await expectEqual(line.answer(0).status, 101)
        let control = try await ControlClient(world)
        return try await control.get("sessions/\(session.id)")["sockets", 0, "address"]?.string ?? ""
    }

    @Test("A trusted proxy tells the address of the client, which the control API shows, and the log")
    func trusted() async throws {
        let lines = Gathering<String>()
        try await World.run {
            $0.trustedProxies = ["127.0.0.1", "10.0.0.7"]
            $0.log = .json { lines.append($0) }
        } _: { world in
            try await expectEqual(address(world, [Self.field: "203.0.113.9"]), "203.0.113.9")
            let forged: HeaderFields = [Self.field: "8.8.8.8, 203.0.113.9, 10.0.0.7"]
            try await expectEqual(address(world, forged), "203.0.113.9")
            try await expectEqual(address(world, [Self.field: "2001:db8::7"]), "2001:db8::7")
            #expect(try await address(world, [:]).hasPrefix("127.0.0.1:"))
            // Each request of a connection may be somebody else's.
            let line = try await world.client.open()
            let other = #""peer":"203.0.113.1""#
            _ = try await line.request("POST", "/api/v1/sessions", [Self.field: "203.0.113.1"], body: [])
            _ = try await lines.wait(for: "the client in the log") { $0.first { $0.contains(other) } }
            _ = try await line.request("POST", "/api/v1/sessions", [:], body: [])
            line.drop()
            let next: String = try await lines.wait(for: "the next request in the log") {
                $0.filter { $0.contains(#""event":"request""#) }.drop { !$0.contains(other) }.dropFirst()
                    .first
            }
            #expect(next.contains(#""peer":"127.0.0.1:"#))
        }
    }

    @Test("From any other address the field counts for nothing, and the log says so once")
    func stranger() async throws {
        try await World.run { world in
            for _ in 0..<3 {
                let address = try await address(world, [Self.field: "203.0.113.9"])
                #expect(address.hasPrefix("127.0.0.1:"))
            }
            let line =
                "counts for nothing: it comes from 127.0.0.1, which is no trusted proxy (--trusted-proxy)"
            try await world.logged(line)
            expectEqual(world.log.all.count { $0.contains(line) }, 1)
            #expect(!world.log.all.contains { $0.contains("203.0.113.9") })
        }
    }

    @Test("A field of a proxy that is no list of addresses counts for nothing, and the log says so once")
    func malformed() async throws {
        try await World.run {
            $0.trustedProxies = ["127.0.0.1"]
        } _: { world in
            for text in ["unknown", "203.0.113.9, ", "<script>", "203.0.113.9, 1.2.3.999"] {
                #expect(try await address(world, [Self.field: text]).hasPrefix("127.0.0.1:"), "\(text)")
            }
            let line = "counts for nothing: the proxy 127.0.0.1 sent something else than addresses"
            try await world.logged(line)
            expectEqual(world.log.all.count { $0.contains(line) }, 1)
        }
    }

    @Test("What guards the control API looks at the request alone: no field of a proxy opens it")
    func guards() async throws {
        try await World.run {
            $0.trustedProxies = ["127.0.0.1"]
        } _: { world in
            let fields: HeaderFields = [
                Self.field: "127.0.0.1", "X-Forwarded-Host": "127.0.0.1",
                "Forwarded": "for=127.0.0.1;host=127.0.0.1",
            ]
            var host = fields
            host.append("Host", "evil.example")
            let foreign = try await world.client.request("GET", "/_mock/sessions", host).status
            var origin = fields
            origin.append("Origin", "http://evil.example")
            origin.append("X-Mock-Control", "1")
            let page = try await world.client.request("POST", "/_mock/reset", origin).status
            #expect(foreign == 403 && page == 403)
        }
    }

    @Test("Connections of a trusted proxy have no bound of their own (limits.socketsPerAddress)")
    func unbounded() async throws {
        for (proxies, statuses) in [(["127.0.0.1"], [200, 200]), ([], [200, 503])] {
            try await World.run {
                ($0.trustedProxies, $0.limits.socketsPerAddress) = (proxies, 1)
            } _: { world in
                var lines: [Line] = []
                var found: [Int] = []
                for _ in 0..<2 {
                    let line = try await world.client.open()
                    found.append(try await line.request("GET", "/_mock/health").status)
                    lines.append(line)
                }
                expectEqual(found, statuses)
                for line in lines { line.drop() }
            }
        }
    }

    @Test(
        "Only addresses in figures are trusted proxies",
        arguments: ["proxy", "", "10.0.0.0/8", "1.2.3.4:80"] as [String])
    func settings(word: String) async throws {
        var configuration = Configuration()
        configuration.trustedProxies = ["10.0.0.7", word]
        let error = await #expect(throws: ServerError.self) { try await MockServer.start(configuration) }
        expectEqual(
            error?.description,
            "trustedProxies has \"\(word)\"; write an address in figures such as 10.0.0.7 or ::1")
    }
}
