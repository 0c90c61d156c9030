import Clocks
import ConversationEngine
import DialectKit
import RunWire

/// What is remembered of a thread while its runs are told: who listens, and since when nothing was sent.
struct AGUIProjection: Projection {
    private struct Listener {
        let id: ConnectionID
        var silentSince: Instant
        var teller = RunTeller()
        /// What it is told at this moment.
        var told = ToldTexts()

        mutating func tell(_ entry: RunEntry, of run: RunFacts, _ log: RunLog?) {
            teller.tell(entry, of: run, log, into: &told)
        }
    }

    private var listeners: [Listener] = []
    private let keepAlive: Interval?

    init(keepAlive: Interval?) {
        self.keepAlive = keepAlive
    }

    mutating func attach(
        _ connection: ConnectionID, _ outlet: Outlet, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        listeners.append(Listener(id: connection, silentSince: now))
    }

    mutating func detach(_ connection: ConnectionID) {
        listeners.removeAll { $0.id == connection }
        // Without room for the next one: most threads have none for long.
        if listeners.isEmpty { listeners = [] }
    }

    /// Messages of the talk are told as events of its runs.
    mutating func tell(
        _ entry: JournalEntry, to connections: [ConnectionID], isHistory: Bool, at now: Instant,
        into steps: inout [ProjectionStep]
    ) {}

    mutating func tell(
        _ entry: RunEntry, of run: RunFacts, log: RunLog?, at now: Instant, into steps: inout [ProjectionStep]
    ) {
        guard let place = listeners.firstIndex(where: { $0.id == run.connection }) else { return }
        listeners[place].silentSince = now
        if let later = listeners[place].teller.later(entry, of: run, log) {
            leave(into: &steps)
            steps.append(.sendLater(later, to: run.connection))
        } else {
            listeners[place].tell(entry, of: run, log)
        }
        if entry.event.isEnd {
            leave(into: &steps)
            steps.append(.close(run.connection, code: 1_000, reason: "the run is over"))
        }
    }

    mutating func leave(into steps: inout [ProjectionStep]) {
        for place in listeners.indices where !listeners[place].told.isEmpty {
            steps.append(.sendAll(listeners[place].told, to: listeners[place].id))
            listeners[place].told = ToldTexts()
        }
    }

    mutating func receive(
        _ text: [UInt8], from connection: ConnectionID, at now: Instant, into steps: inout [ProjectionStep]
    ) {}

    var nextDeadline: Instant? {
        guard let keepAlive else { return nil }
        return listeners.lazy.map(\.silentSince).min().map { $0 + keepAlive }
    }

    mutating func advance(to now: Instant, into steps: inout [ProjectionStep]) {
        guard let keepAlive else { return }
        for place in listeners.indices where listeners[place].silentSince + keepAlive <= now {
            listeners[place].silentSince = now
            var text: [UInt8] = []
            EventStreamWriter.comment("still here", into: &text)
            steps.append(.send(text: text, type: "comment", to: listeners[place].id))
        }
    }
}
