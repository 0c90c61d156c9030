import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// protocol.md#error-body
@Suite("Error bodies", .timeLimit(.minutes(5)))
struct ErrorBodyTests {
    private static let requests: [(name: String, bytes: String, status: Int)] = [
        (
            "an ambiguous length",
            "POST /ws HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400
        ),
        (
            "too long a target", "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
            414
        ),
        (
            "too large a body",
            "POST /api/v1/access-token HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nX-Token: t\r\nX-Host: b\r\n"
                + "Content-Length: 99999999\r\n\r\n", 413
        ),
        ("an unknown path", "GET /nowhere HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\n\r\n", 404),
        ("a wrong method", "GET /api/v1/sessions HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\n\r\n", 405),
        (
            "a bad WebSocket key",
            "GET /ws HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n", 400
        ),
        (
            "a wrong WebSocket version",
            "GET /ws HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", 426
        ),
    ]

    /// protocol.md#correlation-id
    @Test(
        "Every refusal has the superset body, an id, and can be read by pages", arguments: 0..<requests.count)
    func superset(index: Int) async throws {
        let (name, bytes, status) = Self.requests[index]
        try await World.run { world in
            let line = try await world.client.open()
            line.send(bytes, requests: ["GET"])
            let answer = try await line.answer(0)
            expectEqual(answer.status, status, "\(name)")
            expectEqual(answer.headers["Content-Type"], "application/json")
            expectEqual(answer["success"]?.bool, false)
            expectEqual(answer["message"]?.string?.isEmpty, false)
            expectEqual(answer["error"]?.string, answer["message"]?.string)
            expectEqual(answer["error_id"]?.string, answer.headers["X-Polyai-Correlation-Id"])
            expectEqual(answer.headers["Access-Control-Allow-Origin"], "*")
            if status == 426 { expectEqual(answer.headers["Sec-WebSocket-Version"], "13") }
            if status == 405 { expectEqual(answer.headers["Allow"]?.contains("POST"), true) }
        }
    }

    @Test(
        "Below paths that are closed to pages no refusal can be read by them, whatever of the message is broken",
        arguments: [
            "GET /_mock/\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /contact/chat?\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /_mock/reset HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "PUT /contact/chat HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n",
        ] as [String])
    func closed(request: String) async throws {
        try await World.run { world in
            let line = try await world.client.open()
            line.send(request, requests: ["GET"])
            let answer = try await line.answer(0)
            #expect((400..<500).contains(answer.status))
            expectEqual(answer.headers["Access-Control-Allow-Origin"], nil)
        }
    }
}
