import Clocks

extension PolyMessaging {
    private static let injectedLogger = Locked<(any PolyLogger)?>(nil)

    /// Dependencies of one task's clients. Tests set them, to run without network and disk.
    @TaskLocal package static var taskDependencies: Dependencies?

    private static func dependencies() -> Dependencies {
        taskDependencies ?? .standard(logger: injectedLogger.withLock { $0 })
    }

    // MARK: Clients

    /// Creates a client. Does not change the configuration of ``initialize(_:)``.
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

    /// Creates a client that logs to `logger`, not to standard error. Throws the errors of ``configure(_:)``.
    @discardableResult
    public static func configure(
        _ config: Configuration, logger: any PolyLogger
    ) throws -> PolyMessagingClient {
        if let problem = config.problem { throw problem }
        var dependencies = dependencies()
        dependencies.logger = logger
        return PolyMessagingClient(config, dependencies)
    }

    /// Sets the configuration for calls without one. Clients created later log to `logger`, not to standard error.
    public static func initialize(_ config: Configuration, logger: any PolyLogger) {
        initialize(config)
        injectedLogger.withLock { $0 = logger }
    }

    // MARK: Chats

    /// Resumes the stored session if possible, and otherwise begins a new one. Call ``initialize(_:)`` first.
    @MainActor public static func chat() -> ChatSession {
        chat(requireInitialized(for: "chat()"))
    }

    /// Like ``chat()``. `progressiveStreaming`: whether streamed replies are shown while they grow.
    @MainActor public static func chat(progressiveStreaming: Bool) -> ChatSession {
        chat(
            requireInitialized(for: "chat(progressiveStreaming:)"), progressiveStreaming: progressiveStreaming
        )
    }

    /// Like ``chat()``, with the configuration `config`.
    @MainActor public static func chat(_ config: Configuration) -> ChatSession {
        makeChat(config, isProgressive: config.rendersProgressively)
    }

    /// Like ``chat(_:)``. `progressiveStreaming`: whether streamed replies are shown while they grow.
    @MainActor public static func chat(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        makeChat(config, isProgressive: progressiveStreaming)
    }

    /// Like ``chat()``. `streamingEnabled`: whether replies are streamed and shown while they grow. Nil uses the
    /// configuration.
    @MainActor public static func chat(streamingEnabled: Bool?) -> ChatSession {
        chat(requireInitialized(for: "chat(streamingEnabled:)"), streamingEnabled: streamingEnabled)
    }

    /// Like ``chat(_:)``. `streamingEnabled`: whether replies are streamed and shown while they grow. Nil uses
    /// `config`.
    @MainActor public static func chat(_ config: Configuration, streamingEnabled: Bool?) -> ChatSession {
        var config = config
        config.streamingEnabled = streamingEnabled ?? config.streamingEnabled
        return makeChat(config, isProgressive: config.streamingEnabled)
    }

    // MARK: New chats

    /// Deletes the stored session and begins a new one. Call ``initialize(_:)`` first.
    @MainActor public static func start() -> ChatSession {
        start(requireInitialized(for: "start()"))
    }

    /// Like ``start()``. `progressiveStreaming`: whether streamed replies are shown while they grow.
    @MainActor public static func start(progressiveStreaming: Bool) -> ChatSession {
        start(
            requireInitialized(for: "start(progressiveStreaming:)"),
            progressiveStreaming: progressiveStreaming)
    }

    /// Like ``start()``, with the configuration `config`.
    @MainActor public static func start(_ config: Configuration) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config)
    }

    /// Like ``start(_:)``. `progressiveStreaming`: whether streamed replies are shown while they grow.
    @MainActor public static func start(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config, progressiveStreaming: progressiveStreaming)
    }

    /// Like ``start()``. `streamingEnabled`: whether replies are streamed and shown while they grow. Nil uses the
    /// configuration.
    @MainActor public static func start(streamingEnabled: Bool?) -> ChatSession {
        start(requireInitialized(for: "start(streamingEnabled:)"), streamingEnabled: streamingEnabled)
    }

    /// Like ``start(_:)``. `streamingEnabled`: whether replies are streamed and shown while they grow. Nil uses
    /// `config`.
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
