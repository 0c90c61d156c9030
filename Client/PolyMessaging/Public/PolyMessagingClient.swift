import Clocks

/// One chat below the level of rows: events, status and session state as streams, and the calls of a chat.
///
/// A client starts when it is made: it resumes the stored session of its connector token or makes a new one, and
/// connects. It repairs the connection automatically and stops when ``shutdown()`` is called or nobody refers to it.
/// All members may be used from any thread.
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

    /// Starts at once. A configuration that makes no sense fails the client, it does not trap.
    package init(_ config: Configuration, _ dependencies: Dependencies) {
        self.config = config
        driver = ClientDriver(config, dependencies)
    }

    deinit {
        driver.submit(.shutdown)
    }

    // MARK: Following

    /// All later events. Each access is a separate subscription; nothing is replayed, see ``snapshot()``.
    /// Ends with ``shutdown()``.
    public var events: AsyncStream<MessagingEvent> { driver.streams.events.subscribe() }

    /// The connection status: the present one, then every change. Each access is a separate subscription.
    public var connectionStatus: AsyncStream<ConnectionStatus> { driver.streams.statuses.subscribe() }

    /// The session state: the present one, then every change. Each access is a separate subscription.
    public var sessionState: AsyncStream<SessionState> { driver.streams.sessionStates.subscribe() }

    /// Rows, connection and session as they stand, for those who begin to follow ``events`` late.
    public func snapshot() -> ClientSnapshot {
        driver.streams.feed.snapshot(at: driver.clock.now)
    }

    /// The id of the session; nil before there is one. Cheaper than ``snapshot()``, whose rows it does not need.
    package var sessionID: String? { driver.streams.feed.session.sessionId }

    // MARK: Sending

    /// Sends a message. White space around the text is removed; nothing is sent if nothing remains.
    ///
    /// Returns when the text is on its way or kept for the next connection; ``events`` report the delivery.
    /// Before there is a session, the call waits for it.
    ///
    /// - Parameter text: The text of the message.
    /// - Throws: `PolyError.session(.sessionEnded)` or `.sessionExpired` when the chat is over,
    ///   `.message(.payloadTooLarge)` when the server would not take the frame, `.message(.deliveryFailed)` when
    ///   the client has given up connecting, and the error of a start that failed.
    public func send(_ text: String) async throws {
        try await send(text, metadata: [:])
    }

    /// Sends a message, with metadata that becomes `metadata.custom` and returns with the echo; the key
    /// `local_id` belongs to the SDK. Throws as ``send(_:)``.
    public func send(_ text: String, metadata: [String: String]) async throws {
        try await driver.call { .send(text: text, metadata: metadata, $0) }
    }

    /// Sends the text of a failed draft again, as a new draft; the old one is forgotten. Throws as
    /// ``send(_:)``, and `.message(.deliveryFailed)` for a draft that did not fail.
    public func retry(draftId: String) async throws {
        try await driver.call { .retry(draftID: draftId, $0) }
    }

    /// Sends that the user types. Call it with every keystroke: at most one event leaves in 3 seconds, and
    /// the end of typing is sent automatically after 5 seconds. Throws the error of a start that failed, or
    /// of a client that was shut down.
    public func sendTyping() async throws {
        try await driver.call { .typing($0) }
    }

    // MARK: Life

    /// Ends the conversation, and returns when the server knows, or after a second. The reason comes back with
    /// ``MessagingEvent/sessionEnd(_:_:)``; with `user_ended` a chat shows no row about it. Throws nothing at present.
    public func end(reason: String? = "user_ended") async throws {
        try await driver.call { .end(reason: reason, $0) }
    }

    /// Connects again, now, after the client gave up or while it waits for its next try; a start that failed
    /// is tried again. The session and its rows stay. Does nothing when all is well. Throws why there is no
    /// connection; `.session(.sessionEnded)` or `.sessionExpired` when the chat is over.
    public func resume() async throws {
        try await driver.call { .resume($0) }
    }

    /// Ends the conversation, if there is one, and begins another. Throws why there is no new session.
    public func startNewSession() async throws {
        try await driver.call { .startNewSession($0) }
    }

    /// Closes the connection, stops all work and ends all streams. The session can be resumed later. A second
    /// call does nothing; other calls throw afterwards.
    public func shutdown() async {
        driver.submit(.shutdown)
        await driver.settle()
    }

    /// The connection below the chat, for events and frames the SDK does not know.
    public func getConnection() -> any Connection {
        DriverConnection(driver: driver)
    }
}

/// A chat at one moment.
public struct ClientSnapshot: Sendable, Equatable {
    /// The rows, oldest first.
    public let messages: [ChatMessage]
    /// The status of the connection.
    public let connection: ConnectionStatus
    /// The state of the session.
    public let session: SessionState
    /// True while typing dots should show.
    public let isAgentTyping: Bool

    /// Makes a snapshot; each argument sets the property of its name.
    public init(
        messages: [ChatMessage], connection: ConnectionStatus, session: SessionState, isAgentTyping: Bool
    ) {
        self.messages = messages
        self.connection = connection
        self.session = session
        self.isAgentTyping = isAgentTyping
    }
}
