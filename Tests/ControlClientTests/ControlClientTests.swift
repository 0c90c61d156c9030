import Clocks
import Expectations
import HTTPCore
import TestSupport
import Testing
import Texts

@testable import ControlClient

@Suite("Client of the control API", .timeLimit(.minutes(5)))
struct ControlClientTests {
    @Test("A read carries the host and no body; a write says that it is JSON")
    func requests() async throws {
        let server = try await CannedServer { _ in .json(200, #"{"mode":"frozen"}"#) }
        let client = try ControlClient(url: server.url, token: nil)
        let answer = try await client.call("GET", "clock")
        expectEqual(answer.status, 200)
        #expect(answer.json?["mode"] == .string("frozen"))
        _ = try await client.call("POST", "clock", body: ["next": .bool(true)])
        _ = try await client.call("DELETE", "faults")
        let seen = server.requests.all
        expectEqual(
            seen.map(\.line),
            [
                "GET /_mock/clock", #"POST /_mock/clock {"next":true}"#, "DELETE /_mock/faults",
            ])
        expectEqual(seen[0].headers["Host"], "127.0.0.1:\(server.port)")
        expectEqual(seen[0].headers["Content-Type"], nil)
        for write in seen[1...] {
            expectEqual(write.headers["Content-Type"], "application/json")
            expectEqual(write.headers["X-Mock-Control"], "1")
        }
        #expect(seen.allSatisfy { $0.headers["X-Mock-Token"] == nil && $0.headers["Origin"] == nil })
        await server.stop()
    }

    @Test("A token goes with every call, and cannot begin a header of its own (RFC 9110 §5.5)")
    func token() async throws {
        let server = try await CannedServer { _ in .json(200, "{}") }
        let client = try ControlClient(url: server.url, token: "a\r\nX-Evil: 1")
        _ = try await client.call("GET", "health")
        let headers = server.requests.all[0].headers
        expectEqual(headers["X-Mock-Token"], "a  X-Evil: 1")
        expectEqual(headers["X-Evil"], nil)
        await server.stop()
    }

    @Test("Names and filters stay inside their part of the address (RFC 3986 §2.3)")
    func encoding() {
        let request = ControlRequest(
            "GET", "sessions", "a/b?c", "journal",
            query: [.init("filter", "type:USER_* & x"), .init("after", "3")])
        expectEqual(
            request.target,
            "/_mock/sessions/a%2Fb%3Fc/journal?filter=type%3AUSER_%2A%20%26%20x&after=3")
    }

    @Test("An answer in pieces of one byte arrives whole, whether its length is told, coded or the end")
    func pieces() async throws {
        let texts = [
            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"n\":1,\"m\"}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"n\":\r\n6\r\n1,\"m\"}\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n{\"n\":1,\"m\"}",
        ]
        for text in texts {
            let server = try await CannedServer { _ in .pieces(text.utf8.map { [$0] }, ends: true) }
            let client = try ControlClient(url: server.url, token: nil)
            try await expectEqual(client.call("GET", "wire").text, "{\"n\":1,\"m\"}")
            await server.stop()
        }
    }

    @Test("A refusal is the server's own sentence", arguments: [400, 401, 404, 408, 409, 422, 500] as [Int])
    func refusals(status: Int) async throws {
        let body = #"{"error":{"message":"Marta has taken over already; hand back first."}}"#
        let server = try await CannedServer { _ in .json(status, body) }
        let client = try ControlClient(url: server.url, token: nil)
        await #expect(
            throws: ControlError.refused(
                status: status, message: "Marta has taken over already; hand back first.",
                body: Array(body.utf8))
        ) { try await client.call("POST", "sessions", "last", "takeover", body: [:]) }
        await server.stop()
    }

    @Test(
        "A refusal without a sentence is told by its status and first line",
        arguments: [
            ("", "the server refused with status 502 without a word"),
            ("<html>\nx", "the server refused with status 502 with: <html>"),
            (#"{"message":"no"}"#, "no"),
        ] as [(String, String)])
    func foreignRefusals(body: String, sentence: String) async throws {
        let server = try await CannedServer { _ in .json(502, body) }
        let client = try ControlClient(url: server.url, token: nil)
        let error = await #expect(throws: ControlError.self) { try await client.call("GET", "health") }
        expectEqual(error?.description, sentence)
        await server.stop()
    }

    @Test("Where nobody listens, the sentence says how to start a server")
    func nobody() async throws {
        try await TakenPort.with { taken in
            let url = "http://127.0.0.1:\(taken.port)"
            let client = try ControlClient(url: url, token: nil)
            let error = await #expect(throws: ControlError.self) { try await client.call("GET", "health") }
            expectEqual(error?.description, "nothing answers at \(url); start one with \"polymock\"")
            var items: [ControlClient.FeedItem] = []
            for await item in client.feed(after: nil, filter: nil) { items.append(item) }
            expectEqual(items, [.failed(.nothingAnswers(url: url))])
        }
    }

    @Test("localhost is tried on both families (RFC 6761 §6.3)")
    func localhost() async throws {
        let server = try await CannedServer { _ in .json(200, "{}") }
        let client = try ControlClient(url: "localhost:\(server.port)", token: nil)
        try await expectEqual(client.call("GET", "health").status, 200)
        expectEqual(server.requests.all[0].headers["Host"], "localhost:\(server.port)")
        await server.stop()
    }

    @Test("An answer that breaks off is an error, never half an answer")
    func brokenOff() async throws {
        for text in [
            "", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "what is this\r\n\r\n",
        ] {
            let server = try await CannedServer { _ in .pieces([Array(text.utf8)], ends: true) }
            let client = try ControlClient(url: server.url, token: nil)
            let error = await #expect(throws: ControlError.self) { try await client.call("GET", "x") }
            expectEqual(error?.description.hasPrefix("\(server.url) gave no usable answer: "), true)
            await server.stop()
        }
    }

    @Test("A server that is silent is given up after the time the caller allows")
    func silence() async throws {
        let server = try await CannedServer { _ in .silence }
        let clock = VirtualClock()
        let client = try ControlClient(url: server.url, token: nil, clock: clock, seed: 1)
        let outcome = Task {
            try await client.call(ControlRequest("GET", "wait"), patience: .seconds(7))
        }
        _ = try await server.requests.wait(count: 1)
        clock.advance(by: .seconds(7))
        await #expect(throws: ControlError.tooLate(url: server.url, seconds: 7)) {
            try await outcome.value
        }
        await server.stop()
    }

    @Test("A protocol that changes without being asked is no answer")
    func changedProtocol() async throws {
        let server = try await CannedServer { _ in
            .pieces([Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n".utf8)], ends: true)
        }
        let client = try ControlClient(url: server.url, token: nil)
        await #expect(
            throws: ControlError.broken(
                url: server.url, reason: "the protocol was changed without being asked")
        ) { try await client.call("GET", "health") }
        await server.stop()
    }
}

@Suite("Answers of the control API")
struct ControlAnswerTests {
    @Test("Containers in containers are read up to the limit (ControlLimits.answerDepth)")
    func depth() {
        func answer(_ depth: Int) -> ControlAnswer {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return ControlAnswer(status: 200, body: Array(text.utf8))
        }
        #expect(answer(ControlLimits.answerDepth).json != nil)
        expectEqual(answer(ControlLimits.answerDepth + 1).json, nil)
    }
}

@Suite("Address of a server")
struct ControlAddressTests {
    @Test(
        "Scheme and port may be left out, a slash may follow",
        arguments: [
            ("http://127.0.0.1:8787", "http://127.0.0.1:8787"), ("127.0.0.1:8787/", "http://127.0.0.1:8787"),
            ("HTTP://localhost", "http://localhost"), ("[::1]:9", "http://[::1]:9"),
            ("http://[::1]", "http://[::1]"), ("my-mac.local:80", "http://my-mac.local"),
        ] as [(String, String)])
    func good(text: String, url: String) throws {
        try expectEqual(ControlClient(url: text, token: nil).url, url)
    }

    @Test(
        "What is no address of a server is told with an example",
        arguments: [
            "", "http://", "https://127.0.0.1:8787", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:0", "a:65536",
            "::1", "[::1]x", "https://[::1]", "[::1]:", "a b", "http://a/b", "user@host", "a\r\nb", "[",
            "://x",
        ] as [String])
    func bad(text: String) {
        let error = #expect(throws: ControlError.self) { try ControlClient.endpoint(text) }
        expectEqual(
            error?.description,
            "\"\(text)\" is not the address of a server; write one such as http://127.0.0.1:8787")
    }
}
