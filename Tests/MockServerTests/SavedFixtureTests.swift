import Clocks
import Expectations
import Foundation
import MockServer
import SocketTransport
import TestSupport
import Testing

/// A folder with fixtures that a test edits, gone when the test is over.
struct FixtureFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name + ".json5") }

    static func text(greeting: String) -> Data {
        Data(
            "{ fixture: 1, name: 'T', about: 'A test.', pace: 'instant', greeting: [{ say: '\(greeting)' }] }"
                .utf8)
    }

    func save(_ name: String, greeting: String) throws {
        try Self.text(greeting: greeting).write(to: file(name))
    }
}

@Suite("Saved fixtures", .timeLimit(.minutes(5)))
struct SavedFixtureTests {
    /// Runs `body` with a server that plays `talk.json5` of a folder.
    private func withServer(_ body: (World, FixtureFolder) async throws -> Void) async throws {
        let folder = try FixtureFolder()
        defer { folder.remove() }
        try folder.save("talk", greeting: "one")
        try await World.run {
            $0.fixture = "talk"
            $0.fixturesFolder = folder.url.path
        } _: { world in
            try await body(world, folder)
        }
    }

    private func greeting(_ world: World, token: String = "demo") async throws -> String? {
        let session = try await world.client.session(token: world.client.token(connector: token))
        let talk = try await world.client.connect(session)
        talk.join()
        let events = try await world.play(talk, through: "POLY_AGENT_MESSAGE")
        talk.line.drop()
        return events.last?.text
    }

    /// The next log line with `words`, behind the one found before.
    @discardableResult
    private func news(_ world: World, _ words: String, after last: Int = -1) async throws -> (
        line: String, index: Int
    ) {
        try await world.log.wait(for: words) { lines in
            for index in lines.indices where index > last && lines[index].contains(words) {
                return (lines[index], index)
            }
            return nil
        }
    }

    @Test("A file written in place takes effect")
    func inPlace() async throws {
        try await withServer { world, folder in
            try await expectEqual(greeting(world), "one")
            let handle = try FileHandle(forWritingTo: folder.file("talk"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: FixtureFolder.text(greeting: "two"))
            try handle.close()
            try await news(world, "talk reloaded")
            try await expectEqual(greeting(world), "two")
        }
    }

    @Test("A file renamed over the old one takes effect")
    func renameOver() async throws {
        try await withServer { world, folder in
            let draft = folder.url.appendingPathComponent(".talk.swp")
            try FixtureFolder.text(greeting: "two").write(to: draft)
            _ = rename(draft.path, folder.file("talk").path)
            try await news(world, "talk reloaded")
            try await expectEqual(greeting(world), "two")
        }
    }

    @Test("Of a burst of 50 saves the last one counts")
    func burst() async throws {
        try await withServer { world, folder in
            for number in 1...50 { try folder.save("talk", greeting: "save \(number)") }
            var last = -1
            for _ in 0..<50 {
                last = try await news(world, "talk reloaded", after: last).index
                if try await greeting(world) == "save 50" { return }
            }
            Issue.record("the last save never took effect")
        }
    }

    @Test("A file with a mistake leaves the old version in force and is told line by line")
    func mistake() async throws {
        try await withServer { world, folder in
            let text = "{ fixture: 1, name: 'T', about: 'A test.',\n  greting: [{ say: 'two' }] }"
            try Data(text.utf8).write(to: folder.file("talk"))
            let line = try await news(world, "error:").line
            #expect(line.contains("talk.json5:2:3: error:"))
            #expect(line.contains("Did you mean \"greeting\"?"))
            try await expectEqual(greeting(world), "one")
            try folder.save("talk", greeting: "three")
            try await news(world, "talk reloaded")
            try await expectEqual(greeting(world), "three")
        }
    }

    @Test("A new file with a mistake is told to be unplayable, and is played once it is mended")
    func newFileWithMistake() async throws {
        try await withServer { world, folder in
            try Data("{ broken".utf8).write(to: folder.file("fresh"))
            try await news(world, "fresh has mistakes and cannot be played")
            try folder.save("fresh", greeting: "mended")
            try await news(world, "fresh reloaded")
            try await expectEqual(greeting(world, token: "mock:fresh"), "mended")
        }
    }

    @Test("An example that no longer fits is told, and the file takes effect all the same")
    func failingExample() async throws {
        try await withServer { world, folder in
            let text =
                "{ fixture: 1, name: 'T', about: 'A test.', pace: 'instant', greeting: [{ say: 'two' }], "
                + "examples: [{ name: 'hello', talk: ['agent: one'] }] }"
            try Data(text.utf8).write(to: folder.file("talk"))
            let line = try await news(world, "[example-fails]").line
            #expect(line.contains("\"hello\" expected the agent to say \"one\""))
            try await expectEqual(greeting(world), "two")
        }
    }

    @Test("A deleted file keeps its last version, and its return takes effect")
    func deletion() async throws {
        try await withServer { world, folder in
            try FileManager.default.removeItem(at: folder.file("talk"))
            try await news(world, "is gone")
            try await expectEqual(greeting(world), "one")
            try folder.save("talk", greeting: "two")
            try await news(world, "talk reloaded")
            try await expectEqual(greeting(world), "two")
        }
    }

    @Test("A talk keeps the version it began with")
    func runningTalk() async throws {
        try await withServer { world, folder in
            let session = try await world.client.session()
            try folder.save("talk", greeting: "two")
            try await news(world, "talk reloaded")
            let talk = try await world.client.connect(session)
            talk.join()
            let events = try await world.play(talk, through: "POLY_AGENT_MESSAGE")
            expectEqual(events.last?.text, "one")
        }
    }

    @Test("A link's target is watched as well")
    func symbolicLink() async throws {
        let elsewhere = try FixtureFolder()
        defer { elsewhere.remove() }
        try elsewhere.save("real", greeting: "one")
        let folder = try FixtureFolder()
        defer { folder.remove() }
        try FileManager.default.createSymbolicLink(
            at: folder.file("talk"), withDestinationURL: elsewhere.file("real"))
        try await World.run {
            $0.fixture = "talk"
            $0.fixturesFolder = folder.url.path
        } _: { world in
            try elsewhere.save("real", greeting: "two")
            try await news(world, "talk reloaded")
            try await expectEqual(greeting(world), "two")
        }
    }
}
