import AgentRuns
import RunPresentation

/// The examples in the doc comments of `RunPresentation`, word for word; `DocPagesTests` compares. Nothing here runs.
enum RunDocComments {
    // swift-format-ignore
    static func source(_ thread: AGUIThread) -> RunSource {
        let source = RunSource(thread, agentName: "Desk")         // an AGUIThread of AgentRuns
        return source
    }
}
