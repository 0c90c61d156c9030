import Clocks
import ConversationEngine
import DialectKit
import RunWire

/// What is remembered of a thread while its runs are told: who listens, and since when nothing was sent.
struct AGUIProjection: Projection {
    private var tellers: [(id: ConnectionID, teller: RunTeller, silentSince: Instant)] = []
    private let keepAlive: Interval?

    init(keepAlive: Interval?) {
        self.keepAlive = keepAlive
    }

    mutating func attach(
        _ connection: ConnectionID, _ outlet: Outlet, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        tellers.append((connection, RunTeller(), now))
    }

    mutating func detach(_ connection: ConnectionID) { tellers.removeAll { $0.id == connection } }

    /// Messages of the talk are told as events of its runs.
    mutating func tell(
        _ entry: JournalEntry, to connections: [ConnectionID], isHistory: Bool, at now: Instant,
        into steps: inout [ProjectionStep]
    ) {}

    mutating func tell(
        _ entry: RunEntry, of run: RunFacts, log: RunLog?, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        guard let place = tellers.firstIndex(where: { $0.id == run.connection }) else { return }
        tellers[place].silentSince = now
        for (type, json) in tellers[place].teller.tell(entry, of: run, log) {
            var text: [UInt8] = []
            EventStreamWriter.event(into: &text) { $0 += json }
            steps.append(.send(text: text, type: type, to: run.connection))
        }
        if entry.event.isEnd {
            steps.append(.close(run.connection, code: 1_000, reason: "the run is over"))
        }
    }

    mutating func receive(
        _ text: [UInt8], from connection: ConnectionID, at now: Instant, into steps: inout [ProjectionStep]
    ) {}

    var nextDeadline: Instant? {
        guard let keepAlive else { return nil }
        return tellers.map(\.silentSince).min().map { $0 + keepAlive }
    }

    mutating func advance(to now: Instant, into steps: inout [ProjectionStep]) {
        guard let keepAlive else { return }
        for place in tellers.indices where tellers[place].silentSince + keepAlive <= now {
            tellers[place].silentSince = now
            var text: [UInt8] = []
            EventStreamWriter.comment("still here", into: &text)
            steps.append(.send(text: text, type: "comment", to: tellers[place].id))
        }
    }
}
