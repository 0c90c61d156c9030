import Clocks
import ConversationEngine
import DialectKit
import RunWire

/// Encoder of a thread's runs.
final class AGUIEncoder: SessionEncoder {
    private struct Listener {
        let id: ConnectionID
        var silentSince: Instant
        var encoder = RunEventEncoder()
        var pending = EncodedMessages()

        mutating func encode(_ entry: RunEntry, of run: RunInfo, _ log: RunLog?) {
            encoder.encode(entry, of: run, log, into: &pending)
        }
    }

    private var listeners: [Listener] = []
    private let keepAlive: Interval?

    init(keepAlive: Interval?) { self.keepAlive = keepAlive }

    func attach(
        _ connection: ConnectionID, _ outlet: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput
    ) {
        listeners.append(Listener(id: connection, silentSince: now))
    }

    func detach(_ connection: ConnectionID) {
        listeners.removeAll { $0.id == connection }
        // Frees the array's memory.
        if listeners.isEmpty { listeners = [] }
    }

    func encode(
        _ entry: RunEntry, of run: RunInfo, log: RunLog?, at now: Instant, into output: inout EncoderOutput
    ) {
        guard let place = listeners.firstIndex(where: { $0.id == run.connection }) else { return }
        listeners[place].silentSince = now
        if let later = listeners[place].encoder.later(entry, of: run, log) {
            flush(into: &output)
            output.steps.append(.sendLater(later, to: run.connection))
        } else {
            listeners[place].encode(entry, of: run, log)
        }
        if entry.event.isEnd {
            flush(into: &output)
            output.steps.append(.close(run.connection, code: 1_000, reason: "the run is over"))
        }
    }

    func flush(into output: inout EncoderOutput) {
        for place in listeners.indices where !listeners[place].pending.isEmpty {
            output.steps.append(.sendAll(listeners[place].pending, to: listeners[place].id))
            listeners[place].pending = EncodedMessages()
        }
    }

    var memory: EncoderMemory? {
        guard let keepAlive, let silence = listeners.lazy.map(\.silentSince).min() else {
            return EncoderMemory(nextDeadline: nil)
        }
        return EncoderMemory(nextDeadline: silence + keepAlive)
    }

    func advance(to now: Instant, into output: inout EncoderOutput) {
        guard let keepAlive else { return }
        for place in listeners.indices where listeners[place].silentSince + keepAlive <= now {
            listeners[place].silentSince = now
            var text: [UInt8] = []
            EventStreamWriter.comment("still here", into: &text)
            output.steps.append(.send(text: text, type: "comment", to: listeners[place].id))
        }
    }
}
