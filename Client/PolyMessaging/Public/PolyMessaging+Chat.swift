import Clocks

extension PolyMessaging {
    private static let injectedLogger = Locked<(any PolyLogger)?>(nil)

    /// Dependencies for the clients of one task. Tests set them, to run without network and disk.
    @TaskLocal package static var taskDependencies: Dependencies?

    private static func dependencies() -> Dependencies {
        taskDependencies ?? .standard(logger: injectedLogger.withLock { $0 })
    }

    // MARK: Clients

    /// Creates a client. The configuration given to ``initialize(_:)`` stays unchanged.
    ///
    /// ```swift
    /// let client = try PolyMessaging.configure(Configuration(apiKey: "your connector token"))
    /// for await event in client.events { print(event.debugSummary) }
    /// ```
    ///
    /// - Parameter config: The configuration of the client.
    /// - Returns: A client that has started.
    /// - Throws: `PolyError.invalidConfiguration` if the token is empty, or the name of the cluster is invalid.
    @discardableResult
    public static func configure(_ config: Configuration) throws -> PolyMessagingClient {
        if let problem = config.problem { throw problem }
        return PolyMessagingClient(config, dependencies())
    }

    /// Creates a client that logs to `logger` instead of standard error. Throws the same errors as ``configure(_:)``.
    @discardableResult
    public static func configure(
        _ config: Configuration, logger: any PolyLogger
    ) throws -> PolyMessagingClient {
        if let problem = config.problem { throw problem }
        var dependencies = dependencies()
        dependencies.logger = logger
        return PolyMessagingClient(config, dependencies)
    }

    /// Sets the configuration for calls without a configuration. Clients created later log to `logger` instead of
    /// standard error.
    public static func initialize(_ config: Configuration, logger: any PolyLogger) {
        initialize(config)
        injectedLogger.withLock { $0 = logger }
    }

    // MARK: Chats

    /// Starts a chat. It resumes the stored session if possible, and otherwise begins a new one. Call
    /// ``initialize(_:)`` first.
    @MainActor public static func chat() -> ChatSession {
        chat(requireInitialized(for: "chat()"))
    }

    /// Starts a chat like ``chat()``. If `progressiveStreaming` is true, streamed replies are shown while they grow.
    @MainActor public static func chat(progressiveStreaming: Bool) -> ChatSession {
        chat(
            requireInitialized(for: "chat(progressiveStreaming:)"), progressiveStreaming: progressiveStreaming
        )
    }

    /// Starts a chat like ``chat()``, but with the configuration `config`.
    @MainActor public static func chat(_ config: Configuration) -> ChatSession {
        makeChat(config, isProgressive: config.rendersProgressively)
    }

    /// Starts a chat like ``chat(_:)``. If `progressiveStreaming` is true, streamed replies are shown while they grow.
    @MainActor public static func chat(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        makeChat(config, isProgressive: progressiveStreaming)
    }

    /// Starts a chat like ``chat()``. `streamingEnabled` decides whether replies are streamed. Nil uses the value of
    /// the configuration.
    @MainActor public static func chat(streamingEnabled: Bool?) -> ChatSession {
        chat(requireInitialized(for: "chat(streamingEnabled:)"), streamingEnabled: streamingEnabled)
    }

    /// Starts a chat like ``chat(_:)``. `streamingEnabled` decides whether replies are streamed. Nil uses the value of
    /// the configuration.
    @MainActor public static func chat(_ config: Configuration, streamingEnabled: Bool?) -> ChatSession {
        var config = config
        config.streamingEnabled = streamingEnabled ?? config.streamingEnabled
        return makeChat(config, isProgressive: config.streamingEnabled)
    }

    // MARK: New chats

    /// Deletes the stored session and starts a chat with a new session. Call ``initialize(_:)`` first.
    @MainActor public static func start() -> ChatSession {
        start(requireInitialized(for: "start()"))
    }

    /// Starts a chat like ``start()``. If `progressiveStreaming` is true, streamed replies are shown while they grow.
    @MainActor public static func start(progressiveStreaming: Bool) -> ChatSession {
        start(
            requireInitialized(for: "start(progressiveStreaming:)"),
            progressiveStreaming: progressiveStreaming)
    }

    /// Starts a chat like ``start()``, but with the configuration `config`.
    @MainActor public static func start(_ config: Configuration) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config)
    }

    /// Starts a chat like ``start(_:)``. If `progressiveStreaming` is true, streamed replies are shown while they grow.
    @MainActor public static func start(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config, progressiveStreaming: progressiveStreaming)
    }

    /// Starts a chat like ``start()``. `streamingEnabled` decides whether replies are streamed. Nil uses the value of
    /// the configuration.
    @MainActor public static func start(streamingEnabled: Bool?) -> ChatSession {
        start(requireInitialized(for: "start(streamingEnabled:)"), streamingEnabled: streamingEnabled)
    }

    /// Starts a chat like ``start(_:)``. `streamingEnabled` decides whether replies are streamed. Nil uses the value of
    /// the configuration.
    @MainActor public static func start(_ config: Configuration, streamingEnabled: Bool?) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config, streamingEnabled: streamingEnabled)
    }

    // MARK: Older names

    /// The older name of ``chat(_:)``.
    @available(*, deprecated, renamed: "chat(_:)")
    @MainActor public static func resume(_ config: Configuration) -> ChatSession {
        chat(config)
    }

    /// The older name of ``chat(_:progressiveStreaming:)``.
    @available(*, deprecated, renamed: "chat(_:progressiveStreaming:)")
    @MainActor public static func resume(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        chat(config, progressiveStreaming: progressiveStreaming)
    }

    /// The older name of ``chat(_:streamingEnabled:)``.
    @available(*, deprecated, renamed: "chat(_:streamingEnabled:)")
    @MainActor public static func resume(_ config: Configuration, streamingEnabled: Bool?) -> ChatSession {
        chat(config, streamingEnabled: streamingEnabled)
    }

    @MainActor private static func makeChat(_ config: Configuration, isProgressive: Bool) -> ChatSession {
        let client = PolyMessagingClient(config, dependencies())
        return ChatSession(client: client, progressiveStreaming: isProgressive)
    }
}
