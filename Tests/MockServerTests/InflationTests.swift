import ConversationEngine
import Deflate
import Expectations
import HTTPCore
import ServerCore
import SocketTransport
import TestSupport
import Testing
import Texts
import WebSocketCore

@testable import MockServer

/// Compressed messages that take several turns of the loop. The turns are the test's: it takes each that the server asks
/// for, and has it run when it likes.
@Suite(
    "Messages inflated in turns", .timeLimit(.minutes(5)),
    .enabled(if: DeflateService.isAvailable, "this build has no zlib (Debian: zlib1g-dev)"))
struct InflationTests {
    private typealias Turn = @Sendable (ServerLoop) -> Void

    private struct Stage {
        let world: World
        let turns = Gathering<Turn>()

        /// Bytes that count for messages under way.
        var held: Int { world.server.inspectHere { $0.heldBytes(of: .bodies) } }

        /// Connections that wait to be inflated.
        var waiting: Int { world.server.inspectHere { $0.inflation.count } }

        /// Has the server's turn number `index` run, once it is asked for.
        func run(_ index: Int) async throws {
            let turn = try await turns.wait(count: index + 1)[index]
            world.server.loop.runHere { turn($0) }
        }

        /// A line to the echo, or of a session.
        func open(_ target: String = "/_mock/echo") async throws -> Line {
            let line = try await world.client.upgrade(
                target, ["Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"])
            try await expectEqual(line.answer(0).status, 101)
            return line
        }
    }

    private func run(
        _ configure: @escaping (inout Configuration) -> Void = { _ in }, _ body: (Stage) async throws -> Void
    ) async throws {
        try await CompressionTests.run(configure) { world in
            let stage = Stage(world: world)
            world.server.loop.runHere { [turns = stage.turns] loop in
                loop.resume = { turns.append($0) }
            }
            try await body(stage)
        }
    }

    private static func frame(_ message: [UInt8]) throws -> [UInt8] {
        CompressionTests.frame(1, try #require(CompressionTests.codec().compress(message)), rsv1: true)
    }

    private static let long = [UInt8](repeating: 0x78, count: 500_000)
    private static let most = ServerLimits.inflatedBytes

    @Test("A turn inflates so much of a message, and others are served before the next (limit inflatedBytes)")
    func turns() async throws {
        try await run { stage in
            let (line, other) = (try await stage.open(), try await stage.open())
            let frame = try Self.frame(Self.long)
            line.send(frame + [0x82, 0x81, 0, 0, 0, 0, 7])
            var before = frame.count
            var count = 0
            _ = try await stage.turns.wait(count: 1)
            while stage.held > 0 {
                let held = stage.held
                #expect(held > before - frame.count && held <= before + Self.most, "turn \(count)")
                before = held
                other.send([0x82, 0x81, 0, 0, 0, 0, UInt8(count)])
                try await expectEqual(other.items.wait(count: count + 1)[count], .binary([UInt8(count)]))
                expectEqual(line.items.count, 0)
                try await stage.run(count)
                count += 1
            }
            #expect(count >= Self.long.count / Self.most)
            try await expectEqual(line.items.wait(count: 2), [.text(Self.long), .binary([7])])
        }
    }

    @Test("Connections with long messages take turns, and each message stays whole")
    func several() async throws {
        try await run { stage in
            let lines = [try await stage.open(), try await stage.open(), try await stage.open()]
            let messages = (0..<3 as Range<UInt8>).map { [UInt8](repeating: 0x61 + $0, count: 200_000) }
            for (line, message) in zip(lines, messages) { line.send(try Self.frame(message)) }
            // None of them is whole with the turn that reads it.
            while stage.waiting < lines.count {
                _ = try await stage.world.client.request("GET", "/_mock/health")
            }
            var count = 0
            while stage.held > 0 {
                let before = stage.held
                try await stage.run(count)
                #expect(stage.held <= before + Self.most)
                count += 1
            }
            // The turns that read the three messages may each inflate as much.
            #expect(count >= 600_000 / Self.most - lines.count)
            for (line, message) in zip(lines, messages) {
                try await expectEqual(line.items.wait(count: 1), [.text(message)])
            }
        }
    }

    @Test("A client that goes away while its message is inflated leaves nothing that counts")
    func goneAway() async throws {
        try await run { stage in
            let line = try await stage.open()
            line.send(try Self.frame(Self.long))
            try await stage.run(0)
            #expect(stage.held > Self.most)
            line.drop(reset: true)
            try await stage.world.logged("connection lost")
            expectEqual(stage.held, 0)
            try await stage.run(1)
            let other = try await stage.open()
            other.send([0x82, 0x81, 0, 0, 0, 0, 7])
            try await expectEqual(other.items.wait(count: 1), [.binary([7])])
            expectEqual(stage.turns.count, 2)
        }
    }

    @Test("A session that ends while its client's message is inflated closes it, and frees what counts")
    func sessionEnds() async throws {
        try await run { stage in
            let session = try await stage.world.client.session()
            let line = try await stage.open(APIClient.target(session))
            line.send(try Self.frame(.init(repeating: 0x20, count: 120_000)))
            _ = try await stage.turns.wait(count: 1)
            #expect(stage.held > Self.most / 2)
            let answer = try await stage.world.client.request(
                "DELETE", "/_mock/sessions/\(session.id)", ["X-Mock-Control": "1"])
            #expect(answer.status == 204 || answer.status == 200)
            expectEqual(stage.held, 0)
            try await expectEqual(line.items.wait(count: 1).last.map { "\($0)".contains("closed") }, true)
            try await stage.run(0)
            _ = try await line.ended()
        }
    }

    @Test("A message that grows beyond the room for all closes with 1013 (limits.bodiesTotalBytes)")
    func noRoom() async throws {
        try await run {
            $0.limits.bodiesTotalBytes = 400_000
        } _: { stage in
            let line = try await stage.open()
            line.send(try Self.frame(Self.long))
            var count = 0
            _ = try await stage.turns.wait(count: 1)
            while stage.held > 0 {
                #expect(stage.held <= 400_000)
                try await stage.run(count)
                count += 1
            }
            #expect(count > 0 && count < Self.long.count / Self.most)
            guard case .closed(1_013, _)? = try await line.items.wait(count: 1).last else {
                Issue.record("\(line.items.all)")
                return
            }
        }
    }

    @Test("Damage in the middle of a message closes with 1007 and frees what counts (RFC 7692 §6.2)")
    func damaged() async throws {
        try await run { stage in
            let line = try await stage.open()
            var frame = try Self.frame(Self.long) + [0, 0, 0xFF, 0xFF, 0x06, 0xFF, 0xFF]
            let length = frame.count - 8
            (frame[2], frame[3]) = (UInt8(length >> 8), UInt8(length & 0xFF))
            line.send(frame)
            var count = 0
            _ = try await stage.turns.wait(count: 1)
            while stage.held > 0 {
                try await stage.run(count)
                count += 1
            }
            #expect(count >= Self.long.count / Self.most)
            guard case .closed(1_007, _)? = try await line.items.wait(count: 1).last else {
                Issue.record("\(line.items.all)")
                return
            }
        }
    }

    @Test("What a client said is heard whole before its end, where a fault has both heard later")
    func endBehindMessage() async throws {
        try await World.run {
            $0.deflate = true
            $0.fixtureText = fixture("")
        } _: { world in
            let session = try await world.client.session()
            let line = try await Stage(world: world).open(APIClient.target(session))
            let talk = Talk(line)
            talk.join()
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            try await talk.settle()
            _ = await world.server.inspect { server in
                server.inject(
                    Fault(name: "t", moment: .heartbeat(1), effect: .lag(.seconds(2))), session: session.id,
                    by: "test")
            }
            talk.heartbeat()
            try await talk.event("HEARTBEAT")
            let words = String(repeating: "so ", count: 40_000)
            let text = #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"\#(words)"}}"#
            let frame = try Self.frame(Array(text.utf8))
            line.send(frame)
            line.endOutput()
            let both = frame.count + 2 * CoreLimits.lateItemBytes
            while await world.server.inspect({ $0.heldBytes(of: .held) }) < both { await Task.yield() }
            await world.pass(.seconds(3))
            while await world.server.inspect({ $0.openWebSockets }) > 0 { await Task.yield() }
            let rows = try await ControlClient(world).get("wire?filter=type:USER_MESSAGE%20dir:in")
            expectEqual(rows["rows", 0, "type"]?.string?.contains("USER_MESSAGE"), true, "\(rows)")
        }
    }
}
