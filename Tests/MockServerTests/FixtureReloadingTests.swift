import ConversationEngine
import Expectations
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
        let server = Server(try ServerDependencies(configuration))
        let reloading = FixtureReloading()

        try folder.save("talk", greeting: "two")
        let (shelf, news) = await withCheckedContinuation { done in
            reloading.begin(server.fixtures) { done.resume(returning: ($0, $1)) }
        }
        try folder.save("talk", greeting: "three")
        var asked = server.fixtures
        let seen = asked.reload()
        expectEqual(seen.count, 1)
        reloading.overtake(asked, seen, into: server)
        #expect(reloading.adopt(shelf, news, into: server))
        expectEqual(server.fixtures.copy(of: "talk")?.bytes, Array(FixtureFolder.text(greeting: "three")))
        expectEqual(server.fixtures.shelved["talk"]?.bytes, Array(FixtureFolder.text(greeting: "three")))

        // One that nothing overtook is adopted.
        try folder.save("talk", greeting: "four")
        let next = await withCheckedContinuation { done in
            reloading.begin(server.fixtures) { done.resume(returning: ($0, $1)) }
        }
        #expect(!reloading.adopt(next.0, next.1, into: server))
        expectEqual(server.fixtures.shelved["talk"]?.bytes, Array(FixtureFolder.text(greeting: "four")))
    }

    @Test("The fixture inside the binary is compiled when a session asks for it, and a file takes its place")
    func inside() throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        var configuration = Configuration()
        configuration.fixturesFolder = folder.url.path
        var shelf = try FixtureStore(configuration)
        let name = shelf.defaultName
        #expect(shelf.shelved.isEmpty)
        let bytes = try #require(Embedded.fixture(name))
        let inside = FixtureLoader.compile(bytes: bytes, fileName: name + ".json5", name: name).script
        // A file with mistakes that came meanwhile is told, and what is inside stays in force.
        try Data("{".utf8).write(to: folder.file(name))
        guard case .refused(name, _, hasGoodVersion: true)? = shelf.reload().first else {
            Issue.record("a file with mistakes is not refused")
            return
        }
        let (named, standard) = (try shelf.script(named: name).value, shelf.standard.value)
        #expect(named == inside && standard == inside && shelf.file(of: name) == nil)
        try folder.save(name, greeting: "one")
        let file = folder.url.path + "/\(name).json5"
        let (news, other) = (shelf.reload(), shelf.standard.value)
        expectEqual(news, [.reloaded(name: name, file: file, failures: [])])
        #expect(other != inside && shelf.file(of: name) == file)
    }

    /// Its default fixture is a file of the folder.
    private func shelf(of folder: FixtureFolder) throws -> FixtureStore {
        try folder.save("talk", greeting: "one")
        var configuration = Configuration()
        (configuration.fixture, configuration.fixturesFolder) = ("talk", folder.url.path)
        return try FixtureStore(configuration)
    }

    @Test("A file that was spoilt and is as before is told to be in force again, once")
    func restored() throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        var shelf = try shelf(of: folder)
        #expect(shelf.reload().isEmpty)
        try Data("{".utf8).write(to: folder.file("talk"))
        guard case .refused? = shelf.reload().first else {
            Issue.record("it is not refused")
            return
        }
        try folder.save("talk", greeting: "one")
        let news = shelf.reload()
        guard news.count == 1, case .reloaded("talk", _, let failures)? = news.first else {
            Issue.record("\(news)")
            return
        }
        #expect(failures.isEmpty && shelf.reload().isEmpty)
    }

    @Test("A line that is asked for again plays the version that is in force by then")
    func lines() throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        try folder.save("talk", greeting: "one")
        var configuration = Configuration()
        configuration.fixturesFolder = folder.url.path
        var shelf = try FixtureStore(configuration)
        let first = try #require(try shelf.scenario("mock:talk@seed=1"))
        try expectEqual(shelf.scenario("mock:talk@seed=1"), first)
        let other = try shelf.scenario("mock:talk@seed=2")
        #expect(other?.seed == 2 && other?.script == first.script)
        try folder.save("talk", greeting: "two")
        _ = shelf.reload()
        let second = try #require(try shelf.scenario("mock:talk@seed=2"))
        #expect(second.seed == 2 && second.script != first.script)
        let text = Array(FixtureFolder.text(greeting: "three"))
        let script = try #require(FixtureLoader.compile(bytes: text, fileName: "talk", name: "talk").script)
        _ = shelf.shelve(script, text: text)
        try expectEqual(shelf.scenario("mock:talk@seed=2")?.script, script)
    }

    @Test("A text in place of the default fixture gives way to its file, or to what that was before")
    func spoilt() throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        var shelf = try shelf(of: folder)
        let first = shelf.standard.value
        let text = Array(FixtureFolder.text(greeting: "two"))
        let script = try #require(FixtureLoader.compile(bytes: text, fileName: "talk", name: "talk").script)
        _ = shelf.shelve(script, text: text)
        try Data("{".utf8).write(to: folder.file("talk"))
        shelf.forgetTexts()
        let kept = shelf.standard.value
        #expect(kept == first && kept != script)
        // A good file is back in force.
        _ = shelf.shelve(script, text: text)
        try folder.save("talk", greeting: "one")
        shelf.forgetTexts()
        let good = shelf.standard.value
        #expect(good != script)
    }
}
