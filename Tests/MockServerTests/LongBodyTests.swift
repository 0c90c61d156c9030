import ConversationEngine
import Dispatch
import Expectations
import HTTPCore
import ServerCore
import SocketTransport
import TestSupport
import Testing
import Texts

@testable import MockServer

/// Bodies that are read away from the loop. The queue where that is done can be kept busy, so that nothing depends on how
/// fast it is.
@Suite("Long bodies", .timeLimit(.minutes(5)))
struct LongBodyTests {
    private static let json: HeaderFields = ["Content-Type": "application/json"]

    private func body(_ thread: String, _ bytes: Int = 40_000) -> [UInt8] {
        let filler = String(repeating: "y", count: bytes)
        return Array(
            (#"{"threadId":"\#(thread)","runId":"r","messages":[{"id":"u","role":"user","content":"Hello"}],"#
                + #""state":{"a":"\#(filler)"}}"#).utf8)
    }

    private func run(_ path: String, _ body: [UInt8]) -> [UInt8] { Line.bytes("POST", path, Self.json, body) }

    /// Lets nothing be read until the result is called.
    private func block(_ world: World, _ lane: WorkLane = .medium) async -> @Sendable () -> Void {
        let gate = DispatchSemaphore(value: 0)
        await world.server.loop.run { loop in
            loop.queue(for: lane).async { gate.wait() }
        }
        return { gate.signal() }
    }

    private func joined(_ world: World, _ thread: String) async throws -> Line.Answer {
        try await world.client.open().request(
            "POST", "/ag-ui/weather/connect", Self.json,
            body: Array(#"{"threadId":"\#(thread)","runId":"j","messages":[]}"#.utf8))
    }

    @Test("While a body is read others are served, and short runs on other connections as well")
    func othersGoOn() async throws {
        try await World.run { world in
            let letGo = await block(world)
            let line = try await world.client.open()
            line.send(run("/ag-ui/weather", body("t-1")), requests: ["POST"])
            try await expectEqual(world.client.request("GET", "/_mock/health").status, 200)
            let short = try await world.ask(
                "/weather",
                #"{"threadId":"t-2","runId":"r","messages":[{"id":"u","role":"user","content":"Hi"}]}"#)
            expectEqual(line.pieces.count, 0)
            letGo()
            try await line.pieces.wait(for: "an answer") { $0.isEmpty ? nil : true }
            await world.pass(.seconds(3))
            #expect(try await line.answer(0).text.contains("RUN_FINISHED"))
            #expect(try await short.answer(0).text.contains("RUN_FINISHED"))
        }
    }

    @Test("A long body does not wait for one that is longer")
    func lanes() async throws {
        try await World.run { world in
            let letGo = await block(world, .long)
            let long = try await world.client.open()
            long.send(run("/ag-ui/weather", body("t-1", 600_000)), requests: ["POST"])
            let medium = try await world.client.open()
            medium.send(run("/ag-ui/weather", body("t-2")), requests: ["POST"])
            try await medium.pieces.wait(for: "an answer") { $0.isEmpty ? nil : true }
            expectEqual(long.pieces.count, 0)
            letGo()
            try await long.pieces.wait(for: "an answer") { $0.isEmpty ? nil : true }
        }
    }

    @Test("Requests of one connection keep their order, however long they are")
    func keepsOrder() async throws {
        try await World.run { world in
            let letGo = await block(world)
            let line = try await world.client.open()
            var bytes = run("/ag-ui/weather", Array(repeating: UInt8(ascii: "["), count: 40_000))
            bytes += Line.bytes("GET", "/ag-ui", [:], [])
            bytes += run("/ag-ui/nobody", body("t-1"))
            bytes += Line.bytes("GET", "/_mock/health", [:], [])
            line.send(bytes, requests: ["POST", "GET", "POST", "GET"])
            letGo()
            var seen: [Int] = []
            for index in 0..<4 { seen.append(try await line.answer(index).status) }
            expectEqual(seen, [400, 200, 404, 200])
        }
    }

    @Test(
        "The requests after one that is worked on count with it, or are refused for the lack of room (limits.bodiesTotalBytes)",
        arguments: [(100_000, 200), (45_000, 503)] as [(Int, Int)])
    func pipelined(limit: Int, status: Int) async throws {
        try await World.run {
            $0.limits.bodiesTotalBytes = limit
        } _: { world in
            let letGo = await block(world)
            let line = try await world.client.open()
            let first = run("/ag-ui/weather", Array(repeating: UInt8(ascii: "["), count: 40_000))
            line.send(Array(first.dropLast()), requests: ["POST", "GET"])
            while await world.server.inspect({ $0.heldBytes(of: .bodies) }) != 40_000 { await Task.yield() }
            let cookie = String(repeating: "a", count: 10_000)
            line.send(
                Array(first.suffix(1)) + Line.bytes("GET", "/_mock/health", ["Cookie": cookie], []) + [71])
            while await world.server.inspect({ $0.workingConnections }) == 0 { await Task.yield() }
            let held = await world.server.inspect { $0.heldBytes(of: .bodies) }
            #expect(status == 503 ? held == 40_000 : (50_000..<50_500).contains(held))
            letGo()
            try await expectEqual(line.answer(0).status, 400)
            let second = try await line.answer(1)
            #expect(second.status == status && (second.headers["Retry-After"] != nil) == (status == 503))
            if status == 503 { #expect(second.text.contains("limits.bodiesTotalBytes")) }
            await expectEqual(world.server.inspect { $0.heldBytes(of: .bodies) }, 0)
        }
    }

    @Test("Whose client has left is not read: no session is opened for it")
    func leaves() async throws {
        try await World.run { world in
            let letGo = await block(world)
            let line = try await world.client.open()
            line.send(run("/ag-ui/weather", body("t-1")), requests: ["POST"])
            // Until the server has all of it, and waits.
            while await world.server.inspect({ $0.workingConnections }) == 0 {
                await Task.yield()
            }
            line.drop(reset: true)
            while await world.server.inspect({ $0.workingConnections }) > 0 { await Task.yield() }
            letGo()
            _ = try await world.ask("/weather", String(decoding: body("t-2"), as: UTF8.self))
            let sessions = await world.server.inspect { $0.sessions.map(\.id) }
            expectEqual(sessions.count, 1, "\(sessions)")
        }
    }

    @Test("A thread of megabytes is joined again, also after its end, and short threads meanwhile")
    func joinsAgain() async throws {
        try await World.run { world in
            for thread in ["t-1", "t-2"] {
                let long = thread == "t-1"
                _ = try await world.run(
                    "/weather", String(decoding: body(thread, long ? 600_000 : 10), as: UTF8.self))
            }
            let letGo = await block(world, .long)
            async let long = joined(world, "t-1")
            #expect(try await joined(world, "t-2").text.contains("STATE_SNAPSHOT"))
            letGo()
            let text = try await long.text
            #expect(text.utf8.count > 600_000 && text.hasSuffix("\n\n"))
            let types = text.split(separator: "\n\n").map { $0.prefix(40) }
            #expect(types.count == 4 && types[2].contains("STATE_SNAPSHOT"))
            await world.server.inspect { server in
                for session in server.sessions {
                    server.withEngine {
                        $0.end(session.handle, reason: .natural, by: "test", at: server.now, into: &$1)
                    }
                }
            }
            try await expectEqual(joined(world, "t-1").text, text)
        }
    }

    @Test("A long request of a contact is read as a short one is")
    func contact() async throws {
        try await World.run { world in
            let filler = String(repeating: " ", count: 40_000)
            let line = try await world.client.open()
            let start =
                #"{"InstanceId":"i","ContactFlowId":"mock:webchat","ParticipantDetails":"#
                + #"{"DisplayName":"Ada"}\#(filler)}"#
            let answer = try await line.request("PUT", "/contact/chat", Self.json, body: Array(start.utf8))
            #expect(answer.status == 200 && answer["ContactId"]?.string != nil)
            let bad = try await line.request(
                "PUT", "/contact/chat", Self.json, body: Array((start + "}").utf8))
            expectEqual(bad.status, 400)
        }
    }
}

extension Server {
    fileprivate var workingConnections: Int { connections.count { $0?.isWorkedOn ?? false } }
}

extension Connection {
    fileprivate var isWorkedOn: Bool { if case .working = stage { true } else { false } }
}
