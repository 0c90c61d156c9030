import Clocks

extension PolyMessaging {
    private static let injectedLogger = Locked<(any PolyLogger)?>(nil)

    /// Takes the place of the standard dependencies for one task, so that tests need neither network nor disk.
    @TaskLocal package static var taskDependencies: Dependencies?

    private static func dependencies() -> Dependencies {
        taskDependencies ?? .standard(logger: injectedLogger.withLock { $0 })
    }

    // MARK: Clients

    /// Makes a client, and nothing else: what ``initialize(_:)`` was given stays.
    ///
    /// ```swift
    /// let client = try PolyMessaging.configure(Configuration(apiKey: "your connector token"))
    /// for await event in client.events { print(event.debugSummary) }
    /// ```
    ///
    /// - Parameter config: What the client uses.
    /// - Returns: A client that has started.
    /// - Throws: `PolyError.invalidConfiguration` when the token is empty or the cluster's name is none.
    @discardableResult
    public static func configure(_ config: Configuration) throws -> PolyMessagingClient {
        if let problem = config.problem { throw problem }
        return PolyMessagingClient(config, dependencies())
    }

    /// Makes a client that logs to `logger` in place of standard error. Throws as ``configure(_:)``.
    @discardableResult
    public static func configure(
        _ config: Configuration, logger: any PolyLogger
    ) throws -> PolyMessagingClient {
        if let problem = config.problem { throw problem }
        var dependencies = dependencies()
        dependencies.logger = logger
        return PolyMessagingClient(config, dependencies)
    }

    /// Sets the configuration that calls without one use, and the logger in place of standard error for every
    /// client made from now on.
    public static func initialize(_ config: Configuration, logger: any PolyLogger) {
        initialize(config)
        injectedLogger.withLock { $0 = logger }
    }

    // MARK: Chats

    /// A started chat that resumes the stored session, or begins a new one. ``initialize(_:)`` must have been called.
    @MainActor public static func chat() -> ChatSession {
        chat(requireInitialized(for: "chat()"))
    }

    /// As ``chat()``; `progressiveStreaming` lets rows of streamed replies grow.
    @MainActor public static func chat(progressiveStreaming: Bool) -> ChatSession {
        chat(
            requireInitialized(for: "chat(progressiveStreaming:)"), progressiveStreaming: progressiveStreaming
        )
    }

    /// As ``chat()``, with this configuration.
    @MainActor public static func chat(_ config: Configuration) -> ChatSession {
        makeChat(config, isProgressive: config.rendersProgressively)
    }

    /// As ``chat(_:)``; `progressiveStreaming` lets rows of streamed replies grow.
    @MainActor public static func chat(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        makeChat(config, isProgressive: progressiveStreaming)
    }

    /// As ``chat()``; `streamingEnabled` asks the server for streamed replies and lets their rows grow, nil
    /// means what the configuration says.
    @MainActor public static func chat(streamingEnabled: Bool?) -> ChatSession {
        chat(requireInitialized(for: "chat(streamingEnabled:)"), streamingEnabled: streamingEnabled)
    }

    /// As ``chat(_:)``; `streamingEnabled` asks the server for streamed replies and lets their rows grow, nil
    /// means what the configuration says.
    @MainActor public static func chat(_ config: Configuration, streamingEnabled: Bool?) -> ChatSession {
        var config = config
        config.streamingEnabled = streamingEnabled ?? config.streamingEnabled
        return makeChat(config, isProgressive: config.streamingEnabled)
    }

    // MARK: New chats

    /// A started chat that begins a new session, whatever is stored. ``initialize(_:)`` must have been called.
    @MainActor public static func start() -> ChatSession {
        start(requireInitialized(for: "start()"))
    }

    /// As ``start()``; `progressiveStreaming` lets rows of streamed replies grow.
    @MainActor public static func start(progressiveStreaming: Bool) -> ChatSession {
        start(
            requireInitialized(for: "start(progressiveStreaming:)"),
            progressiveStreaming: progressiveStreaming)
    }

    /// As ``start()``, with this configuration.
    @MainActor public static func start(_ config: Configuration) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config)
    }

    /// As ``start(_:)``; `progressiveStreaming` lets rows of streamed replies grow.
    @MainActor public static func start(
        _ config: Configuration, progressiveStreaming: Bool
    ) -> ChatSession {
        clearResumableSession(connectorToken: config.connectorToken)
        return chat(config, progressiveStreaming: progressiveStreaming)
    }

    /// As ``start()``; `streamingEnabled` asks the server for streamed replies and lets their rows grow, nil
    /// means what the configuration says.
    @MainActor public static func start(streamingEnabled: Bool?) -> ChatSession {
        start(requireInitialized(for: "start(streamingEnabled:)"), streamingEnabled: streamingEnabled)
    }

    /// As ``start(_:)``; `streamingEnabled` asks the server for streamed replies and lets their rows grow,
    /// nil means what the configuration says.
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
