import Clocks
import FixtureTools
import MockServer
import Testing

@testable import MockKit

@Suite("A replay", .timeLimit(.minutes(5)))
struct ReplayTests {
    private static func replay(
        _ line: String, _ change: (inout Replay) -> Void = { _ in }
    ) async throws -> [String] {
        var replay = Replay(line)
        change(&replay)
        let answer = try await replay.run()
        #expect(answer.code == 0)
        return answer.lines
    }

    @Test("Two replays of one line are the same, byte for byte")
    func same() async throws {
        let first = try await Self.replay("mock:booking+tunnel@seed=7")
        #expect(first.count > 20)
        for _ in 0..<3 {
            #expect(try await Self.replay("mock:booking+tunnel@seed=7") == first)
        }
    }

    @Test("The journal has numbers, times, types and words, with connections and faults between")
    func lines() async throws {
        let lines = try await Self.replay("mock:booking+tunnel@seed=7")
        #expect(lines[0] == "  1  00:00.000  SESSION_START")
        #expect(lines.contains { $0.hasSuffix("USER_MESSAGE  \"four of us\"") })
        let fired = try #require(lines.firstIndex { $0.contains("fault \"tunnel\" fires") })
        let again = try #require(lines.firstIndex { $0.contains("connection 2 with cursor") })
        #expect(fired < again)
    }

    @Test("A replay ends at the event it is told")
    func until() async throws {
        let lines = try await Self.replay("mock:booking@seed=7") { $0.until = 4 }
        #expect(lines.last?.hasPrefix("  4  ") == true)
    }

    @Test("The user says what is asked for, or what an example says")
    func says() async throws {
        let own = try await Self.replay("mock:booking") { $0.says = ["opening hours"] }
        #expect(own.contains { $0.hasSuffix("USER_MESSAGE  \"opening hours\"") })
        #expect(!own.contains { $0.contains("four of us") })
        let example = try await Self.replay("mock:booking") { $0.example = "a dozen meet Marta" }
        #expect(example.contains { $0.hasSuffix("USER_MESSAGE  \"twelve\"") })
    }

    @Test("Replies come whole where no chunks are wanted; JSON has one object a line")
    func forms() async throws {
        let lines = try await Self.replay("mock:booking") {
            $0.isStreaming = false
            $0.isJSON = true
            $0.until = 4
        }
        #expect(lines[0] == #"{"seq":1,"ms":0,"kind":"event","type":"SESSION_START"}"#)
        #expect(lines.last?.contains("\"type\":\"POLY_AGENT_MESSAGE\",\"text\":\"Buongiorno!") == true)
    }

    @Test(
        "What is no scenario is refused in one sentence",
        arguments: ["booking", "mock:", "mock:booking@seed=x"] as [String])
    func refused(_ line: String) async {
        await #expect(throws: MockError.self) { try await Replay(line).run() }
    }
}

@Suite("A recorded talk", .timeLimit(.minutes(5)))
struct PlaybackTests {
    /// What a server told in a short talk, as the timeline keeps it.
    private func journal() async throws -> [UInt8] {
        try await withMock { mock in
            let chat = try await mock.chat(streaming: false)
            try await chat.say("opening hours")
            try await mock.expect(.reply("from noon"))
            return await mock.journal()
        }
    }

    private func show(
        _ bytes: [UInt8], pace: Playback.Pace, _ body: (Mock, Playback, Recording) async throws -> Void
    ) async throws {
        var recording = try Recording(bytes, fileName: "talk.jsonl")
        for index in recording.messages.indices { recording.messages[index].gap = .milliseconds(1) }
        try await withMock("quiet") {
            $0.time = .real
            $0.violations = .pass
        } _: { mock in
            let playback = await Playback.begin(recording, pace: pace, on: mock.server, clock: mock.base)
            try await body(mock, playback, recording)
            playback.stop()
        }
    }

    @Test(
        "A client sees the recorded talk, at its own pace or at once",
        arguments: [Playback.Pace.own, .once] as [Playback.Pace])
    func shown(_ pace: Playback.Pace) async throws {
        try await show(try await journal(), pace: pace) { mock, _, _ in
            let chat = try await mock.chat()
            let isShown = try await mock.play(within: .minutes(1)) {
                try await chat.replies.contains { $0.contains("from noon") }
            }
            #expect(isShown)
            let replies = try await chat.replies
            #expect(replies.count == 2)
            #expect(replies[0].hasPrefix("Buongiorno"))
        }
    }

    @Test("Step by step, a client sees one message more for each step")
    func steps() async throws {
        try await show(try await journal(), pace: .step) { mock, playback, recording in
            let chat = try await mock.chat()
            for _ in recording.messages { playback.step() }
            let isShown = try await mock.play(within: .minutes(1)) {
                try await chat.replies.contains { $0.contains("from noon") }
            }
            #expect(isShown)
        }
    }

    @Test("A client that comes back sees what was shown before, once")
    func again() async throws {
        try await show(try await journal(), pace: .once) { mock, _, _ in
            let chat = try await mock.chat()
            _ = try await mock.play(within: .minutes(1)) { try await chat.replies.count == 2 }
            mock.network.cut()
            let isBack = try await mock.play(within: .minutes(1)) {
                await mock.server.inspect { $0.openWebSockets } == 1 && mock.tap.dialled.count == 2
            }
            #expect(isBack)
            #expect(try await chat.replies.count == 2)
        }
    }

    @Test(
        "A file without a word from a server is refused",
        arguments: ["", "{", "{\"log\":{\"entries\":[]}}"] as [String])
    func refused(_ text: String) {
        #expect(throws: MockError.self) { try Recording(Array(text.utf8), fileName: "talk.har") }
    }
}
