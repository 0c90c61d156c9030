package import ConversationEngine
import RunWire
package import Texts

extension RunRequest {
    /// Creates a request with decisions from the control API. A nil payload cancels the interrupt.
    package init(_ run: String, of log: RunLog, decisions: [(ask: String, payload: JSONValue?)]) {
        self.init(run, of: log) { input in
            input.resume = decisions.map { decision in
                RunResume(
                    interruptID: decision.ask, status: decision.payload == nil ? .cancelled : .resolved,
                    payload: decision.payload)
            }
        }
    }

    package init(_ run: String, of log: RunLog, answers: [(call: String, content: String, error: String?)]) {
        self.init(run, of: log) { input in
            input.messages += answers.map { answer in
                RunMessage(
                    id: "\(run)-\(answer.call)", role: .tool, content: .text(answer.content),
                    toolCallID: answer.call, error: answer.error)
            }
        }
    }

    /// Creates a request with the whole thread, as the client of the last run would send it.
    private init(_ run: String, of log: RunLog, _ answer: (inout RunInput) -> Void) {
        let (last, thread) = (log.runs.last?.facts, RunThread(log))
        var input = thread.input ?? RunInput(threadID: "", runID: run)
        (input.threadID, input.runID, input.parentRunID) = (last?.thread ?? "", run, nil)
        (input.messages, input.state, input.resume) = (thread.messages, thread.state, nil)
        answer(&input)
        self.init(
            input, body: RunBody(RunEventWriter.bytes(input)),
            profile: last.flatMap { RunProfile(rawValue: $0.manner) })
        // The values are copied, because the stored form of a long request lacks their fields.
        let kept = ["header.", "props.", "context.", "tools."]
        for (name, value) in log.given where kept.contains(where: name.hasPrefix) || name == "run.agent" {
            given[name] = value
        }
        if log.given["run.protocol"] == nil {
            given["run.protocol"] = nil
            given["run.version"] = nil
        }
    }
}
