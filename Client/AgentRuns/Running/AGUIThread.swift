package import Clocks
public import RunWire
import Texts

/// A conversation with an agent over several runs. It keeps messages and state, runs tools, and handles interrupts.
///
/// ```swift
/// let thread = AGUIThread(agent: agent, threadID: "thread-1")
/// await thread.register(AGUITool(name: "pick_date", description: "Lets the user choose a date")) { _ in "2026-12-04" }
/// _ = try await thread.send("Book me in")
/// let done = try await thread.runToCompletion()
/// print(done.visibleText)
/// ```
///
/// A new run cancels the current run.
public actor AGUIThread {
    /// A function that runs a tool: receives the arguments of the call and returns the result.
    public typealias ToolHandler = @Sendable (JSONValue) async throws -> String

    private let agent: AGUIAgent
    private let threadID: ThreadID
    private let talk: Locked<RunReducer>
    nonisolated let followers = ThreadFollowers()
    private var tools: [(tool: AGUITool, handler: ToolHandler)] = []
    private var current: AGUIRunStream?
    private var hasNewAnswers = false

    /// Makes a thread that begins with these messages and this state.
    public init(
        agent: AGUIAgent, threadID: ThreadID, messages: [RunMessage] = [], state: JSONValue = .object([:])
    ) {
        self.agent = agent
        self.threadID = threadID
        talk = Locked(RunReducer(messages: messages.map(\.wire), state: state.wire))
    }

    package nonisolated var reducer: RunReducer { talk.withLock { $0 } }

    package nonisolated var now: Instant { agent.now }

    /// All messages of the thread, including those of the current run.
    public var messages: [RunMessage] { talk.withLock { $0.messages }.map { RunMessage($0) } }

    /// The state of the thread.
    public var state: JSONValue { JSONValue(talk.withLock { $0.state }) }

    /// Interrupts that the user must answer before the thread continues.
    public var pendingInterrupts: [Interrupt] {
        talk.withLock { $0.interrupts }.map { Interrupt($0) }
    }

    /// Offers a tool to the agent in all later runs, and replaces an earlier tool of the same name.
    /// ``runToCompletion(maxRuns:)`` calls `handler`. If `handler` throws, the agent receives the text of the error.
    public func register(
        _ tool: AGUITool, handler: @escaping @Sendable (JSONValue) async throws -> String
    ) {
        tools.removeAll { $0.tool.name == tool.name }
        tools.append((tool, handler))
    }

    /// Sends a user message and returns the events of the new run. The current run is cancelled, and its unanswered
    /// tool calls are abandoned. Throws ``AgentRunError/interruptsUnanswered(_:)`` if an interrupt needs an answer.
    public func send(_ text: String) throws -> AGUIRunStream {
        let open = pendingInterrupts.map(\.id)
        guard open.isEmpty else { throw AgentRunError.interruptsUnanswered(open) }
        stop()
        let message = RunWire.RunMessage(id: agent.newID(), role: .user, content: .text(text))
        talk.withLock { $0.append(message) }
        followers.notify(.said(id: message.id, at: agent.now))
        return start()
    }

    /// Answers all ``pendingInterrupts`` and returns the events of the next run. Throws
    /// ``AgentRunError/interruptsUnanswered(_:)`` if an answer is missing, ``AgentRunError/invalidInput(_:)`` if no
    /// interrupt is pending or an answer belongs to none, and ``AgentRunError/interruptExpired(_:)`` for an expired
    /// interrupt, unless the answer cancels it.
    public func resume(_ entries: [ResumeEntry]) throws -> AGUIRunStream {
        let pending = pendingInterrupts
        let answered = Set(entries.map(\.interruptID))
        if let stray = answered.subtracting(pending.map(\.id)).map(\.rawValue).min() {
            throw AgentRunError.invalidInput("Nothing called \"\(stray)\" waits for an answer.")
        }
        let missing = pending.map(\.id).filter { !answered.contains($0) }
        guard missing.isEmpty else { throw AgentRunError.interruptsUnanswered(missing) }
        guard !pending.isEmpty else { throw AgentRunError.invalidInput("Nothing waits for an answer.") }
        let resolved = Set(entries.filter { $0.status == .resolved }.map(\.interruptID))
        for interrupt in pending where resolved.contains(interrupt.id) {
            guard let text = interrupt.expiresAt, let end = TimeStamp.parse(text) else { continue }
            guard agent.now < Instant(nanosecondsSince1970: end) else {
                throw AgentRunError.interruptExpired(interrupt.id)
            }
        }
        return start(entries)
    }

    /// Requests the thread's stored messages, state, calls and interrupts, for example after a restart of the app. If
    /// the agent stores nothing, the stream throws an ``AgentRunError`` with the HTTP status 404 or 405.
    public func reconnect() -> AGUIRunStream {
        stop()
        let input = RunInput(threadID: threadID.rawValue, runID: agent.newID(), state: .object([:]))
        let stream = request(input, pathEnding: "/connect")
        (current, hasNewAnswers) = (stream, false)
        return stream
    }

    /// Answers a tool call of the last run. The next run sends the answer. Throws ``AgentRunError/invalidInput(_:)`` if
    /// the call is not pending.
    public func answer(_ call: ToolCallID, content: String, error: String? = nil) throws {
        let message = RunWire.RunMessage(
            id: agent.newID(), role: .tool, content: .text(content), toolCallID: call.rawValue, error: error)
        let isKnown = talk.withLock { reducer in
            guard reducer.pendingCalls.contains(call.rawValue) else { return false }
            return reducer.answer(message)
        }
        guard isKnown else {
            throw AgentRunError.invalidInput("No call \"\(call.rawValue)\" waits for an answer.")
        }
        hasNewAnswers = true
    }

    /// Waits for the end of the current run, or starts one. Then runs the registered tools that the agent has called,
    /// and sends their results in a new run, until no call is left. Sends answers of ``answer(_:content:error:)`` too.
    ///
    /// - Parameter maxRuns: the maximum number of runs; 10 by default.
    /// - Returns: the state after the last run. The method stops when a run has no calls, a call has no registered tool
    ///   and no answer, an interrupt needs an answer of the user, a run has failed or was cancelled at the agent,
    ///   or `maxRuns` is reached.
    /// - Throws: an ``AgentRunError``. It is ``AgentRunError/interruptsUnanswered(_:)`` if interrupts are pending and
    ///   the last run was lost or never started. Then call ``resume(_:)``, even if the lost run had sent the answers.
    public func runToCompletion(maxRuns: Int = 10) async throws -> AgentRunSnapshot {
        guard maxRuns > 0 else { throw AgentRunError.invalidInput("maxRuns has to be 1 or more.") }
        var runs = 0
        while true {
            let open = pendingInterrupts.map(\.id)
            if current?.feed.hasFailed ?? true, !open.isEmpty {
                throw AgentRunError.interruptsUnanswered(open)
            }
            let stream = current ?? start()
            do {
                _ = try await stream.collect()
            } catch {
                if stream.feed === current?.feed { current = nil }
                throw error
            }
            runs += 1
            guard case .finished(.success) = stream.feed.snapshot.phase, runs < maxRuns else {
                return stream.feed.snapshot
            }
            try await runTools()
            let isAnswered = hasNewAnswers && talk.withLock { $0.pendingCalls.isEmpty }
            guard isAnswered else { return stream.feed.snapshot }
            _ = start()
        }
    }

    // MARK: - Runs

    private func runTools() async throws {
        let calls = talk.withLock { reducer in reducer.pendingCalls.compactMap { reducer.call($0) } }
        let work = calls.compactMap { call in
            tools.first { $0.tool.name == call.name }.map { (call, $0.handler) }
        }
        guard !work.isEmpty else { return }
        let answers = await withTaskGroup(of: (Int, Result<String, any Error>).self) { group in
            for (index, (call, handler)) in work.enumerated() {
                group.addTask { (index, await Self.run(call.arguments, handler)) }
            }
            var answers: [Int: Result<String, any Error>] = [:]
            for await (index, answer) in group { answers[index] = answer }
            return answers
        }
        if Task.isCancelled { throw AgentRunError.cancelled }
        for (index, (call, _)) in work.enumerated() {
            let id = ToolCallID(rawValue: call.id)
            switch answers[index] {
            case .success(let content)?: try answer(id, content: content)
            case .failure(let error)?: try answer(id, content: "", error: "\(error)")
            case nil: break
            }
        }
    }

    private static func run(
        _ arguments: String, _ handler: ToolHandler
    ) async -> Result<String, any Error> {
        do {
            let value = try arguments.isEmpty ? JSONValue.object([:]) : JSONValue(parsing: arguments)
            return .success(try await handler(value))
        } catch {
            return .failure(error)
        }
    }

    package func cancel() { stop() }

    /// Removes the last message if it has this id and is the user's. Otherwise returns false.
    package nonisolated func remove(_ id: String) -> Bool { talk.withLock { $0.removeLast(id) } }

    private func request(_ input: RunInput, pathEnding: String = "") -> AGUIRunStream {
        followers.notify(.requested(isRun: pathEnding.isEmpty, at: agent.now))
        return agent.stream(input, talk, pathEnding: pathEnding, followers: followers)
    }

    private func stop() {
        current?.cancel()
        current = nil
    }

    private func start(_ entries: [ResumeEntry] = []) -> AGUIRunStream {
        stop()
        let (messages, state) = talk.withLock { ($0.messages, $0.state) }
        let input = RunInput(
            threadID: threadID.rawValue, runID: agent.newID(), state: state,
            // Activity messages are only for display.
            messages: messages.filter { $0.role != .activity }, tools: tools.map(\.tool.wire), context: [],
            forwardedProps: .object([:]), resume: entries.isEmpty ? nil : entries.map(\.wire))
        let stream = request(input)
        (current, hasNewAnswers) = (stream, false)
        return stream
    }
}
