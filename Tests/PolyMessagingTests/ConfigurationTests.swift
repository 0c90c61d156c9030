import Expectations
import Foundation
import PolyMessaging
import Testing

@Suite("Configuration and environments")
struct ConfigurationTests {
    @Test(
        "CFG-2 A token that is empty, or white space alone, is a problem",
        arguments: ["", " ", "\n\t"] as [String])
    func emptyToken(_ token: String) {
        guard case .invalidConfiguration(let text)? = Configuration(apiKey: token).problem else {
            Issue.record("no problem found")
            return
        }
        #expect(text.contains("connector token"))
        expectEqual(Configuration(apiKey: "a").problem, nil)
    }

    @Test("CFG-3 Both initialisers fill the same value, under both names")
    func bothNames() {
        var old = Configuration(connectorToken: "T", environment: .us)
        let new = Configuration(apiKey: "T")
        expectEqual([old.connectorToken, old.apiKey, new.connectorToken, new.apiKey], ["T", "T", "T", "T"])
        old.apiKey = "U"
        expectEqual(old.connectorToken, "U")
    }

    @Test("CFG-4 Every default is the documented one, in both initialisers")
    func defaults() {
        for config in [
            Configuration(connectorToken: "T", environment: .us), Configuration(apiKey: "T"),
        ] {
            expectEqual(config.environment, .us)
            #expect(config.streamingEnabled)
            expectEqual(config.logLevel, .error)
            expectEqual(config.hostIdentifier, nil)
            expectEqual(config.greetingMessage, nil)
            expectEqual(config.heartbeatIntervalSeconds, nil)
            expectEqual(config.sessionTimeoutSeconds, nil)
            expectEqual(config.maxReconnectAttempts, nil)
            #expect(!config.logsSecrets)
        }
    }

    @Test("CFG-4 Every argument of both initialisers arrives")
    func arguments() {
        let old = Configuration(
            connectorToken: "T", environment: .uk, hostIdentifier: "h", streamingEnabled: false,
            greetingMessage: "Hi", logLevel: .info, heartbeatIntervalSeconds: 1, sessionTimeoutSeconds: 2,
            maxReconnectAttempts: 3)
        let new = Configuration(
            apiKey: "T", environment: .uk, hostIdentifier: "h", streamingEnabled: false, logLevel: .info,
            heartbeatIntervalSeconds: 1, sessionTimeoutSeconds: 2, maxReconnectAttempts: 3)
        expectEqual(old.greetingMessage, "Hi")
        for config in [old, new] {
            expectEqual(config.environment, .uk)
            expectEqual(config.hostIdentifier, "h")
            #expect(!config.streamingEnabled)
            expectEqual(config.logLevel, .info)
            expectEqual(config.heartbeatIntervalSeconds, 1)
            expectEqual(config.sessionTimeoutSeconds, 2)
            expectEqual(config.maxReconnectAttempts, 3)
        }
    }

    @Test("The initialiser decides how a chat renders when the call does not say")
    func rendering() {
        #expect(!Configuration(connectorToken: "T", environment: .us).rendersProgressively)
        #expect(Configuration(apiKey: "T").rendersProgressively)
        #expect(!Configuration(apiKey: "T", streamingEnabled: false).rendersProgressively)
    }

    @Test(
        "CFG-5 Every environment has its two addresses",
        arguments: [
            (.production, "messaging.poly.ai"), (.staging, "messaging.staging.poly.ai"),
            (.dev, "messaging.dev.poly.ai"), (.us, "messaging.us-1.poly.ai"),
            (.uk, "messaging.uk-1.poly.ai"), (.euw, "messaging.euw-1.poly.ai"),
            (.cluster("ap-2"), "messaging.ap-2.poly.ai"),
        ] as [(Environment, String)])
    func addresses(_ environment: Environment, host: String) {
        expectEqual(environment.endpoints?.restBaseURL.absoluteString, "https://\(host)/api/v1")
        expectEqual(environment.endpoints?.socketBaseURL.absoluteString, "wss://\(host)/ws")
        expectEqual(environment.endpoints?.isUnencrypted, false)
    }

    @Test(
        "CFG-6 A name that is no cluster's never becomes an address",
        arguments: ["", "-us", "US-1", "us_1", "us.1", "us 1", "evil.example/", "a@b", "é", "us-1\n"]
            as [String])
    func clusterNames(_ name: String) {
        expectEqual(Environment.cluster(name).endpoints, nil)
        let config = Configuration(apiKey: "T", environment: .cluster(name))
        #expect(config.problem != nil)
    }

    @Test(
        "CFG-6 Small letters, digits and hyphens make a cluster",
        arguments: ["a", "1", "us-1", "us-"] as [String])
    func goodClusterNames(_ name: String) {
        #expect(Environment.cluster(name).endpoints != nil)
    }

    @Test("CFG-7 Custom addresses are used as they are, and plain ones only warned about")
    func custom() throws {
        let rest = try #require(URL(string: "http://127.0.0.1/x/api/v1/"))
        let socket = try #require(URL(string: "ws://127.0.0.1/ws?a=b"))
        let config = Configuration(apiKey: "T", environment: .custom(restBaseURL: rest, wsBaseURL: socket))
        expectEqual(config.environment.endpoints?.restBaseURL, rest)
        expectEqual(config.environment.endpoints?.socketBaseURL, socket)
        expectEqual(config.problem, nil)
        expectEqual(config.warnings.count, 1)
        #expect(Configuration(apiKey: "T").warnings.isEmpty)
    }

    @Test("CFG-8 X-Host is the app's wish, else the environment's, else the bundle identifier, else empty")
    func hostHeader() {
        func header(
            _ environment: Environment, wish: String? = nil, bundle: String?
        ) -> String {
            Configuration(apiKey: "T", environment: environment, hostIdentifier: wish)
                .hostHeader(bundleIdentifier: bundle)
        }
        expectEqual(header(.us, wish: "mine", bundle: "app"), "mine")
        expectEqual(header(.us, bundle: "app"), "app")
        expectEqual(header(.us, bundle: nil), "")
        expectEqual(header(.dev, bundle: "app"), "https://jupiter-api.dev.polyai.app/")
        expectEqual(header(.staging, bundle: "app"), "https://jupiter-api.staging.polyai.app/")
        expectEqual(header(.dev, wish: "mine", bundle: "app"), "mine")
    }

    @Test("CFG-9 Before `initialize` there is no configuration; afterwards it is the last one")
    func initialized() {
        PolyMessaging.$taskConfiguration.withValue(Configuration(apiKey: "task")) {
            expectEqual(PolyMessaging.initialized?.apiKey, "task")
        }
        #expect(PolyMessaging.initialized?.apiKey != "task")
    }

    @Test("Log levels are ordered by what they let through")
    func logLevels() {
        expectEqual(LogLevel.allCases, [.none, .error, .warn, .info, .debug])
        expectEqual(LogLevel.allCases.sorted(), LogLevel.allCases)
        expectEqual(LogLevel.none.rawValue, 0)
    }
}
