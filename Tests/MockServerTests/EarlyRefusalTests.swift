import Expectations
import Fixtures
import HTTPCore
import ServerCore
import TestSupport
import Testing
import Texts

@testable import MockServer

/// Requests that are refused by their heads, before a byte of the body is taken.
@Suite("Refused by the head", .timeLimit(.minutes(5)))
struct EarlyRefusalTests {
    /// The head of a request whose body never comes.
    private func head(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], length: String = "120000000"
    ) -> String {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        if !fields.contains(where: { $0.0 == "Host" }) { text += "Host: 127.0.0.1\r\n" }
        if !fields.contains(where: { $0.0 == "Content-Type" }) {
            text += "Content-Type: application/json\r\n"
        }
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        return text + "Content-Length: \(length)\r\n\r\n"
    }

    private func refused(
        _ world: World, _ head: String, method: String = "POST"
    ) async throws -> Line.Answer {
        let line = try await world.client.open()
        line.send(head, requests: [method])
        let answer = try await line.answer(0)
        expectEqual(answer.headers["Connection"], "close")
        return answer
    }

    @Test(
        "Who may not ask, or asks for what is not there, is told so at once",
        arguments: [
            ("POST", "/_mock/importance", [], 404), ("POST", "/_mock/import/x", [], 404),
            ("POST", "/_mock/import/", [], 404), ("PUT", "/_mock/import", [], 405),
            ("POST", "/_mock/import", [("Host", "evil.example")], 403),
            ("POST", "/_mock/import", [("Origin", "http://evil.example")], 403),
            ("POST", "/_mock/import", [("Content-Type", "text/plain")], 415),
            ("POST", "/_mock/import", [("X-Mock-Token", "wrong")], 401),
            ("POST", "/_mock/reset", [("X-Mock-Token", "right")], 413),
        ] as [(String, String, [(String, String)], Int)])
    func early(method: String, path: String, fields: [(String, String)], status: Int) async throws {
        try await World.run {
            $0.control.token = "right"
        } _: { world in
            var fields = fields
            if !fields.contains(where: { $0.0 == "X-Mock-Token" }) {
                fields.append(("X-Mock-Token", "right"))
            }
            let answer = try await refused(world, head(method, path, fields), method: method)
            expectEqual(answer.status, status, "\(answer.text)")
        }
    }

    @Test("A size is judged by the head: what a route would refuse whole it refuses at once, with one number")
    func sizes() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let routes = ControlRoute.all.filter { $0.writes && $0.method != "DELETE" }
            #expect(routes.count > 10)
            for route in routes {
                let path = route.path.replacing("{id}", with: "last").replacing("{name}", with: "mine")
                let most =
                    switch route.name {
                    case "import": ServerLimits.Control.importBytes
                    case "saveFixture", "addFixture", "checkFixture": FixtureLoader.fileBytes
                    default: world.server.configuration.limits.bodyBytes
                    }
                let beyond = head(route.method, path, length: "\(most + 1)")
                let answer = try await refused(world, beyond, method: route.method)
                #expect(
                    answer.status == 413 && answer.text.contains("\(most) bytes"), "\(path) \(answer.text)")
            }
            // A body of exactly that size is read: nothing later refuses it for its size.
            let before = #"{"name":"large","text":"{fixture:1,otherwise:[{replies:[{say:\"x\"}]}]}"#
            let blanks = String(repeating: " ", count: FixtureLoader.fileBytes - before.utf8.count - 2)
            let taken = try await control.post("fixtures", before + blanks + "\"}")
            expectEqual(taken.status, 200, "\(taken.message)")
        }
    }

    @Test("Without the token the body is not taken; Expect gets the refusal and no 100")
    func expectation() async throws {
        try await World.run {
            $0.control.token = "right"
        } _: { world in
            let text = head("POST", "/_mock/import", [("Expect", "100-continue")])
            try await expectEqual(refused(world, text).status, 401)
            let line = try await world.client.open()
            line.send(
                head("POST", "/_mock/import", [("Expect", "100-continue"), ("X-Mock-Token", "right")]),
                requests: ["POST"])
            try await expectEqual(line.answer(0).status, 100)
        }
    }

    @Test(
        "The limit that is named is the one that counts",
        arguments: [
            ("POST /ag-ui/weather", "10000000000000000000000", 16_777_216),
            ("PUT /contact/chat", "2000000", 1_048_576),
            ("POST /_mock/reset", "2000000", 1_048_576), ("POST /_mock/import", "200000000", 134_217_728),
            ("POST /_mock/import", "10000000000000000000000", 134_217_728),
        ] as [(String, String, Int)])
    func limits(request: String, length: String, limit: Int) async throws {
        try await World.run { world in
            let words = request.split(separator: " ").map(String.init)
            let answer = try await refused(world, head(words[0], words[1], length: length), method: words[0])
            expectEqual(answer.status, 413)
            #expect(answer.text.contains("larger than \(limit) bytes"), "\(answer.text)")
        }
    }

    @Test("A chunked body is cut off at the limit of its route")
    func chunked() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            line.send(
                "POST /_mock/reset HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n200000\r\n", requests: ["POST"])
            for _ in 0..<33 { line.send([UInt8](repeating: 0x20, count: 65_536)) }
            let answer = try await line.answer(0)
            #expect(answer.status == 413 && answer.text.contains("1048576"), "\(answer.text)")
        }
    }

    @Test(
        "Bodies under way have room together; one more waits, short ones have some (limits.bodiesTotalBytes)",
        arguments: [
            ("/_mock/import", 120_000_000), ("/_mock/fixtures", 2_000_000), ("/ag-ui/weather", 2_000_000),
        ] as [(String, Int)])
    func bodies(path: String, length: Int) async throws {
        try await World.run {
            $0.limits.bodiesTotalBytes = length * 2
        } _: { world in
            let text = head("POST", path, [("Expect", "100-continue")], length: "\(length)")
            let line = try await world.client.open()
            line.send(text, requests: ["POST"])
            try await expectEqual(line.answer(0).status, 100)
            let held = await world.server.inspect { $0.heldBytes.first { $0.kind == .bodies }?.bytes }
            expectEqual(held, length)
            let answer = try await refused(world, head("POST", path, length: "\(length)"))
            #expect(answer.status == 503 && answer.headers["Retry-After"] != nil, "\(answer.text)")
            #expect(answer.text.contains("limits.bodiesTotalBytes"))
            _ = try await world.client.session()
            line.drop()
            for _ in 0..<1_000 {
                let line = try await world.client.open()
                line.send(text, requests: ["POST"])
                if try await line.answer(0).status == 100 { return }
            }
            Issue.record("the room of a body that was given up is never free")
        }
    }

    @Test("The beginning of a head counts as it comes, and is given back (limits.bodiesTotalBytes)")
    func beginningsOfHeads() async throws {
        try await World.run {
            $0.limits.bodiesTotalBytes = 100_000
        } _: { world in
            let text =
                "GET /_mock/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "
                + String(repeating: "a", count: 40_000)
            var lines: [Line] = []
            for count in 1...2 {
                lines.append(try await world.client.open())
                lines[count - 1].send(text)
                try await reach(world) { $0 > 40_000 * count && $0 < 41_000 * count }
            }
            let third = try await world.client.open()
            third.send(text, requests: ["GET"])
            let answer = try await third.answer(0)
            #expect(answer.status == 503 && answer.headers["Retry-After"] != nil)
            #expect(answer.text.contains("limits.bodiesTotalBytes"))
            try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
            lines[0].drop()
            try await reach(world) { $0 < 41_000 }
            lines[1].send("\r\n\r\n", requests: ["GET"])
            try await expectEqual(lines[1].answer(0).status, 200)
            try await reach(world) { $0 == 0 }
        }
    }

    @Test(
        "The head of a request that waits counts until its answer, whatever came after it",
        arguments: ["\r\n", "Connection: Upgrade\r\nUpgrade: nothing\r\n\r\n", "\r\nG"] as [String])
    func headOfWait(rest: String) async throws {
        try await World.run { world in
            let line = try await world.client.open()
            let cookie = String(repeating: "a", count: 40_000)
            line.send(
                "GET /_mock/wait?filter=type:NEVER&timeout=1h HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\n"
                    + rest, requests: ["GET"])
            try await reach(world) { $0 > 40_000 && $0 < 41_000 }
            line.drop()
            try await reach(world) { $0 == 0 }
        }
    }

    @Test("A head that was refused counts until the end of its body, not until the next request")
    func discarded() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            let cookie = String(repeating: "a", count: 40_000)
            line.send(
                "POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\nContent-Length: 5\r\n\r\n",
                requests: ["POST"])
            try await expectEqual(line.answer(0).status, 404)
            try await reach(world) { $0 > 40_000 }
            line.send("hello")
            try await reach(world) { $0 == 0 }
            try await expectEqual(line.request("GET", "/_mock/health").status, 200)
        }
    }

    @Test("A head that is larger than all room is refused for good")
    func largeHead() async throws {
        try await World.run {
            $0.limits.bodiesTotalBytes = 30_000
        } _: { world in
            let line = try await world.client.open()
            let cookie = String(repeating: "a", count: 40_000)
            line.send(
                "GET /_mock/health HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\n\r\n",
                requests: ["GET"])
            let answer = try await line.answer(0)
            #expect(answer.status == 431 && answer.text.contains("limits.bodiesTotalBytes"), "\(answer.text)")
        }
    }

    /// Asks until the bytes of requests under way are as wanted.
    private func reach(_ world: World, _ isWanted: (Int) -> Bool) async throws {
        var bytes = -1
        for _ in 0..<1_000 {
            bytes = await world.server.inspect { $0.heldBytes(of: .bodies) }
            if isWanted(bytes) { return }
            _ = try await world.client.request("GET", "/_mock/health")
        }
        Issue.record("\(bytes) bytes are held")
    }

    @Test("A body that is longer than all of them together may be is refused for good")
    func largerThanAll() async throws {
        try await World.run {
            $0.limits.bodiesTotalBytes = 1_000_000
        } _: { world in
            let answer = try await refused(world, head("POST", "/ag-ui/weather", length: "900000"))
            #expect(answer.status == 413 && answer.text.contains("limits.bodiesTotalBytes"))
        }
    }

    @Test("Chunks that say no length count as they come")
    func countedChunks() async throws {
        try await World.run {
            $0.limits.bodiesTotalBytes = 400_000
        } _: { world in
            let line = try await world.client.open()
            line.send(
                "POST /ag-ui/weather HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n100000\r\n", requests: ["POST"])
            for _ in 0..<10 { line.send([UInt8](repeating: 0x20, count: 65_536)) }
            let answer = try await line.answer(0)
            #expect(answer.status == 413 && answer.text.contains("limits.bodiesTotalBytes"), "\(answer.text)")
        }
    }

    @Test(
        "What is refused whatever its body says is refused by its head, by each protocol in its words",
        arguments: [
            ("POST", "/nowhere", [], 404), ("PUT", "/api/v1/sessions", [], 405),
            ("POST", "/_mock/health", [], 405), ("POST", "/chat", [], 405),
            ("POST", "/api/v1/sessions", [], 400), ("POST", "/api/v1/access-token", [], 401),
            ("POST", "/api/v1/sessions", [("Authorization", "Bearer x")], 401),
            ("POST", "/ag-ui/nobody-knows-it", [], 404), ("DELETE", "/ag-ui/weather", [], 405),
            ("POST", "/ag-ui/weather", [("Content-Type", "text/plain")], 415),
            ("PUT", "/connect/upload/nothing?X-Amz-Signature=none", [], 403),
            ("PUT", "/connect/upload/nothing", [], 403), ("POST", "/participant/message", [], 403),
            ("POST", "/participant/connection", [("X-Amz-Bearer", "x")], 403),
            ("PUT", "/contact/participant-role-config/i/nobody", [], 404),
        ] as [(String, String, [(String, String)], Int)], ["900000", "10", "chunked"] as [String])
    func byHead(request: (String, String, [(String, String)], Int), length: String) async throws {
        try await World.run { world in
            var text = head(request.0, request.1, request.2, length: length)
            if length == "chunked" {
                text = text.replacing("Content-Length: chunked", with: "Transfer-Encoding: chunked")
            }
            let line = try await world.client.open()
            line.send(text, requests: [request.0])
            let answer = try await line.answer(0)
            expectEqual(answer.status, request.3, "\(answer.text)")
            expectEqual(answer.headers["Connection"] == "close", length != "10")
            await expectEqual(world.server.inspect { $0.heldBytes.first { $0.kind == .bodies }?.bytes }, 0)
            guard length == "10" else { return }
            line.send("0123456789")
            try await expectEqual(line.request("GET", "/_mock/health").status, 200)
        }
    }

    @Test("A signature that is good for 10 bytes lets no others come")
    func uploads() async throws {
        try await World.run { world in
            let start = try await world.client.request(
                "PUT", "/contact/chat", ["Content-Type": "application/json"],
                body: #"{"InstanceId":"i","ContactFlowId":"f","ParticipantDetails":{"DisplayName":"A"}}"#)
            let connected = try await world.client.request(
                "POST", "/participant/connection",
                [
                    "X-Amz-Bearer": start["ParticipantToken"]?.string ?? "",
                    "Content-Type": "application/json",
                ], body: #"{"Type":["CONNECTION_CREDENTIALS"],"ConnectParticipant":true}"#)
            let announced = try await world.client.request(
                "POST", "/participant/start-attachment-upload",
                [
                    "X-Amz-Bearer": connected["ConnectionCredentials"]?["ConnectionToken"]?.string ?? "",
                    "Content-Type": "application/json",
                ],
                body:
                    #"{"ContentType":"text/plain","AttachmentName":"a.txt","AttachmentSizeInBytes":10,"ClientToken":"c"}"#
            )
            let url = try #require(announced["UploadMetadata"]?["Url"]?.string)
            let path = try #require(url.firstRange(of: "/connect/")).lowerBound
            let refusal = try await refused(
                world,
                head("PUT", String(url[path...]), [("Content-Type", "text/plain")], length: "19000000"),
                method: "PUT")
            #expect(refusal.status == 400 && refusal.text.contains("10 were announced"), "\(refusal.text)")
        }
    }
}
