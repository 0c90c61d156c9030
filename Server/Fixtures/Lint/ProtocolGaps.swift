import ConversationEngine
import Matching

/// Finder of steps that at least one protocol cannot express.
struct ProtocolGaps {
    private enum Audience: String {
        /// Clients of the Messaging API and of Amazon Connect chat.
        case withoutRuns = "Clients without runs"
        case agui = "Clients of AG-UI"
        case agui0 = "Clients of version 0 of AG-UI"
    }

    private let script: Script
    private let file: String
    private(set) var notes: [Finding] = []

    init(_ script: Script, file: String) {
        self.script = script
        self.file = file
        for steps in script.stepLists { look(at: steps) }
    }

    private mutating func look(at steps: [Step]) {
        var hasSpoken = false
        for step in steps {
            switch step.verb {
            case .say(let speech):
                hasSpoken = true
                if !speech.parts.attachments.isEmpty { note(.agui, "do not get these attachments", step) }
                if !speech.parts.calls.isEmpty { note(.agui, "do not get these buttons that ring", step) }
            case .handoff, .transfer: note(.agui, "do not see the queue, nor who comes", step)
            case .receipt: note(.agui, "do not see receipts", step)
            case .change: note(.agui, "do not see this change", step)
            case .presence: note(.agui, "do not see who is idle", step)
            case .system: note(.agui, "do not get this notice", step)
            case .language: note(.agui, "do not see the language", step)
            case .emit: note(.agui, "do not get this event", step)
            case .run(let run): look(at: run, step, hasSpoken)
            case .think, .wait, .remember, .forget, .leave, .giveBack, .end, .fault: break
            }
        }
    }

    private mutating func look(at run: RunStep, _ step: Step, _ hasSpoken: Bool) {
        switch run {
        case .call(let calls, _):
            let tools = calls.compactMap {
                script.tools.indices.contains($0.tool) ? script.tools[$0.tool] : nil
            }
            if !hasSpoken, let tool = tools.first(where: \.isOfClient) {
                note(
                    .withoutRuns, "hear nothing here: \"\(tool.name)\" waits for an answer of the client",
                    step)
            }
            let outcomes = calls.compactMap(\.outcome) + tools.flatMap { $0.rows.map(\.outcome) }
            if outcomes.contains(where: { if case .parts = $0 { true } else { false } }) {
                note(.agui0, "get the parts of this result as one text", step)
            }
        case .ask(let asks):
            if let ask = asks.first(where: { $0.choices.isEmpty }) {
                note(.withoutRuns, "cannot decide \"\(ask.name)\": it has no choices to say", step)
            }
        case .card: note(.withoutRuns, "do not get this card", step)
        case .activity: note(.withoutRuns, "do not see this activity", step)
        case .custom, .raw: note(.withoutRuns, "do not get this event", step)
        case .subagentStarted: note(.agui0, "see a step in place of this subagent", step)
        case .cancel: note(.agui0, "see an error in place of the cancelled run", step)
        default: break
        }
    }

    private mutating func note(_ audience: Audience, _ what: String, _ step: Step) {
        notes.append(
            Finding(
                file: file, place: step.place, severity: .note, code: .lost,
                message: "\(audience.rawValue) \(what)."))
    }
}

extension CompiledFixture {
    /// Notes on steps that at least one protocol cannot express, in the order of the file.
    package var losses: [Finding] {
        let notes = script.map { ProtocolGaps($0, file: fileName).notes } ?? []
        return notes.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }.map(\.element)
    }
}
