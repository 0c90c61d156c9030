import Clocks
import Expectations
import Foundation
import MessagingWire
import PolyMessaging
import Testing

/// A reply costs what its chunks cost, not their square: counted, because time depends on the machine.
@Suite("Long streamed replies")
struct LinearStreamTests {
    private static let now = Instant(secondsSince1970: 1_700_000_000)

    private func chunk(_ text: String, _ index: Int, isLast: Bool = false) -> AgentMessageChunkPayload {
        AgentMessageChunkPayload(messageId: "m", chunkIndex: index, isComplete: isLast, text: text)
    }

    private func envelope(_ number: Int) -> Envelope {
        Envelope(id: "e-\(number)", sequence: number, timestamp: Date(timeIntervalSince1970: 0))
    }

    private func update(_ text: String, _ index: Int) -> ClientUpdate {
        .event(.agentMessageChunk(envelope(index), chunk(text, index)))
    }

    /// How many places 20,000 pieces had in memory: an array that grows moves some 15 times, one that is copied with
    /// each chunk moves 20,000 times.
    private static let moves = 40

    @Test("The pieces of a stream are kept in place while it grows")
    func stream() {
        var stream = StreamCore()
        var places: Set<UInt> = []
        for index in 0..<20_000 {
            _ = stream.receive(envelope(index), chunk("x", index))
            if let address = stream.assembly?.address { places.insert(address) }
        }
        #expect(places.count <= Self.moves)
        let whole = stream.receive(envelope(20_000), chunk("y", 20_000, isLast: true))
        guard case .agentMessage(_, let payload)? = whole.last else {
            Issue.record("no whole reply")
            return
        }
        expectEqual(payload.text, String(repeating: "x", count: 20_000) + "y")
    }

    @Test("The rows of a growing reply are put together when they are looked at, not with each chunk")
    func rows() {
        var transcript = ChatTranscript(isProgressive: true, generator: SeededGenerator(seed: 1))
        var places: Set<UInt> = []
        for index in 0..<10_000 {
            transcript.apply(update("x", index), at: Self.now)
            if let address = transcript.growingAddress { places.insert(address) }
        }
        #expect(transcript.renderCount == 1 && places.count <= Self.moves)
        expectEqual(transcript.messages.map(\.text?.count), [10_000])
        transcript.render()
        transcript.render()
        expectEqual(transcript.renderCount, 2)
        for index in 10_000..<20_000 { transcript.apply(update("y", index), at: Self.now) }
        transcript.render()
        expectEqual(transcript.renderCount, 3)
        let words = String(repeating: "x", count: 10_000) + String(repeating: "y", count: 10_000)
        expectEqual(transcript.messages.map(\.text), [words])
    }

    @Test(
        "Looks from elsewhere put a growing reply together once for what came, and leave its pieces in place")
    func snapshots() {
        let feed = EventBroadcast(isProgressive: true, generator: SeededGenerator(seed: 1))
        var places: Set<UInt> = []
        var snapshots: [ClientSnapshot] = []
        for index in 0..<2_000 {
            feed.notify(update("x", index), at: Self.now)
            for _ in 0..<3 { snapshots.append(feed.snapshot(at: Self.now)) }
            if let address = feed.growingAddress { places.insert(address) }
        }
        #expect(feed.renderCount == 2_000 && places.count <= Self.moves)
        #expect(snapshots.indices.allSatisfy { snapshots[$0].messages.first?.text?.count == $0 / 3 + 1 })
        #expect(feed.subscribe(progressively: false) {}.transcript.messages.isEmpty)
    }

    @Test("Who begins to listen within a reply sees it grow, or sees typing, as it likes")
    func otherView() {
        for isProgressive in [true, false] {
            let feed = EventBroadcast(isProgressive: isProgressive, generator: SeededGenerator(seed: 1))
            feed.notify(update("One ", 1), at: Self.now)
            var growing = feed.subscribe(progressively: true) {}.transcript
            var completed = feed.subscribe(progressively: false) {}.transcript
            #expect(growing.messages.map(\.text) == ["One "] && !growing.isAgentTyping)
            #expect(completed.messages.isEmpty && completed.isAgentTyping)
            for next in [
                update("two", 2),
                .event(.agentMessage(envelope(3), AgentMessagePayload(messageId: "m", text: "One two"))),
            ] {
                growing.apply(next, at: Self.now)
                completed.apply(next, at: Self.now)
            }
            #expect(growing.messages.map(\.text) == ["One two"] && !growing.isAgentTyping)
            #expect(completed.messages.map(\.text) == ["One two"] && !completed.isAgentTyping)
        }
    }

    @Test("A change of view brings back no dots that went since, and takes none that another event brought")
    func dotsAfterChange() {
        var bench = Bench(progressive: true)
        bench.startAndJoin()
        bench.receive(bench.chunk("One ", 0))
        bench.receive(bench.transient(.agentThinking))
        for isProgressive in [false, true] {
            bench.transcript.isProgressive = isProgressive
            #expect(bench.transcript.isAgentTyping)
        }
        bench.receive(bench.chunk("two ", 1))
        bench.receive(bench.journaled(.agentLeft(reason: nil)))
        bench.transcript.isProgressive = false
        #expect(!bench.transcript.isAgentTyping)
    }

    @Test("Looks between chunks see each state of the text")
    func growth() {
        var transcript = ChatTranscript(isProgressive: true, generator: SeededGenerator(seed: 1))
        var seen: [String] = []
        for (index, word) in ["One ", "two ", "three"].enumerated() {
            transcript.apply(update(word, index), at: Self.now)
            transcript.render()
            seen += transcript.messages.compactMap(\.text)
        }
        expectEqual(seen, ["One ", "One two ", "One two three"])
    }
}
