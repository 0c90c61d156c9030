import ConversationEngine
import Matching
import Patterns

/// Runner of examples (fixtures/README.md#examples).
struct ExampleRunner {
    let fileName: String
    let script: Script
    var budget = RehearsalBudget()
    private(set) var answered: [Set<SourcePlace>] = []

    init(_ script: Script, fileName: String) {
        self.script = script
        self.fileName = fileName
    }

    mutating func run(_ example: Example) -> Finding? {
        var rehearsal = DryRun(script, localTime: example.now, memory: example.memory)
        var failure: Failure?
        do throws(DryRun.Stop) {
            failure = try walk(example, &rehearsal)
        } catch {
            failure = Failure(
                place: example.place, message: "does not come to an end: it takes too many steps.",
                details: [])
        }
        answered.append(Set(rehearsal.answered))
        guard let failure else { return nil }
        return Finding(
            file: fileName, place: failure.place, severity: .error, code: .exampleFails,
            message: "\"\(MessageFormat.shortened(example.name))\" \(failure.message)", fix: failure.fix,
            details: failure.details)
    }

    private struct Failure {
        var place: SourcePlace
        var message: String
        var fix: String?
        var details: [String]
    }

    private mutating func walk(
        _ example: Example, _ rehearsal: inout DryRun
    ) throws(DryRun.Stop) -> Failure? {
        try rehearsal.join(&budget)
        /// Index of the first event that the next line of the example may match.
        var seen = 0
        var foundAny = false
        for line in example.lines {
            if case .says(.user, let text, _) = line.line {
                if rehearsal.hasEnded {
                    return Failure(
                        place: line.place,
                        message:
                            "goes on with \"\(MessageFormat.shortened(text))\", but the session has ended.",
                        details: details(rehearsal, from: max(seen - 1, 0), isMore: foundAny))
                }
                seen = rehearsal.observations.count
                foundAny = false
                try rehearsal.send(text, &budget)
                continue
            }
            if case .answers(let tool, let text, let isFailure) = line.line {
                seen = rehearsal.observations.count
                foundAny = false
                try rehearsal.answer(tool, text, isFailure: isFailure, &budget)
                continue
            }
            let wanted = Wanted(line.line)
            let rest = rehearsal.observations[seen...]
            if case .end(.abandoned) = line.line, !rest.contains(where: wanted.isMet) { rehearsal.abandon() }
            guard let found = rehearsal.observations[seen...].firstIndex(where: wanted.isMet) else {
                var failure = Failure(
                    place: line.place, message: "expected \(wanted.words).",
                    details: details(rehearsal, from: seen, isMore: foundAny))
                if let speaker = wanted.otherSpeaker(in: rehearsal.observations[seen...]) {
                    failure.fix = "begin the line with \"\(speaker.rawValue):\", who says it"
                }
                return failure
            }
            seen = found + 1
            foundAny = true
        }
        return nil
    }

    // MARK: Actual results

    /// Returns the details of a finding: what happened, and the conversation's state.
    private func details(_ rehearsal: DryRun, from start: Int, isMore: Bool) -> [String] {
        var lines: [String] = []
        var reason = ""
        for observation in rehearsal.observations[start...] {
            switch observation {
            case .said(_, let text, let cause):
                lines.append(actualLine("\"\(MessageFormat.shortened(text))\"", shown(cause)))
            case .queue(let position): lines.append("queue  \(position)")
            case .handoffFailed: lines.append("queue  the handoff failed")
            case .ended(let end): lines.append("ended  \(end.rawValue)")
            case .unmatched(let unmatched):
                if unmatched.substitute == nil {
                    reason = "no rule hears \"\(MessageFormat.shortened(unmatched.text))\""
                }
            case .ignored(let why): reason = why
            case .called(let tool, let arguments):
                lines.append("called \(tool) \(MessageFormat.shortened(arguments))")
            case .asked(let name, let text): lines.append("asked  \(name): \(MessageFormat.shortened(text))")
            case .state(let value): lines.append("state  \(MessageFormat.shortened(value))")
            case .failed(let words): lines.append("failed \(MessageFormat.shortened(words))")
            case .event(let value): lines.append("event  \(MessageFormat.shortened(value))")
            }
        }
        if lines.count > 4 { lines = Array(lines.prefix(3)) + ["…      and \(lines.count - 3) more"] }
        if lines.isEmpty { lines = [actualLine(isMore ? "nothing more" : "nothing", reason)] }
        if let conversation = rehearsal.conversation {
            let standing = standing(conversation)
            if !standing.isEmpty { lines.append(standing) }
        }
        return lines
    }

    private func actualLine(_ words: String, _ cause: String) -> String {
        cause.isEmpty ? "said   \(words)" : "said   \(MessageFormat.padded(words, to: 25))   \(cause)"
    }

    private func shown(_ cause: DryRun.Cause) -> String {
        guard cause.place.line > 0 else { return cause.name }
        return "\(cause.name), \(fileName):\(cause.place.line)"
    }

    private func standing(_ conversation: Conversation) -> String {
        var parts: [String] = []
        if !conversation.stageName.isEmpty {
            parts.append(
                "stage  " + MessageFormat.padded(MessageFormat.shortened(conversation.stageName), to: 11))
        }
        if !script.memory.isEmpty {
            let values = script.memory.prefix(20).map { slot in
                "\(slot.name) \(conversation.memory[slot.name].map { MessageFormat.shortened($0, to: 24) } ?? "–")"
            }
            parts.append("memory  " + values.joined(separator: "  "))
        }
        return MessageFormat.trimmed(parts.joined())
    }
}

private struct Wanted {
    private let line: Example.Line
    private let folded: [UInt8]

    init(_ line: Example.Line) {
        self.line = line
        if case .says(_, let text, _) = line { folded = Array(Folding.fold(text).utf8) } else { folded = [] }
    }

    var words: String {
        switch line {
        case .says(let speaker, let text, let isExact):
            "the \(speaker.rawValue) to say \(isExact ? "exactly " : "")\"\(MessageFormat.shortened(text, to: 100))\""
        case .queue(let position): "to get position \(position) in the queue"
        case .end(let reason): "the session to end with \"\(reason.rawValue)\""
        case .tool(let tool, let words):
            "a call of \(tool)" + (words.isEmpty ? "" : " with \"\(MessageFormat.shortened(words))\"")
        case .asks(let words): "a person to be asked \"\(MessageFormat.shortened(words))\""
        case .state(let words): "a state with \"\(MessageFormat.shortened(words))\""
        case .fails(let words): "the run to fail with \"\(MessageFormat.shortened(words))\""
        case .event(let words): "an event with \"\(MessageFormat.shortened(words))\""
        case .answers(let tool, _, _): "an answer of \(tool)"
        }
    }

    func isMet(_ observation: DryRun.Observation) -> Bool {
        switch (line, observation) {
        case (.says(let wanted, let text, let isExact), .said(let speaker, let said, _)):
            wanted == speaker && isIn(said, text, isExact)
        case (.queue(let wanted), .queue(let position)): wanted == position
        case (.end(let wanted), .ended(let reason)): wanted == reason
        case (.tool(let wanted, let words), .called(let tool, let arguments)):
            wanted == tool
                && (words.isEmpty || MessageFormat.contains(Array(arguments.utf8), Array(words.utf8)))
        case (.asks(let wanted), .asked(let name, let text)):
            wanted == name || MessageFormat.contains(Array(text.utf8), Array(wanted.utf8))
        case (.state(let wanted), .state(let value)), (.fails(let wanted), .failed(let value)),
            (.event(let wanted), .event(let value)):
            MessageFormat.contains(Array(value.utf8), Array(wanted.utf8))
        default: false
        }
    }

    /// Returns a speaker, other than the line's speaker, who said the expected text. Nil if there is none.
    func otherSpeaker(in observations: ArraySlice<DryRun.Observation>) -> Example.Speaker? {
        guard case .says(let wanted, let text, let isExact) = line else { return nil }
        for case .said(let speaker, let said, _) in observations
        where speaker != wanted && isIn(said, text, isExact) {
            return speaker
        }
        return nil
    }

    private func isIn(_ said: String, _ text: String, _ isExact: Bool) -> Bool {
        let heard = Array(Folding.fold(said).utf8)
        // Text without letters and digits is compared without folding, because it would fold to an empty text.
        if folded.isEmpty {
            return isExact ? said == text : MessageFormat.contains(Array(said.utf8), Array(text.utf8))
        }
        return isExact ? heard == folded : MessageFormat.contains(heard, folded, wholeWords: true)
    }
}
