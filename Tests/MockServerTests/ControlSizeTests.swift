import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

/// What is larger than usual, and addresses that are not what they seem.
@Suite("The control API under load and lies", .timeLimit(.minutes(5)))
struct ControlSizeTests {
    private let json: HeaderFields = ["Content-Type": "application/json"]

    /// A server whose timeline holds more than one write may be.
    private func withLongTimeline(_ body: (World) async throws -> Void) async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.limits.writeBufferBytes = 300_000
        } _: { world in
            let (session, _) = try await world.greeted()
            let text = String(repeating: "x", count: 60_000)
            for _ in 0..<12 {
                await world.server.inspect { server in
                    server.receive(ClientInput(.say(text)), in: session.id)
                }
            }
            try await body(world)
        }
    }

    @Test("An answer larger than what may wait for a client arrives whole")
    func longAnswer() async throws {
        try await withLongTimeline { world in
            let answer = try await world.client.request("GET", "/_mock/export", [:], body: "")
            expectEqual(answer.status, 200)
            #expect(answer.body.count > 1_200_000)
            expectEqual(answer.headers["Content-Length"], "\(answer.body.count)")
        }
    }

    @Test("A wait over a long timeline answers with its row, also one that comes later")
    func longWait() async throws {
        try await withLongTimeline { world in
            let found = try await world.client.request(
                "GET", "/_mock/wait?filter=type:USER_MESSAGE&after=0&count=12", [:], body: "")
            #expect(found.status == 200 && found.body.count > 700_000, "\(found.status)")
            let missed = try await world.client.request(
                "GET", "/_mock/wait?filter=type:USER_MESAGE&after=0&timeout=0s", [:], body: "")
            #expect(
                missed.status == 408 && missed.text.contains("did you mean"), "\(missed.text.prefix(200))")
            let control = try await ControlClient(world)
            let last = try #require(try await control.get("wire?last=1")["last"]?.integer)
            async let later = control.get("wait?filter=type:USER_MESSAGE&after=\(last)")
            try await control.until(pending: "wait for rows")
            let id = try #require(await world.server.inspect { $0.sessions.first?.id })
            await world.server.inspect { $0.receive(ClientInput(.say("later")), in: id) }
            let answer = try await later
            expectEqual(answer.status, 200)
            expectEqual(answer["rows", 0, "raw"]?.string?.contains("later"), true)
        }
    }

    @Test("A long journal arrives whole, and after a number only the rest")
    func longJournal() async throws {
        try await withLongTimeline { world in
            let control = try await ControlClient(world)
            let whole = try await control.get("sessions/last/journal")
            expectEqual(whole.status, 200)
            let entries = whole["entries"]?.array ?? []
            #expect(entries.count > 12)
            let rest = try await control.get("sessions/last/journal?after=\(entries.count - 2)")
            expectEqual(rest["entries"]?.array, entries.suffix(2))
        }
    }

    @Test("Unmatched messages are kept cut to some kilobytes, without tokens, and listed however many")
    func longUnmatched() async throws {
        try await World.run { world in
            let (session, _) = try await world.greeted()
            let long = "xyzzy access_token=SECRET " + String(repeating: "z", count: 30_000)
            let count = Strength.of(20, full: 60)
            for _ in 0..<count {
                await world.server.inspect { server in
                    server.receive(ClientInput(.say(long)), in: session.id)
                }
            }
            _ = try await world.client.request("GET", "/api/v1/sess%3Faccess_token=SECRET", [:], body: "")
            let answer = try await ControlClient(world).get("unmatched")
            let list = answer["unmatched"]?.array ?? []
            expectEqual(list.count, count + 1)
            for item in list {
                let (text, report) = (item["text"]?.string ?? "", item["report"]?.string ?? "")
                #expect(text.utf8.count <= 4_100 && report.utf8.count <= 4_100)
                #expect(!text.contains("SECRET") && !report.contains("SECRET"), "\(text.prefix(80))")
            }
        }
    }

    @Test("A body of no chunks is none, and HEAD with a body is answered like GET")
    func emptyChunks() async throws {
        try await World.run { world in
            let line = try await world.client.open()
            line.send(
                "POST /_mock/reset HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Mock-Control: 1\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", requests: ["POST"])
            try await expectEqual(line.answer(0).status, 200)
            let head = try await world.client.request("HEAD", "/_mock/wire", json, body: "{}")
            expectEqual(head.status, 200)
        }
    }

    @Test("What was exported can be imported, however long")
    func longImport() async throws {
        try await withLongTimeline { world in
            let answer = try await world.client.request("GET", "/_mock/export", [:], body: "")
            let imported = try await world.client.request(
                "POST", "/_mock/import", json, body: String(decoding: answer.body, as: UTF8.self))
            expectEqual(imported.status, 200, "\(imported.text.prefix(200))")
            let tooMuch = try await world.client.request(
                "POST", "/_mock/reset", json, body: String(repeating: " ", count: 2 << 20))
            expectEqual(tooMuch.status, 413)
        }
    }

    @Test(
        "An id with a slash in it stays an id",
        arguments: [
            ("DELETE", "/_mock/sessions/..%2Ffaults"), ("DELETE", "/_mock/faults/..%2Fsessions%2Flast"),
            ("GET", "/_mock/sessions/..%2Fmetrics"), ("GET", "/_mock/sessions/%2E%2E/metrics"),
        ] as [(String, String)])
    func encodedSlash(method: String, path: String) async throws {
        try await World.run { world in
            let (session, _) = try await world.greeted()
            let id = await world.server.inspect { server in
                server.inject(
                    Fault(name: "t", moment: .heartbeat(9), effect: .drop), session: session.id, by: "test")
            }
            let answer = try await world.client.request(method, path, json, body: "")
            #expect(answer.status == 404 || answer.status == 400, "\(answer.status) \(answer.text)")
            let fault = try #require(id)
            #expect(await world.server.inspect { $0.session(session.id) != nil && $0.remove(fault) })
        }
    }

    @Test("A stall that held more than may wait for a client is let go as fast as the client reads")
    func longStall() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
            $0.limits.writeBufferBytes = 300_000
        } _: { world in
            let (session, talk) = try await world.greeted()
            let id = await world.server.inspect { server in
                server.inject(
                    Fault(name: "jam", moment: .anyEvent, effect: .stall(nil)), session: session.id,
                    by: "test")
            }
            for number in 0..<20 {
                let text = "\(number) " + String(repeating: "y", count: 60_000)
                await world.server.inspect { server in
                    server.receive(ClientInput(.say(text)), in: session.id)
                }
            }
            let fault = try #require(id)
            #expect(await world.server.inspect { $0.remove(fault) })
            _ = try await talk.line.items.wait(for: "all twenty echoes") { _ in
                talk.events.filter { $0.type == "USER_MESSAGE" }.count == 20 ? true : nil
            }
            #expect(!talk.isClosed)
        }
    }

    @Test("Twenty-four faults that repeat make 24 copies more, not 2²⁴")
    func repeats() async throws {
        try await World.run {
            $0.fixtureText = fixture("")
        } _: { world in
            let (session, talk) = try await world.greeted()
            for _ in 0..<24 {
                await world.server.inspect { server in
                    _ = server.inject(
                        Fault(name: "echo", moment: .userMessage(1), effect: .repeated),
                        session: session.id, by: "test")
                }
            }
            talk.say("Hi")
            try await talk.settle()
            expectEqual(talk.events.filter { $0.type == "USER_MESSAGE" }.count, 25)
        }
    }

    @Test(
        "A fault that could never act is refused with the reason",
        arguments: [
            (#"{"at":"any event","do":{"refuse":500}}"#, "Only a token, a session, a handshake"),
            (#"{"at":"token","do":{"lose":"event"}}"#, "No event is sent at this moment"),
        ] as [(String, String)])
    func contradiction(body: String, reason: String) async throws {
        try await World.run { world in
            let answer = try await world.client.request("POST", "/_mock/faults", json, body: body)
            #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        }
    }
}
