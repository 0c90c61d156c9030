import Clocks

/// Client of one chat, without rows. A new client resumes the stored session of its connector token, or creates one,
/// and connects. It reconnects automatically, and stops with ``shutdown()`` or when it is released. All members may be
/// used from any thread.
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

    /// Starts at once. An invalid configuration fails the client and does not trap.
    package init(_ config: Configuration, _ dependencies: Dependencies) {
        self.config = config
        driver = ClientDriver(config, dependencies)
    }

    deinit {
        driver.submit(.shutdown)
    }

    // MARK: Following

    /// All later events, without replay, until ``shutdown()``. Each access is a separate subscription.
    public var events: AsyncStream<MessagingEvent> { driver.streams.events.subscribe() }

    /// The current connection status, then every change. Each access is a separate subscription.
    public var connectionStatus: AsyncStream<ConnectionStatus> { driver.streams.statuses.subscribe() }

    /// The current session state, then every change. Each access is a separate subscription.
    public var sessionState: AsyncStream<SessionState> { driver.streams.sessionStates.subscribe() }

    /// Returns the current rows, connection and session, for late subscribers to ``events``.
    public func snapshot() -> ClientSnapshot {
        driver.streams.feed.snapshot(at: driver.clock.now)
    }

    /// The id of the session; nil before there is one. Unlike ``snapshot()``, this access renders no rows.
    package var sessionID: String? { driver.streams.feed.session.sessionId }

    // MARK: Sending

    /// Sends a message. White space around the text is removed; an empty text is not sent.
    ///
    /// Returns once the text is sent, or kept for the next connection; ``events`` report the delivery. Before there is
    /// a session, the call waits for the session.
    ///
    /// - Parameter text: The text of the message.
    /// - Throws: `PolyError.session(.sessionEnded)` or `.sessionExpired` if the chat is over,
    ///   `.message(.payloadTooLarge)` if the frame exceeds the server's limit, `.message(.deliveryFailed)` if the
    ///   client has given up connecting, and the error of a failed start.
    public func send(_ text: String) async throws {
        try await send(text, metadata: [:])
    }

    /// Sends a message with metadata, which is sent as `metadata.custom` and returned with the echo. The key `local_id`
    /// is reserved for the SDK. Throws as ``send(_:)``.
    public func send(_ text: String, metadata: [String: String]) async throws {
        try await driver.call { .send(text: text, metadata: metadata, $0) }
    }

    /// Sends the text of a failed draft again, as a new draft that replaces the old one. Throws as ``send(_:)``, and
    /// `.message(.deliveryFailed)` for a draft that has not failed.
    public func retry(draftId: String) async throws {
        try await driver.call { .retry(draftID: draftId, $0) }
    }

    /// Reports that the user is typing. Call it with every keystroke: at most one event is sent in 3 seconds, and the
    /// end of typing follows after 5 seconds. Throws the error of a failed start, or of a client that was shut down.
    public func sendTyping() async throws {
        try await driver.call { .typing($0) }
    }

    // MARK: Life

    /// Ends the conversation. Returns once the server has confirmed it, or after a second. At present it does not
    /// throw. With the reason `user_ended` a chat shows no row.
    public func end(reason: String? = "user_ended") async throws {
        try await driver.call { .end(reason: reason, $0) }
    }

    /// Reconnects at once, or repeats a failed start; session and rows stay. Does nothing while connected. Throws the
    /// connection error; `.session(.sessionEnded)` or `.sessionExpired` if the chat is over.
    public func resume() async throws {
        try await driver.call { .resume($0) }
    }

    /// Ends the conversation, if there is one, and begins another. Throws the error if no session could be created.
    public func startNewSession() async throws {
        try await driver.call { .startNewSession($0) }
    }

    /// Stops the client and ends all streams. Later calls throw, except `end(reason:)`. The session stays resumable.
    public func shutdown() async {
        driver.submit(.shutdown)
        await driver.settle()
    }

    /// Returns the connection of the chat, for events and frames that the SDK does not support.
    public func getConnection() -> any Connection {
        DriverConnection(driver: driver)
    }
}

/// A chat at one moment: rows and states.
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
