import Clocks

/// Entry point of the SDK. Either set a ``Configuration`` once with ``initialize(_:)`` and then start chats, or pass a
/// configuration to every call.
///
/// ```swift
/// let config = Configuration(connectorToken: "your connector token", environment: .production)
/// PolyMessaging.initialize(config)
/// if PolyMessaging.hasResumableSession() { print("Welcome back") }
/// let chat = PolyMessaging.chat()      // resumes the stored session, or begins one
/// try await chat.send("Hello")
/// ```
public enum PolyMessaging {
    /// The version of the SDK (SemVer 2.0). It is part of the `User-Agent`.
    public static let version = "0.1.0"

    private static let stored = Locked<Configuration?>(nil)

    /// Sets the configuration for later calls without a configuration. The token must not be empty. Accesses neither
    /// the network nor the store.
    public static func initialize(_ config: Configuration) {
        precondition(
            !config.hasEmptyToken, "PolyMessaging.initialize needs the connector token: it was empty")
        stored.withLock { $0 = config }
    }

    /// Configuration for one task, used instead of the configuration of ``initialize(_:)``. It allows tests to run in
    /// parallel.
    @TaskLocal package static var taskConfiguration: Configuration?

    /// The configuration of the last ``initialize(_:)``; nil if it was never called.
    package static var initialized: Configuration? { taskConfiguration ?? stored.withLock { $0 } }

    /// Returns the configuration of the last ``initialize(_:)``. Traps if there is none.
    package static func requireInitialized(for call: StaticString) -> Configuration {
        guard let config = initialized else {
            preconditionFailure("call PolyMessaging.initialize(_:) before \(call)")
        }
        return config
    }
}
