import ConversationEngine
import Texts

extension FixtureCompiler {
    mutating func findImpossibleMoments() {
        guard !script.faults.isEmpty else { return }
        let chunks = longestReply
        let served = script.handoffs.filter { $0.mode == .server }
        let positions = served.map { $0.queue?.positions.count ?? 0 }.max() ?? 0
        for (number, fault) in script.faults.enumerated() {
            let impossible: String? =
                switch fault.moment.kind {
                case .replyChunk where script.session.streaming == false:
                    "This fixture does not stream, so its replies have no chunks."
                case .replyChunk where fault.moment.chunk > chunks:
                    "No reply of this fixture has a chunk \(fault.moment.chunk); the longest ends with "
                        + "chunk \(chunks)."
                case .queueUpdate where fault.moment.number > positions:
                    "There is no queue update \(fault.moment.number) in this fixture: "
                        + (positions == 0 ? "there is no queue." : "the longest queue has \(positions).")
                case .liveAgentJoins where !served.contains { $0.outcome == .joins }:
                    "In this fixture no handoff lets a live agent join."
                case .request where !Operations.all.contains(fault.moment.operation):
                    unknownOperation(fault.moment.operation)
                case .token, .session, .handshake, .connect, .userMessage, .reply, .replyChunk, .queueUpdate,
                    .liveAgentJoins, .heartbeat, .request, .run, .runEvent,
                    .anyEvent:
                    fault.effect.kind.target.absence(at: fault.moment)
                }
            if let impossible { warn(.impossibleMoment, at: map.moments[number], impossible) }
        }
    }

    private func unknownOperation(_ name: String) -> String {
        let help = NearestName.suggestion(for: name, among: Operations.all)
        return "No protocol has the operation \"\(name)\"."
            + (help.map { " Did you mean \"\($0)\"?" } ?? "")
    }

    /// Upper bound on the chunks of one reply; `Int.max` if a text has a placeholder whose value is not known.
    private var longestReply: Int {
        var longest = 0
        let lists = script.stages.map(\.rules) + [script.anywhere, script.otherwise]
        for steps in [script.greeting] + lists.joined().map(\.steps) {
            for step in steps {
                guard case .say(let speech) = step.verb else { continue }
                longest = max(longest, chunkCount(speech))
            }
        }
        return longest
    }

    private func chunkCount(_ speech: SayStep) -> Int {
        if let chunks = speech.chunks { return chunks.count }
        let pace = speech.pace ?? script.pace
        let size = speech.cut ?? ChunkSize(count: pace.chunkSize, unit: pace.chunkUnit)
        if size.unit == .whole { return 1 }
        var most = 1
        for text in speech.texts {
            guard text.slots.allSatisfy({ names.values[$0.name] != nil }) else { return .max }
            let words = text.filled { names.values[$0] }
            // A text never has more tokens, sentences or lines than characters, so the characters are counted.
            let units = size.unit == .words ? words.split(whereSeparator: \.isWhitespace).count : words.count
            most = max(most, (units + size.count - 1) / max(size.count, 1))
        }
        return most
    }
}
