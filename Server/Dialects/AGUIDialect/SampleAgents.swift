import ConversationEngine
import EmbeddedFixtures
import Matching
import RunWire

/// Agents that replay recorded runs and ignore the user's input, for front-end developers.
enum SampleAgents {
    static let agents: [(name: String, about: String)] = [
        ("01-text-only", "The smallest run: one text."),
        ("02-backend-tool", "Calls a tool of its own, and says what it gave back."),
        ("03-sequential-tools", "Two tools, one after the other."),
        ("04-parallel-tools", "Two calls at once: fragments take turns, results come in another order."),
        ("05-text-and-tool-interleaved", "Calls a tool in the middle of a text."),
        ("06-reasoning", "Reasons before it speaks, with an encrypted value."),
        ("07-steps-and-state", "Overlapping steps, a snapshot of the state, and changes of it."),
        ("08-activity", "Shows how its work goes on."),
        ("09-tool-failure", "A tool fails, and the run goes on."),
        ("10-run-error", "Fails in the middle of a text and of a call."),
        ("11-run-error-first", "Fails before it begins."),
        ("12a-frontend-tool", "Calls a tool that the client has."),
        ("12b-frontend-tool", "Goes on with the answer of that tool."),
        ("12c-frontend-tool-declined", "Goes on although the user declined."),
        ("13a-interrupt", "Asks for an approval."),
        ("13b-resume", "Goes on after the approval."),
        ("13c-resume-cancelled", "Goes on after a refusal."),
        ("14-chunks", "Streams reasoning, a call and a text in chunks without beginning and end."),
        ("15-replay-snapshot", "A stored thread as snapshots."),
        ("16-custom-and-raw", "Events of its own, and those of a provider."),
        ("17-metadata-and-usage", "Metadata that clients merge, and what the run has cost."),
        ("18-two-runs", "Two runs in one answer."),
        ("19-unicode", "Combining marks, joined characters and escapes."),
        ("20-timestamps-and-input-echo", "Timestamps, and the request given back."),
        ("invalid-01-first-event-not-run-started", "A fault: the run does not begin."),
        ("invalid-02-content-without-start", "A fault: a piece of a text that has not begun."),
        ("invalid-03-end-without-start", "A fault: the end of a text that has not begun."),
        ("invalid-04-duplicate-start", "A fault: a text begins twice."),
        ("invalid-05-message-open-at-finish", "A fault: a text is open at the end."),
        ("invalid-06-args-without-start", "A fault: arguments of a call that has not begun."),
        ("invalid-07-tool-end-without-start", "A fault: the end of a call that has not begun."),
        ("invalid-08-duplicate-tool-start", "A fault: a call begins twice."),
        ("invalid-09-tool-open-at-finish", "A fault: a call is open at the end."),
        ("invalid-10-step-not-finished", "A fault: a step is open at the end."),
        ("invalid-11-step-finish-without-start", "A fault: the end of a step that has not begun."),
        ("invalid-12-duplicate-step", "A fault: a step begins twice."),
        ("invalid-13-nested-run-started", "A fault: a run begins inside of another."),
        ("invalid-14-event-after-finish", "A fault: an event follows the end."),
        ("invalid-15-event-after-error", "A fault: an event follows the failure."),
        ("invalid-16-first-chunk-without-id", "A fault: the first chunk of a text has no id."),
        ("invalid-17-first-tool-chunk-without-name", "A fault: the first chunk of a call has no name."),
        ("invalid-18-truncated", "A fault: the stream stops without an end."),
        ("invalid-19-finish-names-another-run", "A fault: the end names another run."),
        ("invalid-20-reasoning-content-without-start", "A fault: a piece of reasoning that has not begun."),
        ("invalid-21-reasoning-open-at-finish", "A fault: reasoning is open at the end."),
        ("legacy-01-thinking", "Reasons in the names that version 1 retired."),
        ("v1-01-declared-version", "Says which version it speaks."),
        ("v1-02-pending-frontend-calls", "Names the calls that it leaves to the client."),
        ("v1-03-cancelled", "Is cancelled."),
        ("v1-04-tool-result-parts", "A tool gives back a text and a picture."),
        ("v1-05-subagent", "Lets another agent work for it."),
    ]

    static func lines(of name: String) -> [String]? {
        let runs = (0..<polymock_embedded_run_count()).lazy.map { polymock_embedded_run($0) }
        guard let run = runs.first(where: { String(cString: $0.name) == name }) else { return nil }
        let text = String(decoding: UnsafeBufferPointer(start: run.bytes, count: run.length), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    static func script(of name: String) -> Script? {
        guard let lines = lines(of: name) else { return nil }
        let about = agents.first { $0.name == name }?.about ?? ""
        let step = Step(.run(.recorded(lines.map(occurrence))))
        var script = Script(
            name: name, title: name, about: about, pace: .instant,
            paces: ["instant": .instant, "natural": .natural],
            anywhere: [Rule(name: "any", hears: .anything, steps: [step])])
        script.hasRuns = true
        script.writesBoundaries = true
        return script
    }

    /// Converts a recorded event into an engine event or, if necessary, into one with the raw JSON.
    private static func occurrence(of line: String) -> AgentEvent {
        guard let event = try? RunEventReader.read(Array(line.utf8)),
            RunEventWriter.bytes(RunEvent(event.kind)) == Array(line.utf8)
        else { return .written(value: line, isUnchecked: false) }
        return switch event.kind {
        case .textStart(let id, .assistant?, let name):
            .textStarted(id: id, role: MessageRole.assistant.rawValue, name: name)
        case .textContent(let id, let delta): .textDelta(id: id, delta)
        case .textEnd(let id): .textEnded(id: id)
        default: .written(value: line, isUnchecked: false)
        }
    }
}
