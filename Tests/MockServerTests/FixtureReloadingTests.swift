import Fixtures
import Foundation
import Testing

@testable import MockServer

@Suite("Looking at fixture files away from the loop")
struct FixtureReloadingTests {
    @Test("A look that was overtaken by a newer one counts for nothing, and another follows")
    func overtaken() async throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        try folder.save("talk", greeting: "one")
        var configuration = Configuration()
        configuration.fixture = "talk"
        configuration.fixturesFolder = folder.url.path
        configuration.log = .quiet
        let state = ServerState(try ServerParts(configuration))
        let reloading = FixtureReloading()

        try folder.save("talk", greeting: "two")
        let (shelf, news) = await withCheckedContinuation { done in
            reloading.begin(state.fixtures) { done.resume(returning: ($0, $1)) }
        }
        try folder.save("talk", greeting: "three")
        #expect(reloading.look(state).count == 1)
        #expect(reloading.adopt(shelf, news, into: state))
        #expect(state.fixtures.copy(of: "talk")?.bytes == Array(FixtureFolder.text(greeting: "three")))
        #expect(state.fixtures.shelved["talk"]?.bytes == Array(FixtureFolder.text(greeting: "three")))

        // One that nothing overtook is adopted.
        try folder.save("talk", greeting: "four")
        let next = await withCheckedContinuation { done in
            reloading.begin(state.fixtures) { done.resume(returning: ($0, $1)) }
        }
        #expect(!reloading.adopt(next.0, next.1, into: state))
        #expect(state.fixtures.shelved["talk"]?.bytes == Array(FixtureFolder.text(greeting: "four")))
    }
}
