import LoadTest
import MockServer
import Testing

@testable import CLI

@Suite("The server that load starts")
struct LoadVerbTests {
    @Test("It has room for as many sessions as there may be")
    func room() throws {
        let most = LoadVerb.configuration(try LoadOptions(["--sessions", "\(Limits.sessions)"])).limits
        #expect(most.sockets == 3 * Limits.sessions && most.sessions >= 2 * Limits.sessions)
        #expect(LoadVerb.configuration(try LoadOptions([])).limits == Configuration.Limits())
    }
}
