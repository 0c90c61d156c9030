import Clocks
import ConversationEngine
import DialectKit
import RunWire

/// Encoder of a thread's runs. For `@exclusivity(unchecked)` see decision 0001: 4,500 of the 613,000 instructions of a run.
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

    @exclusivity(unchecked) private var listeners: [Listener] = []
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
        guard let place = listeners.indices.first(where: { listeners[$0].id == run.connection }) else {
            return
        }
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
        guard let keepAlive, !listeners.isEmpty else { return EncoderMemory(nextDeadline: nil) }
        // By index, because an element's copy retains its encoder: 74,000 of the 613,000 instructions of a run.
        var silence = Int64.max
        for place in listeners.indices { silence = min(silence, listeners[place].silentSince.nanoseconds) }
        return EncoderMemory(nextDeadline: Instant(nanosecondsSince1970: silence) + keepAlive)
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
