public import AgentRuns
public import ChatPresentation
import Clocks

/// Conversation of an AG-UI thread. Screens can open and close while its runs continue.
///
/// | thread | screen |
/// | --- | --- |
/// | message of the user | sending until its run begins; failed if the request fails: can be sent again or deleted |
/// | text of the agent | grows with its events |
/// | tool call | a line: the tool's execution text while the tool works, then the tool's name |
/// | activity | a line with its title |
/// | run without an open text | typing |
/// | run that failed, or whose stream broke off | a line with the reason |
/// | interrupt | a question of the agent; the next message of the user answers it |
///
/// ```swift
/// let source = RunSource(thread, agentName: "Desk")         // an AGUIThread of AgentRuns
/// ```
///
/// Runs that the app starts are followed, too. The source itself runs the registered tools.
public final class RunSource: ChatSource {
    let thread: AGUIThread
    private let agentName: String?
    private let choices: (yes: String, no: String)
    private let startNew: @Sendable () async throws -> Void
    private let log: Locked<RunLog>
    private let screens: HistoryScreens
    private let following: ThreadFollowing

    /// Makes the conversation of a thread. `yes` and `no` are the suggestions for an approval. `startNew` executes
    /// ``ChatCommand/startNew``; by default, the command does nothing.
    public init(
        _ thread: AGUIThread, agentName: String? = nil, yes: String = "Yes", no: String = "No",
        startNew: @escaping @Sendable () async throws -> Void = {}
    ) {
        (self.thread, self.agentName, self.startNew) = (thread, agentName, startNew)
        choices = (yes: yes, no: no)
        let (log, screens) = (Locked(RunLog(at: thread.now)), HistoryScreens())
        (self.log, self.screens) = (log, screens)
        following = thread.follow { change in
            log.withLock { $0.apply(change) }
            screens.notify()
        }
        // Read the questions after the subscription, so that none is missed.
        let reducer = thread.reducer
        log.withLock { $0.adopt(reducer) }
    }

    /// Subscribes a screen to the conversation. The subscription delivers the existing rows, then each later change.
    public func follow() -> ScreenFollowing {
        screens.follow { [thread, log, agentName, choices] in
            let reducer = thread.reducer
            var history = log.withLock { $0.history(of: reducer, choices) }
            history.agentName = agentName
            return HistoryScreens.View(history: history, status: SourceStatus(.open))
        }
    }

    /// Executes a command of the user, and waits for the end of the runs that it starts, if any. Throws an
    /// ``AgentRunError``, or the error of `startNew`.
    public func execute(_ command: ChatCommand) async throws {
        switch command {
        case .send(let text, let payload, _):
            let isYes = payload == RunLog.yes || text.lowercased() == choices.yes.lowercased()
            guard let next = log.withLock({ $0.answer(text, isYes: isYes) }) else {
                _ = try await thread.send(text)
                return try await complete()
            }
            screens.notify()
            if case .all(let entries) = next { try await resume(entries) }
        case .retry(let id):
            if let entries = log.withLock({ $0.answers(of: id) }) { return try await resume(entries) }
            try await complete()
        case .remove(let id):
            log.withLock { if !$0.removeAnswers(of: id) { $0.removeMessage(id, thread.remove) } }
            screens.notify()
        case .resume: try await complete()
        case .startNew: try await startNew()
        case .end: await thread.cancel()
        case .typing, .sendFile, .cancelFile, .loadEarlier, .change: break  // a thread has none
        }
    }

    private func resume(_ entries: [ResumeEntry]) async throws {
        _ = try await thread.resume(entries)
        try await complete()
    }

    private func complete() async throws { _ = try await thread.runToCompletion() }
}
