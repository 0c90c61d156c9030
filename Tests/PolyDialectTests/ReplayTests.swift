import Clocks
import ConversationEngine
import DialectKit
import Expectations
import MessagingWire
import PolyDialect
import Testing
import Texts

/// protocol.md#history-first
@Suite("History for a joining client")
struct ReplayTests {
    private let wrapper = UniqueID(high: 1, low: .max)

    private func entries(_ events: [Event]) -> [JournalEntry] {
        events.enumerated().map { index, event in
            JournalEntry(
                sequence: UInt64(index + 1), id: WireCase.id, time: WireCase.time, event: event)
        }
    }

    /// An entry whose text has so many bytes.
    private func entry(bytes count: Int, _ dialect: PolyDialect) -> JournalEntry {
        func entry(_ size: Int) -> JournalEntry {
            entries([.userMessage(id: "m", text: String(repeating: "x", count: size))])[0]
        }
        var bytes: [UInt8] = []
        dialect.encoder.encode(entry(0), into: &bytes)
        return entry(count - bytes.count)
    }

    private func sequences(_ frame: [UInt8]) throws -> [Int64] {
        let events = try #require(try JSONReader.read(frame)["payload"]?["events"]?.array)
        return events.compactMap { $0["sequence"]?.integer }
    }

    private func text(kilobytes: Int) -> Event {
        let piece = String(repeating: "x", count: 64)
        return .userMessage(id: "m", text: String(repeating: piece, count: kilobytes * 16))
    }

    /// protocol.md#event-event-batch, protocol.md#transient-events
    @Test("A short history is one batch, in order, in a wrapper that is transient")
    func single() throws {
        let history = entries([
            .sessionStarted(SessionStart()), .joinRequested, .agentJoined(SpeakerProfile(name: "Juno")),
        ])
        let frames = Exchange().dialect.encoder.batches(
            of: JournalPage(history), wrapper: wrapper, at: WireCase.time)
        expectEqual(frames.count, 1)
        let batch = try JSONReader.read(try #require(frames.first))
        expectEqual(batch.object?.members.map(\.name), ["id", "sequence", "timestamp", "type", "payload"])
        expectEqual(batch["id"], .string(wrapper.text))
        expectEqual(batch["sequence"], .null)
        expectEqual(batch["timestamp"], .string("2026-01-15T09:30:00.250Z"))
        expectEqual(batch["type"], .string("EVENT_TYPE_EVENT_BATCH"))
        try expectEqual(sequences(frames[0]), [1, 2, 3])
    }

    @Test("Nothing to tell is one batch without events")
    func empty() throws {
        let frames = Exchange().dialect.encoder.batches(
            of: JournalPage([]), wrapper: wrapper, at: WireCase.time)
        expectEqual(frames.count, 1)
        try expectEqual(sequences(frames[0]), [])
        expectEqual(WireEventReader.read(frames[0]), .batch([], droppedCount: 0))
    }

    /// protocol.md#batch-size
    @Test("A long history is split below 512 KiB; nothing is lost, doubled or out of order")
    func split() throws {
        let history = entries([.sessionStarted(SessionStart())] + (0..<30).map { _ in text(kilobytes: 100) })
        let frames = Exchange().dialect.encoder.batches(
            of: JournalPage(history), wrapper: wrapper, at: WireCase.time)
        expectEqual(frames.count, 6)
        #expect(frames.allSatisfy { $0.count < PolyLimits.batchBytes })
        try expectEqual(frames.flatMap(sequences), Array(1...31))
        expectEqual(Set(try frames.map { try JSONReader.read($0)["id"]?.string }).count, 6)
    }

    @Test("A batch may fill the limit to its last byte but one", arguments: [-1, 0] as [Int])
    func exactly(_ excess: Int) throws {
        let empty = Exchange().dialect.encoder.batches(
            of: JournalPage([]), wrapper: wrapper, at: WireCase.time)[0].count
        let dialect = Exchange().dialect
        let first = entry(bytes: 1_000, dialect)
        let second = entry(bytes: PolyLimits.batchBytes - empty - 1_001 + excess, dialect)
        let frames = dialect.encoder.batches(
            of: JournalPage([first, second]), wrapper: wrapper, at: WireCase.time)
        expectEqual(frames.count, excess < 0 ? 1 : 2)
        #expect(frames[0].count < PolyLimits.batchBytes)
    }

    /// protocol.md#start-and-joined-together
    @Test("The start and the first joining stay in one message, however much lies between")
    func keptTogether() throws {
        let history = entries(
            [.sessionStarted(SessionStart())] + (0..<8).map { _ in text(kilobytes: 100) }
                + [
                    .agentJoined(SpeakerProfile(name: "Juno")), text(kilobytes: 1),
                    .agentJoined(SpeakerProfile(name: "Ida")),
                ])
        let frames = Exchange().dialect.encoder.batches(
            of: JournalPage(history), wrapper: wrapper, at: WireCase.time)
        expectEqual(frames.count, 2)
        try expectEqual(sequences(frames[0]), [1, 10, 2, 3, 4, 5, 6])
        try expectEqual(frames.flatMap(sequences).sorted(), Array(1...12))
        #expect(frames.allSatisfy { $0.count < PolyLimits.batchBytes })
    }

    @Test("An event above the limit travels alone")
    func oversized() throws {
        let history = entries([.sessionStarted(SessionStart()), text(kilobytes: 600), .joinRequested])
        let frames = Exchange().dialect.encoder.batches(
            of: JournalPage(history), wrapper: wrapper, at: WireCase.time)
        try expectEqual(frames.map(sequences), [[1], [2], [3]])
    }

    @Test(
        "In the other form elements carry their payload under their type's name, and say the same",
        arguments: WireCase.all)
    func oneof(_ wireCase: WireCase) throws {
        let dialect = Exchange(PolyOptions { $0.connections.usesNamedPayloadsInBatches = true }).dialect
        var bytes: [UInt8] = []
        dialect.encoder.encode(wireCase.entry, into: &bytes)
        let frame = dialect.encoder.batches(
            of: JournalPage([wireCase.entry]), wrapper: wrapper, at: WireCase.time)[0]
        let event = try #require(try JSONReader.read(frame)["payload"]?["events"]?.array?.first)
        let plain = try JSONReader.read(bytes)
        let key = WireEventWriter.oneofKey(try #require(plain["type"]?.string))
        expectEqual(event["payload"], nil)
        expectEqual(event[key], plain["payload"])
        guard case .event(let expected) = WireEventReader.read(bytes) else {
            Issue.record("dropped")
            return
        }
        expectEqual(WireEventReader.read(frame), .batch([expected], droppedCount: 0))
    }

    /// protocol.md#no-batch-of-one
    @Test("The last message has no event alone behind others: it gets the last of the one before")
    func company() throws {
        let history = entries([.sessionStarted(SessionStart())] + (0..<11).map { _ in text(kilobytes: 100) })
        let frames = Exchange().dialect.encoder.batches(
            of: JournalPage(history), wrapper: wrapper, at: WireCase.time)
        try expectEqual(frames.map { try sequences($0).count }, [6, 4, 2])
        try expectEqual(frames.flatMap(sequences), Array(1...12))
        #expect(frames.allSatisfy { $0.count < PolyLimits.batchBytes })
        // Two that do not fit together stay apart.
        let large = entries([.sessionStarted(SessionStart())] + [1, 300, 300].map { text(kilobytes: $0) })
        let apart = Exchange().dialect.encoder.batches(
            of: JournalPage(large), wrapper: wrapper, at: WireCase.time)
        try expectEqual(apart.map(sequences), [[1, 2, 3], [4]])
    }
}
