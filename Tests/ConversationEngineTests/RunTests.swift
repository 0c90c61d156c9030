import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Agent runs")
struct RunTests {
    /// Reasons about everything, one word each 100 milliseconds.
    private static let thoughtful: Script = {
        var script = Script.plain
        script.hasRuns = true
        let thoughts = Reasoning(
            [template("one two"), template("three")], cut: ChunkSize(unit: .words),
            every: .milliseconds(100))
        script.otherwise = [anything(.run(.reason(thoughts)), says("Yes"))]
        return script
    }()

    private static func request(_ run: String) -> ClientInput.Word {
        .run(RunRequest(thread: "t", run: run, words: .text("Hi")))
    }

    @Test("The first piece of reasoning comes at once, each further one after the pause")
    func reasoning() throws {
        var talk = try Talk.joined(Self.thoughtful)
        let asked = talk.now
        talk.ask("x")
        let run = try #require(talk.conversation?.runs?.runs.last)
        let times = run.entries.compactMap { entry -> Instant? in
            if case .reasoningDelta = entry.event { entry.time } else { nil }
        }
        expectEqual(times, [asked, asked + .milliseconds(100), asked + .milliseconds(200)])
    }

    @Test("A run stops when the client that asked for it is gone, and no other client's going stops it")
    func abandoned() throws {
        var talk = try Talk(Self.thoughtful)
        talk.connect(1)
        talk.connect(2)
        talk.send(Self.request("r"))
        talk.wait(.milliseconds(50))
        var effects: [Effect] = []
        talk.engine.abandonRuns(of: ConnectionID(2), in: talk.handle, at: talk.now, into: &effects)
        expectEqual(talk.conversation?.runs?.isRunning, true)
        talk.engine.abandonRuns(of: ConnectionID(1), in: talk.handle, at: talk.now, into: &effects)
        expectEqual(talk.conversation?.runs?.isRunning, false)
        talk.wire.apply(effects)
        talk.wait(.seconds(5))
        expectEqual(talk.conversation?.replyCount, 0)
    }

    @Test("A copy of a session keeps its runs while the session goes on")
    func copies() throws {
        var talk = try Talk(Self.thoughtful)
        talk.connect()
        talk.send(Self.request("r1"))
        let before = try #require(talk.conversation)
        let count = before.runs?.runs.last?.entries.count
        talk.wait(.seconds(5))
        talk.send(Self.request("r2"))
        #expect(before.runs?.runs.map(\.facts.id) == ["r1"] && before.runs?.isRunning == true)
        expectEqual(before.runs?.runs.last?.entries.count, count)
        expectEqual(talk.conversation?.runs?.runs.map(\.facts.id), ["r1", "r2"])
    }

    @Test("The same requests give equal runs, and each another one")
    func equality() throws {
        func runs() throws -> [Run] {
            var talk = try Talk(Self.thoughtful)
            talk.connect()
            for run in ["r1", "r2"] {
                talk.send(Self.request(run))
                talk.wait(.seconds(5))
            }
            return try #require(talk.conversation?.runs?.runs)
        }
        let first = try runs()
        expectEqual(first.count, 2)
        try expectEqual(runs(), first)
        #expect(first[0].facts != first[1].facts)
    }
}
