import Expectations
import Testing
import WebSocketCore

@Suite("WebSocket limits")
struct LimitTests {
    let small = WebSocketLimits(messageBytes: 100, framesPerMessage: 5)

    @Test("A message of exactly the limit is accepted, one byte more closes with 1009 (RFC 6455 §7.4.1)")
    func messageBytes() {
        let exact = [UInt8](repeating: 0x61, count: 100)
        var server = WebSocketConnection(role: .server, limits: small)
        expectEqual(server.receive(rawFrame(0x1, exact)), [.text(exact)])
        let account = Account(server.receive(rawFrame(0x1, exact + [0x61])))
        expectEqual(account.closeCodes, [1009])
        #expect(account.messages.isEmpty)
    }

    @Test(
        "A length beyond the limit is refused from the header alone",
        arguments: [101, 1 << 40, 1 << 62] as [UInt64])
    func announcedLength(_ length: UInt64) {
        var server = WebSocketConnection(role: .server, limits: small)
        expectEqual(Account(server.receive(rawFrame(0x2, [], announced: length))).closeCodes, [1009])
    }

    @Test("Fragments count together, and the one that passes the limit is refused at its header")
    func fragmentedBytes() {
        var server = WebSocketConnection(role: .server, limits: small)
        let part = [UInt8](repeating: 1, count: 60)
        #expect(server.receive(rawFrame(0x2, part, fin: false)).isEmpty)
        expectEqual(Account(server.receive(rawFrame(0x0, [], fin: false, announced: 41))).closeCodes, [1009])
        var overflow = WebSocketConnection(role: .server, limits: small)
        _ = overflow.receive(rawFrame(0x2, part, fin: false))
        let most = UInt64(Int.max)
        expectEqual(
            Account(overflow.receive(rawFrame(0x0, [], form: 64, announced: most))).closeCodes, [1009])
    }

    @Test("The limit is per message: a finished one leaves room for the next")
    func perMessage() {
        var server = WebSocketConnection(role: .server, limits: small)
        let part = [UInt8](repeating: 1, count: 50)
        for _ in 0..<3 {
            let outputs = server.receive(rawFrame(0x2, part, fin: false) + rawFrame(0x0, part))
            expectEqual(outputs, [.binary(part + part)])
        }
    }

    @Test("A message of more frames than the limit closes with 1008, empty ones count, Pings do not")
    func framesPerMessage() {
        let empty = rawFrame(0x0, [], fin: false)
        var server = WebSocketConnection(role: .server, limits: small)
        let four = rawFrame(0x1, [], fin: false) + empty + rawFrame(0xA) + empty + rawFrame(0xA) + empty
        #expect(Account(server.receive(four)).closeCodes.isEmpty)
        expectEqual(server.receive(rawFrame(0x0, text("x"))), [.text(text("x"))])
        expectEqual(Account(server.receive(four + empty + empty)).closeCodes, [1008])
    }

    @Test("The defaults are 128 KiB and 16,384 frames")
    func defaults() {
        expectEqual(WebSocketLimits().messageBytes, 131_072)
        expectEqual(WebSocketLimits().framesPerMessage, 16_384)
    }

    @Test("A message is unfinished until its last frame has come")
    func unfinished() {
        var server = WebSocketConnection(role: .server, limits: small)
        #expect(!server.isUnfinished)
        #expect(server.receive(rawFrame(0x2, [1, 2], fin: false)).isEmpty)
        #expect(server.isUnfinished && server.bufferedBytes == 2)
        expectEqual(server.receive(rawFrame(0x0, [3])), [.binary([1, 2, 3])])
        #expect(!server.isUnfinished && server.bufferedBytes == 0)
    }

    @Test("While closing, even a huge frame is dropped without being kept")
    func droppedWhileClosing() {
        var server = WebSocketConnection(role: .server, limits: small)
        _ = server.close(.normal)
        #expect(server.receive(rawFrame(0x2, [UInt8](repeating: 1, count: 5_000), announced: 10_000)).isEmpty)
        expectEqual(server.bufferedBytes, 0)
        #expect(server.receive([UInt8](repeating: 1, count: 5_000)).isEmpty)
        expectEqual(Account(server.receive(rawFrame(0x8, closeBody(1000)))).finished, [1000])
    }

    @Test(
        "Every violation's words fit into a close reason",
        arguments: [
            .reservedBits, .reservedOpcode(255), .fragmentedControl, .longControl, .unmaskedClientFrame,
            .maskedServerFrame, .lengthNotMinimal, .lengthNegative, .continuationWithoutStart,
            .messageInsideMessage,
            .closeBodyOfOneByte, .closeCode(.max), .notUTF8, .messageTooBig(limit: .max),
            .tooManyFrames(limit: .max), .misplacedCompression, .compressedData, .noMemory,
        ] as [FrameError])
    func reasonsFit(_ error: FrameError) {
        #expect(error.description.utf8.count <= WebSocketLimits.closeReasonBytes)
        #expect(error.closeCode.isValidOnTheWire)
    }
}
