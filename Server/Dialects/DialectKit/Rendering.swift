package import Clocks
package import ConversationEngine

/// A step of a conversation: a journal entry, or an event of an agent run.
package enum TalkMoment: Sendable {
    case entry(JournalEntry)
    /// `number` counts the run's events from 1.
    case run(RunEntry, of: RunInfo, number: Int)

    package var time: Instant {
        switch self {
        case .entry(let entry): entry.time
        case .run(let entry, _, _): entry.time
        }
    }

    package static func all(of journal: [JournalEntry], _ log: RunLog?) -> [TalkMoment] {
        // `precedingCount` is the number of journal entries recorded before the run's event.
        var moments = journal.enumerated().map { (place: 2 * $0 + 1, moment: TalkMoment.entry($1)) }
        for run in log?.runs ?? [] {
            moments += run.entries.enumerated().map { place, entry in
                (2 * Int(entry.precedingCount), .run(entry, of: run.facts, number: place + 1))
            }
        }
        return moments.enumerated().sorted {
            ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
        }.map(\.element.moment)
    }
}

package struct RenderedMessage: Equatable, Sendable {
    package var type: String
    package var text: [UInt8]

    package init(type: String, text: [UInt8]) {
        self.type = type
        self.text = text
    }
}

extension Dialect {
    /// Returns each moment's messages for a client that is connected from the start, without faults.
    package func retell(_ moments: [TalkMoment], of session: String, _ log: RunLog?) -> [[RenderedMessage]] {
        let encoder = retelling(of: session)
        var known: Set<ConnectionID> = []
        return moments.map { moment in
            var output = EncoderOutput()
            let now = moment.time
            switch moment {
            case .entry(let entry):
                if let due = encoder.memory?.nextDeadline, due <= now {
                    encoder.advance(to: now, into: &output)
                }
                encoder.encode(entry, for: .one(.none), at: now, into: &output)
            case .run(let entry, let run, _):
                if known.insert(run.connection).inserted {
                    encoder.attach(run.connection, .stream(isChunked: true), of: 0, at: now, into: &output)
                }
                let then = entry.event.buildsOnLog ? log?.before(entry, of: run) : log
                guard then != nil else { return [] }
                encoder.encode(entry, of: run, log: then, at: now, into: &output)
                encoder.flush(into: &output)
            }
            let shared =
                output.shared.isEmpty ? [] : [RenderedMessage(type: output.type, text: output.shared)]
            return shared
                + output.steps.flatMap { step -> [RenderedMessage] in
                    switch step {
                    case .send(let text, let type, _): [RenderedMessage(type: type, text: text)]
                    case .sendAll(let texts, _): texts.messages
                    case .sendLater(let later, _): later.make()
                    case .receive, .push, .name, .shelve, .unshelve, .close: []
                    }
                }
        }
    }
}
