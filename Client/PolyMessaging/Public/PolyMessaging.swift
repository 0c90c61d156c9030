import Clocks

/// The way into the SDK.
///
/// Give a ``Configuration`` once, with ``initialize(_:)``, and ask for chats afterwards; or pass a configuration
/// with every call.
///
/// ```swift
/// let config = Configuration(connectorToken: "your connector token", environment: .production)
/// PolyMessaging.initialize(config)
/// if PolyMessaging.hasResumableSession() { print("Welcome back") }
/// let chat = PolyMessaging.chat()      // resumes the stored session, or begins one
/// try await chat.send("Hello")
/// ```
public enum PolyMessaging {
    /// The version of the SDK (SemVer 2.0); part of the `User-Agent`.
    public static let version = "0.1.0"

    private static let stored = Locked<Configuration?>(nil)

    /// Sets the configuration that calls without one use from now on; its token must not be empty. Touches
    /// neither network nor store.
    public static func initialize(_ config: Configuration) {
        precondition(
            !config.hasEmptyToken, "PolyMessaging.initialize needs the connector token: it was empty")
        stored.withLock { $0 = config }
    }

    /// Takes the place of ``initialize(_:)`` for one task, so that tests can run side by side.
    @TaskLocal package static var taskConfiguration: Configuration?

    /// The configuration of the last ``initialize(_:)``; nil before it.
    package static var initialized: Configuration? { taskConfiguration ?? stored.withLock { $0 } }

    /// The configuration of the last ``initialize(_:)``, for calls that cannot go on without one.
    package static func requireInitialized(for call: StaticString) -> Configuration {
        guard let config = initialized else {
            preconditionFailure("call PolyMessaging.initialize(_:) before \(call)")
        }
        return config
    }
}
