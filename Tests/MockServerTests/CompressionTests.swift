import Deflate
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts
import WebSocketCore

@Suite(
    "Compressed WebSockets", .timeLimit(.minutes(5)),
    .enabled(if: DeflateService.isAvailable, "this build has no zlib (Debian: zlib1g-dev)"))
struct CompressionTests {
    private static let offer: HeaderFields = [
        "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"
    ]

    /// A frame as a client sends it, masked with zeroes.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], rsv1: Bool) -> [UInt8] {
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)] : [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        return [0x80 | (rsv1 ? 0x40 : 0) | opcode] + length + [0, 0, 0, 0] + payload
    }

    static func codec() throws -> DeflateCodec {
        try #require(DeflateService()?.codec(for: DeflateTerms()))
    }

    static func run(
        _ configure: @escaping (inout Configuration) -> Void = { _ in }, _ body: (World) async throws -> Void
    ) async throws {
        try await World.run {
            $0.servesEcho = true
            $0.deflate = true
            configure(&$0)
        } _: { world in
            try await body(world)
        }
    }

    private func talk(_ world: World, _ session: APIClient.Session) async throws -> Talk {
        let line = try await world.client.upgrade(APIClient.target(session), Self.offer)
        #expect(try await line.answer(0).headers["Sec-WebSocket-Extensions"] != nil)
        return Talk(line)
    }

    @Test("Compressed messages come back compressed, later ones smaller (RFC 7692 §6, §7.2.3.2)")
    func echo() async throws {
        try await Self.run { world in
            let line = try await world.client.upgrade("/_mock/echo", Self.offer)
            let answer = try await line.answer(0).headers["Sec-WebSocket-Extensions"]
            expectEqual(answer, "permessage-deflate; client_max_window_bits=12")
            let codec = try Self.codec()
            let text = Array((0..<100).map { "number \($0 * 37), " }.joined().utf8)
            for count in 1...3 {
                line.send(Self.frame(1, try #require(codec.compress(text)), rsv1: true))
                let items = try await line.items.wait(count: count)
                expectEqual(items[count - 1], .text(text))
            }
            let echoed = line.pieces.all.joined().count
            #expect(echoed < text.count, "\(echoed) bytes, handshake included")
            line.send(Self.frame(2, [1, 2, 3], rsv1: false))
            try await expectEqual(line.items.wait(count: 4)[3], .binary([1, 2, 3]))
        }
    }

    /// protocol.md#compression
    @Test("Nothing is compressed unless both sides want it (RFC 7692 §5)")
    func notNegotiated() async throws {
        let packed = Self.frame(1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], rsv1: true)
        try await Self.run { world in
            let line = try await world.client.upgrade("/_mock/echo")
            try await expectEqual(line.answer(0).headers["Sec-WebSocket-Extensions"], nil)
            line.send(packed)
            try await expectEqual(Talk(line).closeCode, 1_002)
        }
        try await World.run {
            $0.servesEcho = true
        } _: { world in
            let line = try await world.client.upgrade("/_mock/echo", Self.offer)
            try await expectEqual(line.answer(0).headers["Sec-WebSocket-Extensions"], nil)
            line.send(packed)
            try await expectEqual(Talk(line).closeCode, 1_002)
        }
    }

    @Test("A session talks as ever, and rows keep what was said")
    func session() async throws {
        try await Self.run { world in
            let talk = try await talk(world, try await world.client.session())
            talk.join()
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            let words = String(repeating: "so ", count: 60)
            let text = #"{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"\#(words)"}}"#
            let packed = try #require(Self.codec().compress(Array(text.utf8)))
            talk.line.send(Self.frame(1, packed, rsv1: true))
            let echo = try #require(try await world.play(talk, through: "USER_MESSAGE").last)
            expectEqual(echo.text?.hasPrefix("so so so"), true)
            #expect(talk.line.pieces.all.joined().contains(0xC1))
            let control = try await ControlClient(world)
            let heard = try await control.get("wire?filter=type:USER_MESSAGE%20dir:in")
            expectEqual(heard["rows", 0, "raw"]?.string, text)
            let told = try await control.get("wire?filter=type:USER_MESSAGE%20dir:out")
            expectEqual(told["rows", 0, "raw"]?.string?.contains("so so so"), true)
        }
    }

    @Test("A bomb closes a session's connection with 1009, and the server talks on (RFC 6455 §10.4)")
    func bomb() async throws {
        try await Self.run { world in
            let session = try await world.client.session()
            let talk = try await talk(world, session)
            let codec = try Self.codec()
            let spaces = [UInt8](repeating: 0x20, count: 256 << 10)
            let parts = try (0..<32).map { _ in try #require(codec.compress(spaces)) }
            talk.line.send(Self.frame(1, Array(parts.joined(separator: [0, 0, 0xFF, 0xFF])), rsv1: true))
            try await expectEqual(talk.closeCode, 1_009)
            let next = try await self.talk(world, session)
            next.join()
            try await world.play(next, through: "POLY_AGENT_MESSAGE")
        }
    }

    @Test(
        "Messages that grow a thousandfold come in order over several turns, and others in between (limit inflatedBytes)"
    )
    func growing() async throws {
        try await Self.run { world in
            let line = try await world.client.upgrade("/_mock/echo", Self.offer)
            try await expectEqual(line.answer(0).status, 101)
            let codec = try Self.codec()
            var frames: [UInt8] = []
            for number in 0..<12 as Range<UInt8> {
                let text = [UInt8](repeating: 0x61 + number, count: 512 << 10)
                frames += Self.frame(1, try #require(codec.compress(text)), rsv1: true)
            }
            line.send(frames + Self.frame(2, [7], rsv1: false))
            let other = try await world.client.upgrade("/_mock/echo", Self.offer)
            other.send(Self.frame(2, [8], rsv1: false))
            try await expectEqual(other.items.wait(count: 1)[0], .binary([8]))
            let items = try await line.items.wait(count: 13)
            for number in 0..<12 {
                guard case .text(let text) = items[number] else {
                    #expect(Bool(false), "\(number)")
                    continue
                }
                #expect(text.count == 512 << 10 && text.first == 0x61 + UInt8(number))
            }
            expectEqual(items[12], .binary([7]))
        }
    }

    @Test("Damaged data closes with 1007 (RFC 7692 §6.2)")
    func damaged() async throws {
        try await Self.run { world in
            let talk = try await talk(world, try await world.client.session())
            talk.line.send(Self.frame(1, [0xFF, 0xFF, 0xFF, 0xFF], rsv1: true))
            try await expectEqual(talk.closeCode, 1_007)
        }
    }

    @Test("The feed compresses as well")
    func feed() async throws {
        try await Self.run { world in
            let line = try await world.client.upgrade("/_mock/feed", Self.offer)
            try await expectEqual(line.answer(0).headers["Sec-WebSocket-Extensions"]?.isEmpty, false)
            _ = try await world.client.token()
            let items = try await line.items.wait(count: 2)
            for item in items {
                guard case .text(let text) = item else {
                    Issue.record("\(item)")
                    continue
                }
                #expect(String(decoding: text, as: UTF8.self).hasPrefix("{\"row\":"))
            }
        }
    }

    @Test(
        "Faults damage what is said, and then it is compressed; a half frame stays half a frame",
        arguments: ["bad UTF-8", "half a frame"] as [String])
    func faults(_ kind: String) async throws {
        try await Self.run {
            $0.fixtureText = fixture(
                "", rest: "faults: { t: { at: \"reply 2\", do: { garble: '\(kind)' } } },")
        } _: { world in
            let token = try await world.client.token(connector: "mock:webchat+t")
            let talk = try await talk(world, try await world.client.session(token: token))
            talk.join()
            try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            talk.say("Hi", localID: "1")
            _ = try await talk.line.items.waitForEnd()
            // The client has inflated what is no text, and ends it itself; half a frame ends without a Close.
            expectEqual(talk.line.items.all.last == .closed(1_006, reason: ""), kind == "half a frame")
            #expect(!talk.events.contains { $0.text == "I heard you." })
        }
    }
}

@Suite("Compression without zlib", .enabled(if: !DeflateService.isAvailable, "this build has zlib"))
struct WithoutCompressionTests {
    @Test("A server that is to compress does not start, and says what to install")
    func refusal() async {
        var configuration = Configuration()
        configuration.deflate = true
        await #expect {
            _ = try await MockServer.start(configuration)
        } throws: { error in
            "\(error)".contains("zlib1g-dev") && "\(error)".contains("POLYMOCK_DEFLATE=1 swift build")
        }
    }
}
