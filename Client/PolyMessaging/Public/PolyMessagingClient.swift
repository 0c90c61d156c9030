import Clocks

/// Client of one chat. Reports events, which ``ChatSession`` turns into rows for a screen. Resumes the stored session
/// of its connector token, or creates one, and keeps it connected until ``shutdown()`` or release. Thread-safe.
///
/// ```swift
/// let client = try PolyMessaging.configure(Configuration(apiKey: "your connector token"))
/// let events = client.events           // before the first call: nothing is replayed
/// try await client.send("Hello")
/// for await case .agentMessage(_, let reply) in events { print(reply.text) }
/// ```
public final class PolyMessagingClient: Sendable {
    /// The configuration of the client.
    public let config: Configuration

    package let driver: ClientDriver

    /// Creates a client and starts it at once.
    package init(_ config: Configuration, _ dependencies: Dependencies) {
        self.config = config
        driver = ClientDriver(config, dependencies)
    }

    deinit {
        driver.submit(.shutdown)
    }

    // MARK: Following

    /// The events from now until ``shutdown()``. Earlier events are not repeated. Each access is a separate
    /// subscription.
    public var events: AsyncStream<MessagingEvent> { driver.streams.events.subscribe() }

    /// The connection status, now and after every change. Each access is a separate subscription.
    public var connectionStatus: AsyncStream<ConnectionStatus> { driver.streams.statuses.subscribe() }

    /// The session state, now and after every change. Each access is a separate subscription.
    public var sessionState: AsyncStream<SessionState> { driver.streams.sessionStates.subscribe() }

    /// Returns the current rows, connection status and session state, for late subscribers to ``events``.
    public func snapshot() -> ClientSnapshot {
        driver.streams.feed.snapshot(at: driver.clock.now)
    }

    /// Id of the session, or nil.
    package var sessionID: String? { driver.streams.feed.session.sessionId }

    // MARK: Sending

    /// Sends a message. White space around the text is removed; an empty text is not sent.
    ///
    /// Waits for a session, and returns when the text was sent or queued. ``events`` reports the delivery.
    ///
    /// - Parameter text: The text of the message.
    /// - Throws: `PolyError.session(.sessionEnded)` or `.sessionExpired` if the chat is over,
    ///   `.message(.payloadTooLarge)` if the frame exceeds the server's limit, `.message(.deliveryFailed)` if the
    ///   client has given up connecting, or if 100 messages are already waiting. If the client could not start, the
    ///   call throws the error of the start.
    public func send(_ text: String) async throws {
        try await send(text, metadata: [:])
    }

    /// Sends a message with metadata, as `metadata.custom`. The SDK replaces the value of the key `local_id`. Throws
    /// the errors of ``send(_:)``.
    public func send(_ text: String, metadata: [String: String]) async throws {
        try await driver.call { .send(text: text, metadata: metadata, $0) }
    }

    /// Sends the text of a failed draft again, as a new draft that replaces it. Throws the errors of ``send(_:)``, and
    /// `.message(.deliveryFailed)` if there is no failed draft with this id.
    public func retry(draftId: String) async throws {
        try await driver.call { .retry(draftID: draftId, $0) }
    }

    /// Reports that the user is typing. Call it for every keystroke: the client sends at most one event every 3 s, and
    /// the end of typing 5 s after the last call. Throws if the client could not start, or was shut down.
    public func sendTyping() async throws {
        try await driver.call { .typing($0) }
    }

    // MARK: Life

    /// Ends the conversation. Returns after the server's confirmation, at the latest after 1 s. Throws only if the
    /// configuration is invalid. With the reason `user_ended`, ``ChatSession`` shows no row for the end.
    public func end(reason: String? = "user_ended") async throws {
        try await driver.call { .end(reason: reason, $0) }
    }

    /// Reconnects at once with the same session, or repeats a failed attempt to create one. Returns when the connection
    /// is open. Throws the error of the attempt, or `.session(.sessionEnded)` or `.sessionExpired` if the chat is over.
    public func resume() async throws {
        try await driver.call { .resume($0) }
    }

    /// Ends the conversation, if there is one, and begins a new one. Throws an error if no session could be created.
    public func startNewSession() async throws {
        try await driver.call { .startNewSession($0) }
    }

    /// Stops the client and ends all streams. Later calls throw, except `end(reason:)`. A new client can resume the
    /// session.
    public func shutdown() async {
        driver.submit(.shutdown)
        await driver.settle()
    }

    /// Returns the connection of the chat, for events and frames that the SDK does not support.
    public func getConnection() -> any Connection {
        DriverConnection(driver: driver)
    }
}

/// State of a chat at one moment: its rows, connection and session.
public struct ClientSnapshot: Sendable, Equatable {
    /// The rows, oldest first.
    public let messages: [ChatMessage]
    /// The status of the connection.
    public let connection: ConnectionStatus
    /// The state of the session.
    public let session: SessionState
    /// True while the typing indicator should be shown.
    public let isAgentTyping: Bool

    /// Creates a snapshot with these properties.
    public init(
        messages: [ChatMessage], connection: ConnectionStatus, session: SessionState, isAgentTyping: Bool
    ) {
        self.messages = messages
        self.connection = connection
        self.session = session
        self.isAgentTyping = isAgentTyping
    }
}
