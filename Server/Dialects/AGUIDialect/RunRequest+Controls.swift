package import ConversationEngine
import RunWire
package import Texts

extension RunRequest {
    /// Decisions that somebody at the controls takes for the client. Without a payload the ask is cancelled.
    package init(thread: String, run: String, decisions: [(ask: String, payload: JSONValue?)]) {
        let resume = decisions.map { decision in
            RunResume(
                interruptID: decision.ask, status: decision.payload == nil ? .cancelled : .resolved,
                payload: decision.payload)
        }
        self.init(RunInput(threadID: thread, runID: run, resume: resume), body: [])
    }

    /// The same with what tools of the client gave back.
    package init(thread: String, run: String, answers: [(call: String, content: String, error: String?)]) {
        let messages = answers.map { answer in
            RunMessage(
                id: "\(run)-\(answer.call)", role: .tool, content: .text(answer.content),
                toolCallID: answer.call, error: answer.error)
        }
        self.init(RunInput(threadID: thread, runID: run, messages: messages), body: [])
    }
}
