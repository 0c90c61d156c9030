import Foundation
import PolyMessaging
import Testing

@Suite("The way in")
struct FacadeTests {
    @Test("CFG-2 An empty token is no configuration", arguments: ["", "   ", "\n"] as [String])
    func emptyToken(_ token: String) {
        let config = Configuration(connectorToken: token, environment: .production)
        #expect {
            try PolyMessaging.configure(config)
        } throws: { error in
            if case PolyError.invalidConfiguration(let text) = error { text.contains("token") } else { false }
        }
    }

    @Test(
        "CFG-6 The name of a cluster that is none is no configuration",
        arguments: ["", "US-1", "a.b", "-x"] as [String])
    func cluster(_ name: String) {
        let config = Configuration(connectorToken: "token", environment: .cluster(name))
        #expect(throws: PolyError.self) { try PolyMessaging.configure(config) }
    }

    @Test("What the SDK calls itself has its version and the system's")
    func userAgent() {
        #expect(UserAgent.text.hasPrefix("PolyMessaging-"))
        #expect(UserAgent.text.contains("/\(PolyMessaging.version) ("))
    }
}
