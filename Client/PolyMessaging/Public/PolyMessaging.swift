import Clocks

/// Entry point of the SDK. Set a ``Configuration`` once with ``initialize(_:)``, or pass one to every call.
///
/// ```swift
/// let config = Configuration(connectorToken: "your connector token", environment: .production)
/// PolyMessaging.initialize(config)
/// if PolyMessaging.hasResumableSession() { print("Welcome back") }
/// let chat = PolyMessaging.chat()      // resumes the stored session, or begins one
/// try await chat.send("Hello")
/// ```
public enum PolyMessaging {
    /// The version of the SDK (SemVer 2.0), part of the `User-Agent`.
    public static let version = "0.1.0"

    private static let stored = Locked<Configuration?>(nil)

    /// Sets the configuration for later calls without one. Traps on an empty token. Uses neither network nor store.
    public static func initialize(_ config: Configuration) {
        precondition(
            !config.hasEmptyToken, "PolyMessaging.initialize needs the connector token: it was empty")
        stored.withLock { $0 = config }
    }

    /// Configuration for one task, instead of that of ``initialize(_:)``, so that tests can run in parallel.
    @TaskLocal package static var taskConfiguration: Configuration?

    package static var initialized: Configuration? { taskConfiguration ?? stored.withLock { $0 } }

    /// Returns the configuration of ``initialize(_:)``. Traps if there is none.
    package static func requireInitialized(for call: StaticString) -> Configuration {
        guard let config = initialized else {
            preconditionFailure("call PolyMessaging.initialize(_:) before \(call)")
        }
        return config
    }
}
