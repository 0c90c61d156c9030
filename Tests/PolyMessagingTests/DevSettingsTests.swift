import Expectations
import Foundation
import PolyMessaging
import Testing

@MainActor
@Suite("Developer settings")
struct DevSettingsTests {
    private static let prefix = "ai.poly.messaging.devsettings."

    /// Defaults of its own for every test, removed at its end.
    private func withDefaults(_ body: (SettingsDefaults) throws -> Void) throws {
        #if canImport(Darwin)
            let name = "polymock.tests.\(UUID().uuidString)"
            let defaults = try #require(UserDefaults(suiteName: name))
            defer { defaults.removePersistentDomain(forName: name) }
            try body(defaults)
        #else
            try body(MemorySettings())
        #endif
    }

    private func settings(
        _ defaults: SettingsDefaults, _ config: Configuration = Configuration(apiKey: "T"),
        host: String? = nil, kind: DevSettings.EnvironmentKind? = nil
    ) -> DevSettings {
        PolyMessaging.$taskConfiguration.withValue(config) {
            DevSettings(hostIdentifier: host, defaultEnvironment: kind, defaults: defaults)
        }
    }

    @Test("Without stored values every setting has its documented first value")
    func firstValues() throws {
        try withDefaults { defaults in
            let settings = settings(defaults)
            expectEqual(settings.environmentKind, .us)
            expectEqual(settings.clusterName, "us-1")
            #expect(settings.streamingEnabled && settings.lastAppliedStreamingEnabled)
            expectEqual(settings.logLevel, .debug)
            expectEqual(settings.sessionTimeoutSeconds, 0)
            expectEqual(settings.heartbeatIntervalSeconds, 0)
            expectEqual(settings.maxReconnectAttempts, 0)
            #expect(!settings.showDebugStrip)
            #expect(settings.showMessageTimestamps)
            #expect(!settings.hasCustomization)
        }
    }

    @Test("The first servers are those of the configuration, unless the call names others")
    func firstServers() throws {
        try withDefaults { defaults in
            let config = Configuration(apiKey: "T", environment: .cluster("ap-2"))
            expectEqual(settings(defaults, config).resolvedEnvironment(), .cluster("ap-2"))
            expectEqual(settings(defaults, config, kind: .uk).resolvedEnvironment(), .uk)
            let rest = try #require(URL(string: "http://127.0.0.1/api/v1"))
            let socket = try #require(URL(string: "ws://127.0.0.1/ws"))
            let custom = Environment.custom(restBaseURL: rest, wsBaseURL: socket)
            let own = settings(defaults, Configuration(apiKey: "T", environment: custom))
            expectEqual(own.environmentKind, .custom)
            expectEqual(own.resolvedEnvironment(), custom)
            expectEqual(own.environmentDisplayName(), "127.0.0.1")
        }
    }

    @Test("Every kind of servers leads to its environment and shows its host")
    func kinds() throws {
        try withDefaults { defaults in
            let settings = settings(defaults)
            let expected: [DevSettings.EnvironmentKind: Environment] = [
                .us: .us, .uk: .uk, .euw: .euw, .production: .production, .staging: .staging, .dev: .dev,
                .cluster: .cluster("us-1"),
            ]
            for (kind, environment) in expected {
                settings.environmentKind = kind
                expectEqual(settings.resolvedEnvironment(), environment)
                expectEqual(settings.environmentDisplayName(), environment.endpoints?.restBaseURL.host)
            }
            expectEqual(DevSettings.EnvironmentKind.allCases.map(\.rawValue), Array(0...7))
            expectEqual(Set(DevSettings.EnvironmentKind.allCases.map(\.displayName)).count, 8)
        }
    }

    @Test("A cluster without a name and addresses that are none fall back to the default cluster")
    func fallback() throws {
        try withDefaults { defaults in
            let settings = settings(defaults, kind: .cluster)
            settings.clusterName = "  "
            expectEqual(settings.resolvedEnvironment(), .us)
            expectEqual(settings.environmentDisplayName(), "(missing cluster)")
            settings.clusterName = "Not A Cluster"
            expectEqual(settings.resolvedEnvironment(), .us)
            settings.environmentKind = .custom
            for text in ["", "hello", "/api/v1", "http://"] {
                settings.customRestURL = text
                settings.customWsURL = "ws://127.0.0.1/ws"
                expectEqual(settings.resolvedEnvironment(), .us)
                expectEqual(settings.environmentDisplayName(), "(custom)")
            }
        }
    }

    @Test("Every change is stored under prefix and name, and wins over the first value")
    func persistence() throws {
        try withDefaults { defaults in
            let first = settings(defaults)
            first.environmentKind = .euw
            first.clusterName = "ap-2"
            first.customRestURL = "http://a.example/api/v1"
            first.customWsURL = "ws://a.example/ws"
            first.streamingEnabled = false
            first.logLevel = .warn
            first.sessionTimeoutSeconds = 1
            first.heartbeatIntervalSeconds = 2
            first.maxReconnectAttempts = 3
            first.showDebugStrip = true
            first.showMessageTimestamps = false
            #expect(defaults.object(forKey: Self.prefix + "sessionTimeoutSeconds") as? Int == 1)
            #expect(defaults.object(forKey: Self.prefix + "showDebugStrip") as? Bool == true)
            #expect(defaults.object(forKey: Self.prefix + "clusterName") as? String == "ap-2")

            let second = settings(defaults, kind: .uk)
            expectEqual(second.environmentKind, .euw)
            expectEqual(second.clusterName, "ap-2")
            expectEqual(second.customRestURL, "http://a.example/api/v1")
            expectEqual(second.customWsURL, "ws://a.example/ws")
            #expect(!second.streamingEnabled && !second.lastAppliedStreamingEnabled)
            expectEqual(second.logLevel, .warn)
            expectEqual(second.sessionTimeoutSeconds, 1)
            expectEqual(second.heartbeatIntervalSeconds, 2)
            expectEqual(second.maxReconnectAttempts, 3)
            #expect(second.showDebugStrip)
            #expect(!second.showMessageTimestamps)
        }
    }

    @Test("Each of the six knobs counts as a customization, what the app shows does not")
    func customization() throws {
        let changes: [(DevSettings) -> Void] = [
            { $0.environmentKind = .uk }, { $0.streamingEnabled = false }, { $0.logLevel = .error },
            { $0.sessionTimeoutSeconds = 1 }, { $0.heartbeatIntervalSeconds = 1 },
            { $0.maxReconnectAttempts = 1 },
        ]
        for change in changes {
            try withDefaults { defaults in
                let settings = settings(defaults)
                change(settings)
                #expect(settings.hasCustomization)
            }
        }
        try withDefaults { defaults in
            let settings = settings(defaults)
            settings.showDebugStrip = true
            settings.showMessageTimestamps = false
            settings.clusterName = "unused"
            #expect(!settings.hasCustomization)
            settings.environmentKind = .cluster
            #expect(settings.hasCustomization)
        }
    }

    @Test("Going back restores every first choice about the SDK, and leaves the app's screens alone")
    func reset() throws {
        try withDefaults { defaults in
            let settings = settings(defaults)
            settings.environmentKind = .custom
            settings.logLevel = .none
            settings.maxReconnectAttempts = 9
            settings.showDebugStrip = true
            settings.showMessageTimestamps = false
            settings.recordSessionApplied()
            settings.resetToDefaults()
            expectEqual(settings.environmentKind, .us)
            expectEqual(settings.logLevel, .debug)
            #expect(!settings.hasCustomization)
            #expect(settings.showDebugStrip && !settings.showMessageTimestamps)
            for name in ["environmentKind", "logLevel", "maxReconnectAttempts"] {
                #expect(defaults.object(forKey: Self.prefix + name) == nil)
            }
            for name in ["showDebugStrip", "showMessageTimestamps", "lastAppliedStreamingEnabled"] {
                #expect(defaults.object(forKey: Self.prefix + name) != nil)
            }
        }
    }

    @Test("The configuration carries token, host and every setting; 0 means the SDK's default")
    func configuration() throws {
        try withDefaults { defaults in
            let settings = settings(defaults, host: "host")
            settings.environmentKind = .uk
            settings.streamingEnabled = false
            settings.logLevel = .info
            settings.sessionTimeoutSeconds = 60
            settings.heartbeatIntervalSeconds = -1
            let config = settings.buildConfiguration()
            expectEqual(config.apiKey, "T")
            expectEqual(config.hostIdentifier, "host")
            expectEqual(config.environment, .uk)
            #expect(!config.streamingEnabled)
            expectEqual(config.logLevel, .info)
            expectEqual(config.sessionTimeoutSeconds, 60)
            expectEqual(config.heartbeatIntervalSeconds, nil)
            expectEqual(config.maxReconnectAttempts, nil)
        }
    }

    @Test("What a chat was started with is remembered until the next start")
    func applied() throws {
        try withDefaults { defaults in
            let settings = settings(defaults)
            settings.streamingEnabled = false
            #expect(settings.lastAppliedStreamingEnabled)
            settings.recordSessionApplied()
            #expect(!settings.lastAppliedStreamingEnabled)
            settings.streamingEnabled = true
            #expect(!self.settings(defaults).lastAppliedStreamingEnabled)
        }
    }
    #if canImport(FoundationEssentials)
        /// Reads numbers and truths out of texts, as UserDefaults do with the arguments of a process.
        private final class Arguments: SettingsStorage {
            private var texts: [String: String]

            init(_ texts: [String: String]) { self.texts = texts }

            func object(forKey key: String) -> Any? { texts[key] }
            func integer(forKey key: String) -> Int { texts[key].flatMap { Int($0) } ?? 0 }
            func bool(forKey key: String) -> Bool { texts[key] == "YES" }
            func string(forKey key: String) -> String? { texts[key] }
            func set(_ value: Any?, forKey key: String) { texts[key] = value.map { "\($0)" } }
        }

        @Test("A storage may keep texts and read numbers and truths out of them")
        func textStorage() {
            let settings = settings(
                Arguments([
                    Self.prefix + "environmentKind": "1", Self.prefix + "streamingEnabled": "NO",
                    Self.prefix + "showDebugStrip": "YES", Self.prefix + "sessionTimeoutSeconds": "60",
                ]))
            #expect(settings.environmentKind == .uk && settings.sessionTimeoutSeconds == 60)
            #expect(!settings.streamingEnabled && settings.showDebugStrip)
        }
    #endif
}
