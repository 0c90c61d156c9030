import Clocks

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Combine)
    public import Combine
#endif

/// Observable model of a chat: its rows, and flags for the session's state. Properties are published on Apple
/// platforms. ``changes`` yields after each change on all platforms.
///
/// ```swift
/// let session = PolyMessaging.chat()
/// try await session.send("A table for two")
/// for await _ in session.changes {
///     print(session.messages.compactMap(\.text))
///     if session.hasEnded { break }
/// }
/// ```
@MainActor
public final class ChatSession: ObservableObject {
    /// The rows, oldest first. When a new session begins, only the rows of pending messages are kept.
    @Published public private(set) var messages: [ChatMessage] = []
    /// The status of the connection.
    @Published public private(set) var connection = ConnectionStatus.idle
    /// True while the typing indicator should be shown.
    @Published public private(set) var isAgentTyping = false
    /// The latest avatar of the agent or of a live agent; nil if the server has not sent one.
    @Published public private(set) var agentAvatarUrl: URL?
    /// True once the server has started the session.
    @Published public private(set) var hasStarted = false
    /// True once the conversation is over.
    @Published public private(set) var hasEnded = false
    /// True while the connection is open.
    @Published public private(set) var isReady = false
    /// The error that stopped the chat, such as a refused token. An opened connection or a new session resets it to
    /// nil.
    @Published public private(set) var failureReason: PolyError?

    /// The client of this chat, with its events and streams.
    public let client: PolyMessagingClient

    private var transcript: ChatTranscript
    package private(set) var publications = 0
    private var lastUpdate = 0
    private var marks: [Int: CheckedContinuation<Void, Never>] = [:]
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextListener = 0
    private var timer: (any EventTimer)?
    private var listening: MonitorSubscription?
    private let listener: EventSubscription

    /// Older form of ``init(client:typingTimeout:streamingEnabled:)``. `progressiveStreaming`: whether streamed replies
    /// are shown while they grow.
    public convenience init(
        client: PolyMessagingClient, typingTimeout: TimeInterval = 10, progressiveStreaming: Bool
    ) {
        self.init(client, typingTimeout, progressiveStreaming)
    }

    /// Creates a model for a client, for example from ``PolyMessaging/configure(_:)``:
    ///
    /// ```swift
    /// let session = ChatSession(client: try PolyMessaging.configure(config))   // rows grow unless config says no
    /// ```
    ///
    /// - Parameters:
    ///   - client: The client whose chat is shown. Rows from before this call are included.
    ///   - typingTimeout: Seconds without a new event after which the typing indicator hides.
    ///   - streamingEnabled: Whether replies are shown while they grow. Nil: ``Configuration/streamingEnabled``.
    public convenience init(
        client: PolyMessagingClient, typingTimeout: TimeInterval = 10, streamingEnabled: Bool? = nil
    ) {
        self.init(client, typingTimeout, streamingEnabled ?? client.config.streamingEnabled)
    }

    private init(_ client: PolyMessagingClient, _ typingTimeout: TimeInterval, _ isProgressive: Bool) {
        self.client = client
        let feed = client.driver.streams.feed
        let (news, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (transcript, number, listener) = feed.subscribe(progressively: isProgressive) { wake.yield() }
        self.listener = listener
        self.transcript = transcript
        lastUpdate = number
        // Limited to between 0 s and 10⁹ s (32 years). NaN becomes 0 s.
        let seconds = typingTimeout > 0 ? min(typingTimeout, 1_000_000_000) : 0
        self.transcript.typingTimeout = Interval(nanoseconds: Int64(seconds * 1_000_000_000))
        timer = client.driver.clock.makeTimer { feed.tick() }
        publish()
        let task = Task { [weak self] in
            for await _ in news {
                guard let self else { return }
                if self.receiveUpdates() { return self.finish() }
            }
        }
        listening = MonitorSubscription {
            task.cancel()
            listener.leave()
        }
    }

    // MARK: Sending

    /// Sends a message. When the call returns, ``messages`` has its row. Throws the errors of
    /// ``PolyMessagingClient/send(_:)``.
    public func send(_ text: String) async throws {
        try await run { try await $0.send(text) }
    }

    /// Sends a message with metadata. Throws the errors of ``PolyMessagingClient/send(_:metadata:)``.
    public func send(_ text: String, metadata: [String: String]) async throws {
        try await run { try await $0.send(text, metadata: metadata) }
    }

    /// Sends the text of a failed row again. A new row at the end replaces the failed one. Throws the errors of
    /// ``PolyMessagingClient/retry(draftId:)``.
    public func retry(draftId: String) async throws {
        try await run { try await $0.retry(draftId: draftId) }
        transcript.removeMessage(draftID: draftId)
        publish()
    }

    /// Reports that the user is typing. Call with every keystroke. Errors are ignored.
    public func sendTyping() async {
        try? await client.sendTyping()
    }

    /// Ends the conversation without a system row. Throws the errors of ``PolyMessagingClient/end(reason:)``.
    public func end() async throws {
        try await run { try await $0.end() }
    }

    // MARK: Rows

    /// Removes a row of the user. A message that the server has not confirmed is not sent any more.
    public func removeMessage(draftId: String) {
        client.driver.submit(.removeDraft(draftId))
        transcript.removeMessage(draftID: draftId)
        publish()
    }

    /// Removes the suggestions of a row. `messageId` is the row's id, not the message id of the protocol.
    public func clearSuggestions(for messageId: UUID) {
        transcript.clearSuggestions(of: messageId)
        publish()
    }

    /// Removes all rows. Also resets ``hasStarted``, ``hasEnded``, ``failureReason`` and the avatar. The session
    /// continues.
    public func clearChat() {
        transcript.clearChat()
        publish()
    }

    /// The rows of the user.
    public var userMessages: [UserMessage] {
        messages.compactMap { if case .user(let message) = $0 { message } else { nil } }
    }

    /// The rows of agents.
    public var agentMessages: [AgentMessage] {
        messages.compactMap { if case .agent(let message) = $0 { message } else { nil } }
    }

    /// The system rows.
    public var systemMessages: [SystemMessage] {
        messages.compactMap { if case .system(let message) = $0 { message } else { nil } }
    }

    /// The latest row of an agent; nil if there is none.
    public var lastAgentMessage: AgentMessage? { agentMessages.last }

    // MARK: Following

    /// Yields at once and after changes, until the client is shut down. Several changes may be merged into one element.
    /// Each access is a separate subscription.
    public var changes: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = nextListener
        nextListener += 1
        guard listening != nil else {
            continuation.finish()
            return stream
        }
        listeners[id] = continuation
        continuation.yield()
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.listeners[id] = nil }
        }
        return stream
    }

    /// Returns when the properties show all updates from before the call.
    package func catchUp() async {
        let feed = client.driver.streams.feed
        await client.driver.settle()
        await withCheckedContinuation { continuation in
            let isSeen = listening != nil && feed.mark { marks[$0] = continuation }
            if !isSeen { continuation.resume() }
        }
    }

    func run(_ call: (PolyMessagingClient) async throws -> Void) async throws {
        do {
            try await call(client)
        } catch {
            await catchUp()
            throw error
        }
        await catchUp()
    }

    /// Applies all new updates. Publishes after each update that is not an event, so that views see each state, and at
    /// the end.
    ///
    /// - Returns: True if no more updates will come.
    private func receiveUpdates() -> Bool {
        let (items, isLast) = listener.takeAll()
        var seen: [Int] = []
        for item in items {
            switch item {
            case .update(let update, let now, let number):
                guard number > lastUpdate else { continue }
                lastUpdate = number
                transcript.advance(to: now)
                transcript.apply(update, at: now)
                if case .event = update { continue }
                publish()
            case .tick: transcript.advance(to: client.driver.clock.now)
            case .mark(let number): seen.append(number)
            }
        }
        publish()
        for number in seen { marks.removeValue(forKey: number)?.resume() }
        return isLast
    }

    private func finish() {
        listening = nil
        timer?.disarm()
        for continuation in marks.values { continuation.resume() }
        marks = [:]
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    /// Publishes the transcript. Assigns only changed values, because an assignment notifies views.
    private func publish() {
        var isChanged = false
        func show<Value: Equatable>(_ value: Value, _ property: ReferenceWritableKeyPath<ChatSession, Value>)
        {
            guard self[keyPath: property] != value else { return }
            self[keyPath: property] = value
            isChanged = true
        }
        transcript.render()
        publications += 1
        show(transcript.messages, \.messages)
        show(transcript.connection, \.connection)
        show(transcript.isAgentTyping, \.isAgentTyping)
        show(transcript.agentAvatarUrl, \.agentAvatarUrl)
        show(transcript.hasStarted, \.hasStarted)
        show(transcript.hasEnded, \.hasEnded)
        show(transcript.isReady, \.isReady)
        show(transcript.failureReason, \.failureReason)
        if let deadline = transcript.nextDeadline { timer?.arm(at: deadline) } else { timer?.disarm() }
        guard isChanged else { return }
        for listener in listeners.values { listener.yield() }
    }
}
