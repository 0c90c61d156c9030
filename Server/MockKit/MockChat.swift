import Clocks
public import PolyMessaging

/// A user with the SDK: one chat, wired to a ``Mock``.
public final class MockChat: Sendable {
    /// The SDK's own session, for views and everything else that shows a chat. It stands as it was when the last
    /// call of the kit returned.
    public let session: ChatSession
    /// The SDK's client below ``session``.
    public let client: PolyMessagingClient

    /// Asks for replies in chunks.
    let isStreaming: Bool

    private let mock: Mock
    private let departure = Flag()

    @MainActor
    init(mock: Mock, client: PolyMessagingClient, streaming: Bool, isStreaming: Bool? = nil) {
        self.isStreaming = isStreaming ?? streaming
        self.mock = mock
        self.client = client
        session = ChatSession(client: client, progressiveStreaming: streaming)
    }

    // MARK: - Acting

    /// Says something. Returns when the server has echoed it, so that it is in the journal; mock time passes while
    /// that takes time.
    ///
    /// - Parameter text: what to say.
    /// - Throws: what `ChatSession.send(_:)` throws; ``MockError`` when the message is given up, or not echoed within
    ///   five minutes of mock time.
    public func say(_ text: String) async throws {
        try await mock.catchUp()
        let session = session
        let before = Set(await session.userMessages.map(\.draftId))
        if client.snapshot().session.sessionId == nil {
            try await mock.during { try await session.send(text) }
        } else {
            try await session.send(text)
        }
        let limit = mock.plan.movement == .step ? Interval.zero : Limits.chatTime
        _ = try await mock.play(within: limit) {
            await session.catchUp()
            return await session.userMessages.allSatisfy {
                before.contains($0.draftId) || $0.delivery != .pending
            }
        }
        let fate = await session.userMessages.last { !before.contains($0.draftId) }?.delivery
        if fate == .failed { throw MockError("the SDK gave up on \"\(text)\"") }
        if fate == .pending, mock.plan.movement != .step {
            throw MockError(
                "the server has not echoed \"\(text)\" within \(limit) of mock time")
        }
        try await mock.afterAct()
        await session.catchUp()
    }

    /// Presses keys: the agent is told that the user types.
    ///
    /// - Throws: ``MockError`` when the mock never comes to rest.
    public func type() async throws {
        mock.note(.user)
        try await mock.catchUp()
        await session.sendTyping()
        try await mock.settle()
    }

    /// Ends the conversation.
    ///
    /// - Throws: what `ChatSession.end()` throws.
    public func end() async throws {
        mock.note(.user)
        let session = session
        try await mock.during { try await session.end() }
        try await mock.afterAct()
    }

    /// Goes away without a word; the session stays in the store.
    ///
    /// - Throws: ``MockError`` when the mock never comes to rest.
    public func leave() async throws {
        mock.note(.user)
        try await mock.catchUp()
        departure.raise()
        await client.shutdown()
        try await mock.settle()
    }

    /// It shows nothing new any more.
    var hasLeft: Bool { departure.isRaised }

    // MARK: - Looking

    /// The rows as they stand now, after everything that is due.
    public var messages: [ChatMessage] {
        get async throws {
            try await mock.catchUp()
            await session.catchUp()
            return await session.messages
        }
    }

    /// What agents and people said, as the chat shows it now.
    public var replies: [String] {
        get async throws {
            try await messages.compactMap { if case .agent(let message) = $0 { message.text } else { nil } }
        }
    }

    /// The id of the session; nil before there is one.
    public var sessionID: String? { client.snapshot().session.sessionId }
}

extension ChatSession {
    /// Connected, or failed to.
    fileprivate var hasArrived: Bool { isReady || failureReason != nil }
}

extension Mock {
    /// A chat of the SDK with this mock, once it is connected or has failed to.
    ///
    /// - Parameters:
    ///   - streaming: asks for replies in chunks, and lets rows grow. Default true.
    ///   - sharesStore: resumes the session that another chat of this mock has stored. Default false.
    ///   - change: changes to the client's configuration. The token is the mock's ``line``.
    /// - Returns: the chat. Its `session.failureReason` tells when it could not connect.
    /// - Throws: ``MockError`` when it has neither connected nor failed after five minutes of mock time.
    public func chat(
        streaming: Bool = true, sharesStore: Bool = false,
        _ change: @Sendable (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> MockChat {
        try await catchUp()
        var isStreaming = streaming
        let client = try client(store: sharesStore ? nil : MemorySessionStore()) { configuration in
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
        let limit = plan.movement == .step ? Interval.zero : Limits.chatTime
        let isThere = try await play(within: limit) {
            await session.catchUp()
            return await session.hasArrived
        }
        guard isThere || plan.movement == .step else {
            throw MockError("the chat has not connected within \(limit) of mock time")
        }
        try await afterAct()
        await session.catchUp()
        return chat
    }

    /// Lets time pass while `call` is under way.
    func during(_ call: @escaping @Sendable () async throws -> Void) async throws {
        let outcome = Locked<Result<Void, any Error>?>(nil)
        let task = Task {
            do {
                try await call()
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        // The call has to be on its way before time may pass.
        await Self.letOthersGoOn()
        let isOver = try await play(within: Limits.chatTime) {
            await Self.letOthersGoOn()
            return outcome.withLock { $0 != nil }
        }
        guard isOver else {
            task.cancel()
            throw MockError(
                "a call of the SDK has not ended within \(Limits.chatTime) of mock time")
        }
        try outcome.withLock { $0 }?.get()
    }

    /// Gives every task that can go on its turn, on the main actor as well: what a call of the SDK waits for may be
    /// there while the call itself still stands in a queue.
    private static func letOthersGoOn() async {
        for _ in 0..<Limits.yields {
            await Task.yield()
            await MainActor.run {}
        }
    }
}
