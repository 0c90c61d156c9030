import Clocks
public import PolyMessaging

/// A simulated user: one chat of the SDK, connected to a ``Mock``.
///
/// ```swift
/// let chat = try await mock.chat()
/// try await chat.type()
/// try await chat.say("a table, please")
/// try await mock.expect(.reply("For how many"))
/// print(try await chat.replies)
/// try await chat.end()
/// ```
public final class MockChat: Sendable {
    /// The SDK's session, for views. It has the state at the end of the last call of the test kit.
    public let session: ChatSession
    /// The client that ``session`` uses.
    public let client: PolyMessagingClient

    let isStreaming: Bool

    private let mock: Mock
    private let departed = Locked(false)
    private let saidSoFar = Locked<[SentMessage]>([])

    struct SentMessage: Sendable, Equatable {
        var text: String
        var site: CallSite
    }

    var said: [SentMessage] { saidSoFar.withLock { $0 } }

    @MainActor
    init(mock: Mock, client: PolyMessagingClient, streaming: Bool, isStreaming: Bool? = nil) {
        self.isStreaming = isStreaming ?? streaming
        self.mock = mock
        self.client = client
        session = ChatSession(client: client, progressiveStreaming: streaming)
    }

    // MARK: - Acting

    /// Sends a message and waits for the server's echo; with ``MockPlan/Movement/step``, without waiting. Mock time
    /// passes during the wait.
    /// - Throws: what `ChatSession.send(_:)` throws; ``MockError`` when the SDK gives up, or no echo comes within five
    ///   minutes of mock time. An error that is not caught fails the test at the line of this call.
    public func say(
        _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) async throws {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let number = saidSoFar.withLock { said in
            said.append(SentMessage(text: text, site: site))
            return said.count
        }
        try await mock.at(site) { try await say(text, number: number) }
    }

    private func say(_ text: String, number: Int) async throws {
        try await mock.catchUp()
        let session = session
        let before = Set(await session.userMessages.map(\.draftId))
        if sessionID == nil {
            try await mock.during { try await session.send(text) }
        } else {
            try await session.send(text)
        }
        let limit = mock.plan.movement == .step ? Interval.zero : KitLimits.chatTime
        _ = try await mock.play(within: limit) {
            await session.catchUp()
            return await session.userMessages.allSatisfy {
                before.contains($0.draftId) || $0.delivery != .pending
            }
        }
        let fate = await session.userMessages.last { !before.contains($0.draftId) }?.delivery
        if fate == .failed || fate == .pending && mock.plan.movement != .step {
            let what =
                fate == .failed
                ? "the SDK gave up on it"
                : "the server has not echoed it within \(limit) of mock time"
            let reason = await mock.refusal.map { "; \($0)" } ?? ""
            throw MockError("message \(number), \"\(text)\": \(what)\(reason)")
        }
        try await mock.afterAct()
        await session.catchUp()
    }

    /// Reports that the user is typing.
    /// - Throws: ``MockError`` when the mock does not become idle.
    public func type(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            mock.note(.user)
            try await mock.catchUp()
            await session.sendTyping()
            try await mock.settle()
        }
    }

    /// Ends the conversation.
    /// - Throws: what `ChatSession.end()` throws; ``MockError`` when that has not ended within five minutes of mock
    ///   time.
    public func end(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let session = session
        try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            mock.note(.user)
            try await mock.during { try await session.end() }
            try await mock.afterAct()
        }
    }

    /// Disconnects without ending the session, which stays in the store.
    /// - Throws: ``MockError`` when the mock does not become idle.
    public func leave(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            mock.note(.user)
            try await mock.catchUp()
            departed.withLock { $0 = true }
            await client.shutdown()
            try await mock.settle()
        }
    }

    var hasLeft: Bool { departed.withLock { $0 } }

    // MARK: - Looking

    /// The messages of the chat, after everything that is due now has run.
    public var messages: [ChatMessage] {
        get async throws {
            try await mock.catchUp()
            await session.catchUp()
            return await session.messages
        }
    }

    /// Texts of the messages of agents and live agents that the chat currently shows.
    public var replies: [String] {
        get async throws {
            try await messages.compactMap { if case .agent(let message) = $0 { message.text } else { nil } }
        }
    }

    /// The id of the session; nil before there is one.
    public var sessionID: String? { client.sessionID }
}

extension Mock {
    /// Starts a chat of the SDK and returns it connected; with ``MockPlan/Movement/step``, without waiting.
    ///
    /// `streaming` requests replies in chunks. `sharesStore` resumes the session that another chat of this mock has
    /// stored. If `mustConnect` is false, a refused chat is returned, with the reason in `session.failureReason`.
    /// `change` may set every property of the configuration except the token, which is the mock's ``line``.
    /// - Throws: ``MockError`` with the server's reason when the chat is refused, or when it has neither connected nor
    ///   failed after five minutes of mock time.
    public func chat(
        streaming: Bool = true, sharesStore: Bool = false, mustConnect: Bool = true,
        _ change: @Sendable (inout ClientConfiguration) -> Void = { _ in },
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> MockChat {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await connect(
                streaming: streaming, sharesStore: sharesStore, mustConnect: mustConnect, change)
        }
    }

    func connect(
        streaming: Bool, sharesStore: Bool = false, mustConnect: Bool, tap: WebTap? = nil,
        _ change: @Sendable (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> MockChat {
        try await catchUp()
        var isStreaming = streaming
        let client = try client(store: sharesStore ? nil : MemorySessionStore(), tap: tap) { configuration in
            configuration.streamingEnabled = streaming
            var standard = configuration
            change(&configuration)
            isStreaming = configuration.streamingEnabled
            standard.streamingEnabled = isStreaming
            if standard != configuration { note(.client) }
        }
        let chat = await MockChat(
            mock: self, client: client, streaming: streaming, isStreaming: isStreaming)
        keep(chat)
        let session = chat.session
        let limit = plan.movement == .step ? Interval.zero : KitLimits.chatTime
        let isThere = try await play(within: limit) {
            await session.catchUp()
            let hasFailed = await session.failureReason != nil
            return await session.isReady || hasFailed
        }
        let failure = await session.failureReason
        if let failure, mustConnect {
            throw MockError("the chat could not connect: \(await refusal ?? "\(failure)")")
        }
        guard isThere || plan.movement == .step else {
            let reason = await refusal.map { "; \($0)" } ?? ""
            throw MockError(
                "the chat has not connected within \(limit) of mock time\(reason)")
        }
        try await afterAct()
        await session.catchUp()
        return chat
    }

    @discardableResult
    func during<Answer: Sendable>(
        _ call: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let outcome = Locked<Result<Answer, any Error>?>(nil)
        let task = Task {
            do {
                let answer = try await call()
                outcome.withLock { $0 = .success(answer) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        await Self.letOthersGoOn()
        var isOver = try await play(within: KitLimits.chatTime) {
            await Self.letOthersGoOn()
            return outcome.withLock { $0 != nil }
        }
        // On a busy machine, the answer may have arrived before the call's task could run.
        for _ in 0..<KitLimits.turnsAtTheEnd where !isOver {
            await Self.letOthersGoOn()
            isOver = outcome.withLock { $0 != nil }
        }
        if !isOver { task.cancel() }
        return try Self.result(outcome)
    }

    /// Starts an operation (`begin`), and lets time pass until the operation completes.
    @discardableResult
    func untilDone<Answer: Sendable>(
        _ begin: (@escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void
    ) async throws -> Answer {
        try await catchUp()
        let outcome = Locked<Result<Answer, any Error>?>(nil)
        begin { result in outcome.withLock { $0 = result } }
        _ = try await play(within: KitLimits.chatTime) { outcome.withLock { $0 != nil } }
        return try Self.result(outcome)
    }

    private static func result<Answer: Sendable>(_ outcome: Locked<Result<Answer, any Error>?>) throws
        -> Answer
    {
        guard let outcome = outcome.withLock({ $0 }) else {
            throw MockError("a call of the SDK has not ended within \(KitLimits.chatTime) of mock time")
        }
        return try outcome.get()
    }

    /// Yields to all tasks, including those on the main actor.
    private static func letOthersGoOn() async {
        for _ in 0..<KitLimits.yields {
            await Task.yield()
            await MainActor.run {}
        }
    }
}
