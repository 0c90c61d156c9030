import Expectations
import Testing
import WebSocketCore

@Suite("WebSocket messages")
struct MessageTests {
    @Test(
        "Text and binary messages of every length form arrive whole (RFC 6455 §5.2)",
        arguments: [
            0, 1, 7, 8, 9, 125, 126, 127, 1000, 65535, 65536, 131_072,
        ] as [Int])
    func lengths(_ count: Int) {
        let payload = [UInt8](repeating: 0x61, count: count)
        var server = WebSocketConnection(role: .server)
        expectEqual(server.receive(rawFrame(0x1, payload)), [.text(payload)])
        expectEqual(server.receive(rawFrame(0x2, payload)), [.binary(payload)])
        var client = WebSocketConnection(role: .client)
        expectEqual(client.receive(rawFrame(0x1, payload, mask: nil)), [.text(payload)])
    }

    @Test(
        "Any masking key works (RFC 6455 §5.3)",
        arguments: [
            [0, 0, 0, 0], [255, 255, 255, 255], [1, 2, 3, 4], [0, 0, 0, 9],
        ] as [[UInt8]])
    func masks(_ key: [UInt8]) {
        let payload = Array(UInt8(0)...UInt8(255))
        var server = WebSocketConnection(role: .server)
        expectEqual(server.receive(rawFrame(0x2, payload, mask: key)), [.binary(payload)])
    }

    @Test("A stream of frames cut at any byte gives the same outputs (RFC 6455 §5.2)")
    func splitAtEveryByte() {
        let stream =
            rawFrame(0x1, text("Hello")) + rawFrame(0x2, [UInt8](repeating: 0xFF, count: 130))
            + rawFrame(0x1, [0xF0, 0x9F], fin: false) + rawFrame(0x9, text("p"))
            + rawFrame(0x0, [0x98], fin: false)
            + rawFrame(0x0, [], fin: false) + rawFrame(0x0, [0x80]) + rawFrame(0xA, []) + rawFrame(0x1, [])
            + rawFrame(0x8, closeBody(1000, text("bye")))
        var whole = WebSocketConnection(role: .server)
        let expected = whole.receive(stream)
        expectEqual(Account(expected).messages.count, 4)
        for cut in 0...stream.count {
            var server = WebSocketConnection(role: .server)
            expectEqual(
                server.receive(Array(stream[..<cut])) + server.receive(Array(stream[cut...])), expected)
        }
        var slow = WebSocketConnection(role: .server)
        expectEqual(stream.flatMap { slow.receive([$0]) }, expected)
    }

    @Test(
        "Fragments are joined, empty ones too (RFC 6455 §5.4)",
        arguments: [
            ["first ", "second"], ["", "", ""], ["", "rest"], ["a", "", "b"], ["all", ""],
        ] as [[String]])
    func fragments(_ parts: [String]) {
        var server = WebSocketConnection(role: .server)
        var outputs: [WebSocketConnection.Output] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            outputs += server.receive(rawFrame(index == 0 ? 0x1 : 0x0, text(part), fin: isLast))
            if !isLast { #expect(outputs.isEmpty) }
        }
        expectEqual(outputs, [.text(text(parts.joined()))])
        expectEqual(server.receive(rawFrame(0x2, [9])), [.binary([9])])
    }

    @Test("A Ping between fragments is answered before the message is complete (RFC 6455 §5.4)")
    func interleavedPing() {
        var server = WebSocketConnection(role: .server)
        #expect(server.receive(rawFrame(0x1, [0xE2, 0x82], fin: false)).isEmpty)
        expectEqual(server.receive(rawFrame(0x9, [1, 2])), [.ping([1, 2]), .write([0x8A, 2, 1, 2])])
        expectEqual(server.receive(rawFrame(0x0, [0xAC])), [.text(text("€"))])
    }

    @Test("Every Ping of one read is answered, in order and in one write, ahead of a later message (§5.5.3)")
    func pingFlood() {
        var server = WebSocketConnection(role: .server)
        let flood = (0..<50).flatMap { rawFrame(0x9, [$0]) } + rawFrame(0x1, text("x"))
        let outputs = server.receive(flood)
        let pongs = (0..<50).flatMap { [0x8A, 1, $0] as [UInt8] }
        expectEqual(outputs, (0..<50).map { .ping([$0]) } + [.write(pongs), .text(text("x"))])
    }

    @Test(
        "Pings of 0 and 125 bytes are answered with their own payload (RFC 6455 §5.5.3)",
        arguments: [0, 125] as [Int])
    func pingPayload(_ count: Int) {
        let payload = [UInt8](repeating: 7, count: count)
        var server = WebSocketConnection(role: .server)
        expectEqual(
            server.receive(rawFrame(0x9, payload)),
            [
                .ping(payload), .write(rawFrame(0xA, payload, mask: nil)),
            ])
    }

    @Test("An unsolicited Pong is reported and not answered (RFC 6455 §5.5.3)")
    func unsolicitedPong() {
        var server = WebSocketConnection(role: .server)
        expectEqual(server.receive(rawFrame(0xA, text("hi"))), [.pong(text("hi"))])
    }

    @Test("A client masks every frame, with a new key each time, repeatably from its seed (RFC 6455 §5.3)")
    func clientMasks() {
        var client = WebSocketConnection(role: .client, maskSeed: 42)
        var twin = WebSocketConnection(role: .client, maskSeed: 42)
        var keys: Set<[UInt8]> = []
        for _ in 0..<100 {
            let frame = client.message(.text, text("Hi"))
            expectEqual(frame, twin.message(.text, text("Hi")))
            keys.insert(Array(frame[2..<6]))
        }
        let pong = client.receive(rawFrame(0x9, [5], mask: nil))
        guard case .write(let bytes) = pong.last else {
            Issue.record("no answer to the Ping: \(pong)")
            return
        }
        keys.insert(Array(bytes[2..<6]))
        expectEqual(keys.count, 101)
        var server = WebSocketConnection(role: .server)
        expectEqual(
            server.receive(bytes + client.ping([1])), [.pong([5]), .ping([1]), .write([0x8A, 1, 1])])
    }

    @Test("What a client sends, a server receives, in slices of any size", arguments: 1...60)
    func seededRoundTrip(_ seed: UInt64) {
        var dice = Dice(seed &* 104_729)
        var client = WebSocketConnection(role: .client, maskSeed: seed)
        var stream: [UInt8] = []
        var expected: [WebSocketConnection.Output] = []
        for _ in 0..<20 {
            let payload = dice.bytes(Int(dice.next() % 400))
            switch dice.next() % 3 {
            case 0:
                stream += client.message(.binary, payload)
                expected.append(.binary(payload))
            case 1:
                let ascii = payload.map { $0 & 0x7F }
                stream += client.message(.text, ascii)
                expected.append(.text(ascii))
            default:
                let middle = payload.count / 2
                let mask = UInt32(truncatingIfNeeded: dice.next())
                FrameWriter.appendFrame(
                    opcode: .binary, payload: Array(payload[..<middle]), fin: false, mask: mask, to: &stream)
                FrameWriter.appendFrame(
                    opcode: .continuation, payload: Array(payload[middle...]), mask: ~mask, to: &stream)
                expected.append(.binary(payload))
            }
        }
        var server = WebSocketConnection(role: .server)
        var outputs: [WebSocketConnection.Output] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int(dice.next() % 97) + 1)
            outputs += server.receive(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        expectEqual(outputs, expected)
    }
}
