import Clocks
import Expectations
import MessagingWire
import PolyMessaging
import Testing

/// Points of the weaknesses in CHECKS.md that no other suite shows.
@Suite("Known weaknesses")
struct WeaknessTests {
    @Test("CHAT-117 Too much text throws with the limit, and leaves neither row nor event")
    func tooMuchText() {
        var bench = Bench()
        bench.startAndOpen()
        bench.batch([
            bench.journaled(.sessionStart(WireCapabilities(maxMessageSizeBytes: 300), contextID: nil)),
            bench.journaled(.agentJoined(name: nil, avatarURL: nil)),
        ])
        let call = bench.call()
        let text = String(repeating: "x", count: 301)
        let outputs = bench.give(.send(text: text, metadata: [:], call))
        expectEqual(outputs.result(call), .message(.payloadTooLarge(maxBytes: 300)))
        #expect(outputs.pending.isEmpty && outputs.failed.isEmpty && outputs.sentMessages.isEmpty)
        #expect(bench.userBubbles.isEmpty)
    }

    @Test("CO-214 After the server's end a message throws, and leaves no row")
    func saidAfterTheEnd() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.journaled(.sessionEnd(reason: "REASON_NATURAL_END")))
        let call = bench.call()
        let outputs = bench.give(.send(text: "Hi", metadata: [:], call))
        expectEqual(outputs.result(call), .session(.sessionEnded(reason: "REASON_NATURAL_END")))
        #expect(outputs.pending.isEmpty && bench.userBubbles.isEmpty)
    }

    @Test("CHAT-126 A shutdown in the middle of a reply and a draft is safe; nothing happens afterwards")
    func shutDownInTheMiddle() {
        var bench = Bench(progressive: true)
        bench.startAndJoin()
        bench.receive(bench.transient(.agentThinking))
        bench.receive(bench.chunk("half a re", 1))
        bench.send("Hi")
        bench.give(.shutdown)
        let late = bench.receive(bench.chunk("ply", 2, last: true))
        #expect(late.isEmpty && bench.core.nextDeadline == nil)
        #expect(bench.give(.shutdown).isEmpty && bench.advance(.hours(1)).isEmpty)
        expectEqual(bench.agentBubbles.map(\.text), ["half a re"])
    }
}
