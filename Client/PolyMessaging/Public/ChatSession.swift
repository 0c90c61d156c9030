import Clocks

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Combine)
    public import Combine
#endif

/// A chat as a view shows it: rows and flags that follow the session.
///
/// On Apple platforms the properties are published and the object can be observed by SwiftUI; everywhere
/// ``changes`` yields when something changed.
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
    /// The rows, oldest first. Another session begins with no rows.
    @Published public private(set) var messages: [ChatMessage] = []
    /// The status of the connection.
    @Published public private(set) var connection = ConnectionStatus.idle
    /// True while typing dots should show.
    @Published public private(set) var isAgentTyping = false
    /// The picture of whoever speaks for the other side; nil while none was sent.
    @Published public private(set) var agentAvatarUrl: URL?
    /// True once the server has opened the session.
    @Published public private(set) var hasStarted = false
    /// True once the conversation is over, for whatever reason.
    @Published public private(set) var hasEnded = false
    /// True while the connection is open.
    @Published public private(set) var isReady = false
    /// The reason for which the chat does not work: a refused token, a connection that was given up, an idle session. Nil while it
    /// does, and while it repairs itself.
    @Published public private(set) var failureReason: PolyError?

    /// The client below, for events and streams.
    public let client: PolyMessagingClient

    private var transcript: ChatTranscript
    /// Number of times the transcript was published, for tests.
    package private(set) var publications = 0
    /// The number of the last update that is in the transcript.
    private var lastUpdate = 0
    private var marks: [Int: CheckedContinuation<Void, Never>] = [:]
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var nextListener = 0
    private var timer: (any EventTimer)?
    private var listening: Subscription?
    private let listener: EventSubscription

    /// Shows a client's chat; the older spelling. `progressiveStreaming` lets rows of streamed replies grow, else they are
    /// added when they are complete.
    public convenience init(
        client: PolyMessagingClient, typingTimeout: TimeInterval = 10, progressiveStreaming: Bool
    ) {
        self.init(client, typingTimeout, progressiveStreaming)
    }

    /// Shows a client's chat, say of a client from ``PolyMessaging/configure(_:)``:
    ///
    /// ```swift
    /// let session = ChatSession(client: try PolyMessaging.configure(config))   // rows grow unless config says no
    /// ```
    ///
    /// - Parameters:
    ///   - client: Whose chat to show, from its beginning.
    ///   - typingTimeout: Seconds after which typing dots vanish when nothing renews them.
    ///   - streamingEnabled: True lets rows of streamed replies grow; nil means what
    ///     ``Configuration/streamingEnabled`` says.
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
        // Also for what is no length of time: nothing and NaN mean none, endless means years.
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
        listening = Subscription {
            task.cancel()
            listener.leave()
        }
    }

    // MARK: Sending

    /// Sends a message; its row is there, pending, when the call returns. Throws as ``PolyMessagingClient/send(_:)``.
    public func send(_ text: String) async throws {
        try await run { try await $0.send(text) }
    }

    /// Sends a message with metadata. Throws as ``PolyMessagingClient/send(_:metadata:)``.
    public func send(_ text: String, metadata: [String: String]) async throws {
        try await run { try await $0.send(text, metadata: metadata) }
    }

    /// Sends the text of a failed row again; a new row takes its place at the end. Throws as
    /// ``PolyMessagingClient/retry(draftId:)``; the failed row stays in that case.
    public func retry(draftId: String) async throws {
        try await run { try await $0.retry(draftId: draftId) }
        transcript.removeMessage(draftID: draftId)
        publish()
    }

    /// Sends that the user types; call it with every keystroke. Errors have no consequence.
    public func sendTyping() async {
        try? await client.sendTyping()
    }

    /// Ends the conversation, without a row about it: the user knows. Throws as ``PolyMessagingClient/end()``.
    public func end() async throws {
        try await run { try await $0.end() }
    }

    // MARK: Rows

    /// Removes a row of the user. A draft that has not arrived is sent no more.
    public func removeMessage(draftId: String) {
        client.driver.submit(.removeDraft(draftId))
        transcript.removeMessage(draftID: draftId)
        publish()
    }

    /// Removes the suggestions of a row, once one of them was chosen; `messageId` is the id of the row, not the wire's.
    public func clearSuggestions(for messageId: UUID) {
        transcript.clearSuggestions(of: messageId)
        publish()
    }

    /// Empties the screen. The session goes on.
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

    /// The rows about the conversation itself.
    public var systemMessages: [SystemMessage] {
        messages.compactMap { if case .system(let message) = $0 { message } else { nil } }
    }

    /// The latest row of an agent.
    public var lastAgentMessage: AgentMessage? { agentMessages.last }

    // MARK: Following

    /// An element at once, so that nothing that came before is missed, then one after each change of any property;
    /// several changes may share one. Each access is a separate subscription. Ends with the client.
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

    /// Returns when the properties show every update posted so far.
    package func catchUp() async {
        let feed = client.driver.streams.feed
        await client.driver.settle()
        await withCheckedContinuation { continuation in
            let isSeen = listening != nil && feed.mark { marks[$0] = continuation }
            if !isSeen { continuation.resume() }
        }
    }

    /// Makes a call and shows what came of it before the caller goes on.
    private func run(_ call: (PolyMessagingClient) async throws -> Void) async throws {
        do {
            try await call(client)
        } catch {
            await catchUp()
            throw error
        }
        await catchUp()
    }

    /// Takes everything that came and shows it at once: updates that come while the main actor is busy cost one
    /// publication. Publishes each change of the connection or session separately, so that no state is skipped.
    ///
    /// - Returns: true when nothing more will come.
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

    /// Shows the transcript: assigns only changed values, so that views are not notified needlessly.
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
