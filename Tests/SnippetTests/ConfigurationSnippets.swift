import Foundation
import PolyMessaging
import Testing

/// Ways apps configure the SDK. They have to compile; what little they compute is checked.
@Suite("Snippets: configuring")
struct ConfigurationSnippets {
    @Test("A configuration with everything, under the older name of the token")
    func fullOld() {
        let config = Configuration(
            connectorToken: "token", environment: .production, hostIdentifier: "com.example.app",
            streamingEnabled: true, greetingMessage: "Hello", logLevel: .debug, heartbeatIntervalSeconds: 20,
            sessionTimeoutSeconds: 3_600, maxReconnectAttempts: 5)
        #expect(config.connectorToken == "token")
    }

    @Test("A configuration with everything, under the newer name of the token")
    func fullNew() {
        let config = Configuration(
            apiKey: "token", environment: .uk, hostIdentifier: nil, streamingEnabled: false, logLevel: .warn,
            heartbeatIntervalSeconds: nil, sessionTimeoutSeconds: nil, maxReconnectAttempts: nil)
        #expect(config.apiKey == "token")
        #expect(Configuration(apiKey: "token").environment == .us)
    }

    @Test("Every environment, with servers of one's own")
    func environments() throws {
        let rest = try #require(URL(string: "http://127.0.0.1/api/v1"))
        let socket = try #require(URL(string: "ws://127.0.0.1/ws"))
        let all: [Environment] = [
            .production, .staging, .dev, .us, .uk, .euw, .cluster("us-1"),
            .custom(restBaseURL: rest, wsBaseURL: socket),
        ]
        for environment in all {
            _ = Configuration(connectorToken: "token", environment: environment)
        }
    }

    @Test("Levels compare")
    func levels() {
        #expect(LogLevel.error < .debug)
    }

    @Test("A logger of the app's own needs four methods")
    func logger() {
        struct Silent: PolyLogger {
            func debug(_ message: String, metadata: [String: any Sendable]?) {}
            func info(_ message: String, metadata: [String: any Sendable]?) {}
            func warn(_ message: String, metadata: [String: any Sendable]?) {}
            func error(_ message: String, metadata: [String: any Sendable]?) {}
        }
        let logger: any PolyLogger = Silent()
        logger.info("started")
        logger.error("lost", metadata: ["code": 1006])
    }

    @Test("Developer settings can be subclassed")
    @MainActor
    func devSettings() {
        final class Settings: DevSettings {
            init() { super.init(hostIdentifier: "com.example.app", defaultEnvironment: .uk) }
            override func resolvedEnvironment() -> PolyEnvironment { .euw }
            override var hasCustomization: Bool { false }
        }
        let make: () -> DevSettings = { Settings() }
        _ = make
        #expect(DevSettings.EnvironmentKind.allCases.map(\.id).count == 8)
    }
}

/// How apps that import SwiftUI as well keep the two types of one name apart.
typealias PolyEnvironment = Environment
