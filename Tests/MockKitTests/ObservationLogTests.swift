import Clocks
import ConversationEngine
import Expectations
import MockServer
import Testing

@testable import MockKit

@Suite("What a mock makes of the server's news")
struct ObservationLogTests {
    private let start = Instant(secondsSince1970: 1_000)
    private let script = Script(name: "shop", file: "fixtures/shop.json5")

    private func log(_ news: [ServerNews]) -> [ObservedEvent] {
        var log = ObservationLog(start: start)
        for (index, item) in news.enumerated() { log.record(item, at: start + .seconds(Int64(index))) }
        return log.observedEvents
    }

    private func entry(_ sequence: UInt64?, _ event: Event, id: UInt64) -> JournalEntry {
        JournalEntry(sequence: sequence, id: UniqueID(high: 1, low: id), time: start, event: event)
    }

    @Test("Connections count from 1 in each session, and a second join is remarked on")
    func secondJoin() {
        let seen = log([
            .opened(session: "a", script: script),
            .connected(session: "a", connection: ConnectionID(77), cursor: 0),
            .said(session: "a", connection: ConnectionID(77), ClientInput(.join(greeting: nil))),
            .delivered(session: "a", entry(2, .joinRequested, id: 1)),
            .disconnected(session: "a", connection: ConnectionID(77)),
            .connected(session: "a", connection: ConnectionID(99), cursor: 2),
            .said(session: "a", connection: ConnectionID(99), ClientInput(.join(greeting: nil))),
            .delivered(session: "a", entry(3, .joinRequested, id: 2)),
        ])
        expectEqual(seen.map(\.kind), [.connection, .join, .disconnection, .connection, .join])
        expectEqual(seen.map(\.connection), [1, 1, 1, 2, 2])
        expectEqual(seen.map(\.sequence), [nil, 2, nil, nil, 3])
        expectEqual(seen.last?.note, "sent after a reconnect; the agent was already in the session")
        expectEqual(seen[3].note, "with cursor 2")
        expectEqual(seen.last?.time, .seconds(6))
    }

    @Test("Chunks of one reply are one observed, and what is told again is seen once")
    func chunks() {
        func chunk(_ index: Int, _ text: String) -> Event {
            .agentChunk(Chunk(messageID: "m", index: index, isComplete: index == 2, text: text))
        }
        let seen = log([
            .opened(session: "a", script: script),
            .delivered(session: "a", entry(1, chunk(1, "one "), id: 1)),
            .delivered(session: "a", entry(2, chunk(2, "two"), id: 2)),
            .delivered(session: "a", entry(2, chunk(2, "two"), id: 2)),
            .delivered(session: "a", entry(nil, .agentThinking, id: 3)),
            .delivered(session: "a", entry(nil, .agentThinking, id: 3)),
        ])
        expectEqual(seen.map(\.kind), [.reply, .typing])
        expectEqual(seen.first?.text, "one two")
        expectEqual(seen.first?.type, "POLY_AGENT_MESSAGE_CHUNK")
    }

    @Test("A broken protocol rule is told with its statement, and is complained about as the plan says")
    func violation() {
        let seen = log([
            .opened(session: "a", script: script),
            .connected(session: "a", connection: ConnectionID(5), cursor: 0),
            .broken(
                session: "a", connection: ConnectionID(5), protocolRule: "join once per session",
                source: "protocol.md#join-once"),
        ])
        expectEqual(seen.last?.connection, 1)
        var plan = MockPlan()
        plan.violations = .fail
        let complaint = seen.last.map { Complaint($0, plan) }
        expectEqual(
            complaint?.text, "Protocol rule broken: \"join once per session\" (protocol.md#join-once).")
        expectEqual(complaint?.policy, .fail)
        expectEqual(seen.last.map(Pattern.violation("join once").matches), true)
    }

    @Test("Events are found by the wire's names and by those of emit steps")
    func types() {
        let seen = log([
            .opened(session: "a", script: script),
            .delivered(session: "a", entry(1, .languageChanged(code: "de"), id: 1)),
            .delivered(session: "a", entry(2, .raw(type: "EVENT_TYPE_WEATHER", payload: "{}"), id: 2)),
        ])
        expectEqual(seen.map(Pattern.event("EVENT_TYPE_LANGUAGE_CHANGED").matches), [true, false])
        expectEqual(seen.map(Pattern.event("WEATHER").matches), [false, true])
    }
}
