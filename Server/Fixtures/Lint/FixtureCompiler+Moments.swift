import ConversationEngine

/// Troubles that can never strike.
extension FixtureCompiler {
    mutating func findImpossibleMoments() {
        guard !script.troubles.isEmpty else { return }
        let chunks = longestReply
        let served = script.handoffs.filter { $0.mode == .server }
        let positions = served.map { $0.queue?.positions.count ?? 0 }.max() ?? 0
        for (number, trouble) in script.troubles.enumerated() {
            let place = map.moments[number]
            switch trouble.moment {
            case .replyChunk where script.session.streaming == false:
                warn(
                    .impossibleMoment, at: place,
                    "This fixture does not stream, so its replies have no chunks.")
            case .replyChunk(_, let chunk) where chunk > chunks:
                warn(
                    .impossibleMoment, at: place,
                    "No reply of this fixture has a chunk \(chunk); the longest ends with chunk \(chunks).")
            case .queueUpdate(let update) where update > positions:
                let most = positions == 0 ? "there is no queue" : "the longest queue tells \(positions)"
                warn(
                    .impossibleMoment, at: place,
                    "There is no queue update \(update) in this fixture: \(most).")
            case .personJoins where !served.contains { $0.outcome == .joins }:
                warn(.impossibleMoment, at: place, "In this fixture no handoff lets a person join.")
            default:
                if let reason = contradiction(trouble) { warn(.impossibleMoment, at: place, reason) }
            }
        }
    }

    /// An effect that its moment does not allow.
    func contradiction(_ trouble: Trouble) -> String? {
        let isRequest: Bool
        switch trouble.moment {
        case .token, .session, .handshake, .request: isRequest = true
        default: isRequest = false
        }
        switch trouble.effect {
        case .refuse:
            return isRequest ? nil : "Only a token, a session, a handshake or a request can be refused."
        case .close: return isRequest ? "There is no open connection to close at this moment." : nil
        case .lose, .repeated, .swap, .garble: return isRequest ? "No event is sent at this moment." : nil
        case .agentError: return isRequest ? "The agent has nothing to say at this moment." : nil
        case .handoff: return isRequest ? "No handoff is under way at this moment." : nil
        case .drop, .stall, .delay: return nil
        }
    }

    /// The chunks of the longest reply; as many as can be when a text has gaps that anything may fill.
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

    private func chunkCount(_ speech: Speech) -> Int {
        if let chunks = speech.chunks { return chunks.count }
        let pace = speech.pace ?? script.pace
        let size = speech.cut ?? ChunkSize(count: pace.chunkSize, unit: pace.chunkUnit)
        if size.unit == .whole { return 1 }
        var most = 1
        for text in speech.texts {
            guard text.slots.allSatisfy({ names.values[$0.name] != nil }) else { return .max }
            let words = text.filled { names.values[$0] }
            // A token, a sentence and a line are a character or more: the count of characters is never too small.
            let units =
                size.unit == .words ? words.split(whereSeparator: \.isWhitespace).count : words.count
            most = max(most, (units + size.count - 1) / max(size.count, 1))
        }
        return most
    }
}
