package import Clocks

extension PolyMessaging {
    /// Whether the next ``chat()`` would resume a session. False before ``initialize(_:)``.
    public static func hasResumableSession() -> Bool {
        guard let config = initialized else { return false }
        return hasResumableSession(config, in: store, at: now)
    }

    /// Whether the next chat with this connector token would resume its stored session.
    public static func hasResumableSession(connectorToken: String) -> Bool {
        hasResumableSession(config(of: connectorToken), in: store, at: now)
    }

    /// The newer name of ``hasResumableSession(connectorToken:)``.
    public static func hasResumableSession(apiKey: String) -> Bool {
        hasResumableSession(connectorToken: apiKey)
    }

    /// Deletes the stored session, if any, for the configuration of ``initialize(_:)``.
    public static func clearResumableSession() {
        if let config = initialized { clearResumableSession(connectorToken: config.connectorToken) }
    }

    /// Deletes the stored session of a connector token.
    public static func clearResumableSession(connectorToken: String) {
        _ = store.save(nil, StoreNamespace.name(for: connectorToken))
    }

    /// The newer name of ``clearResumableSession(connectorToken:)``.
    public static func clearResumableSession(apiKey: String) {
        clearResumableSession(connectorToken: apiKey)
    }

    package static func hasResumableSession(
        _ config: Configuration, in store: any SessionStore, at now: Instant
    ) -> Bool {
        let record = store.load(StoreNamespace.name(for: config.connectorToken)).record
        return record?.isResumable(window: ClientSettings.timeout(config), at: now) ?? false
    }

    private static var store: any SessionStore { taskDependencies?.store ?? Dependencies.standardStore }

    private static var now: Instant { taskDependencies?.clock.now ?? SystemTime.clock.now }

    /// Returns the configuration of ``initialize(_:)`` if it has this token, and otherwise a default one.
    private static func config(of token: String) -> Configuration {
        if let config = initialized, config.connectorToken == token { return config }
        return Configuration(connectorToken: token, environment: .production)
    }
}
