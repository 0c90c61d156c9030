import Expectations
import FixtureTools
import MockServer
import PolyMessaging
import Testing

@testable import MockKit

@Suite("The line that plays a test again", .timeLimit(.minutes(5)))
struct ReplayLineTests {
    private static func said(_ texts: [String], in session: String = "a3") -> [ObservedEvent] {
        texts.enumerated().map {
            ObservedEvent(.userMessage, session: session, sequence: UInt64($0 + 3), text: $1)
        }
    }

    private func line(_ source: ReplayLine.Source = .name) -> ReplayLine {
        ReplayLine(scenario: "mock:booking@seed=7", journalName: "booking-7.jsonl", source: source)
    }

    @Test("It says what the chat said, in its form, and its journal is that of the test")
    func sameTalk() async throws {
        try await withMock {
            $0.seed = 7
        } _: { mock in
            let chat = try await mock.chat(streaming: false)
            for text in ["opening hours", "it's a table, please"] {
                try await chat.say(text)
                try await mock.clock.untilIdle()
            }
            expectEqual(
                mock.replayLine(until: 6),
                "polymock replay 'mock:booking@seed=7' --say 'opening hours'"
                    + " --say 'it'\\''s a table, please' --streaming off --until 6")
            var replay = Replay(mock.line)
            replay.says = ["opening hours", "it's a table, please"]
            replay.isStreaming = false
            let lines = try await replay.run().lines
            let last = mock.observedEvents.compactMap(\.sequence).max() ?? 0
            #expect(lines.contains { $0.hasPrefix("  \(last)  ") || $0.hasPrefix(" \(last)  ") })
            let failure = await #expect(throws: ExpectationFailure.self) {
                try await mock.expect(.reply("purple"), within: .zero)
            }
            let text = try #require(failure).text
            #expect(text.contains("\nAgain: polymock replay 'mock:booking@seed=7' --say 'opening hours' "))
            #expect(text.hasSuffix(" --streaming off --until \(last)"))
        }
    }

    @Test("A message that a client sent twice is said once, and one that was never echoed as well")
    func resent() {
        let talk = [
            ObservedEvent(.userMessage, session: "a3", sequence: 4, text: "one"),
            ObservedEvent(.userMessage, session: "a3", text: "one"),
            ObservedEvent(.userMessage, session: "a3", text: "two"),
            ObservedEvent(.userMessage, session: "a3", text: "two"),
            ObservedEvent(.userMessage, session: "b4", sequence: 4, text: "three"),
        ]
        expectEqual(
            line().command(talk, session: "a3", until: nil),
            "polymock replay 'mock:booking@seed=7' --say 'one' --say 'two'")
        expectEqual(
            line().remark(talk, session: "a3"), "Not in that line: what happened in other sessions.")
    }

    @Test(
        "Twenty messages stand on it; with more of them, or longer ones, it shows the journal",
        arguments: [
            (Array(repeating: "x", count: 20), true), (Array(repeating: "x", count: 21), false),
            ([String(repeating: "x", count: 2_000)], true), ([String(repeating: "x", count: 2_001)], false),
        ] as [([String], Bool)])
    func limit(_ texts: [String], _ fits: Bool) {
        let talk = Self.said(texts)
        let command = line().command(talk, session: "a3", until: nil)
        expectEqual(command.contains("--say 'x"), fits)
        expectEqual(command == "polymock replay 'booking-7.jsonl'", !fits)
        expectEqual(
            line().remark(talk, session: "a3")?.contains("save the attached journal"), fits ? nil : true)
    }

    @Test("A file is found in its folder, and a text of the test only by the test")
    func sources() {
        expectEqual(MockPlan("booking").replaySource, .name)
        expectEqual(MockPlan("fixtures/booking.json5").replaySource, .name)
        expectEqual(MockPlan("Tests/Data/shop.json5").replaySource, .folder("Tests/Data"))
        expectEqual(MockPlan("shop.json5").replaySource, .folder("."))
        expectEqual(MockPlan("/shop.json5").replaySource, .folder("/"))
        expectEqual(MockPlan("a@b.json5").replaySource, .unspeakable)
        expectEqual(MockPlan(fixture("")).replaySource, .inline)
        var plan = MockPlan("booking")
        plan.fixturesFolder = "/home/ada/fixtures"
        expectEqual(plan.replaySource, .folder("/home/ada/fixtures"))
        expectEqual(
            line(.folder("Tests/My Data")).command(Self.said(["hi"]), session: "a3", until: 4),
            "polymock replay 'mock:booking@seed=7' --say 'hi' --fixtures 'Tests/My Data' --until 4")
        let inline = line(.inline).command(Self.said(["hi"]), session: "a3", until: 4)
        #expect(inline.hasPrefix("the fixture is inline, so only the test can play it again"))
        expectEqual(line(.inline).remark(Self.said(["hi"]), session: "a3"), nil)
    }

    @Test("Settings count as changed when the plan brings its own, and not before")
    func settings() {
        var plan = MockPlan("booking")
        #expect(!plan.hasOwnSettings)
        plan.settings.tokens.life = .minutes(2)
        #expect(plan.hasOwnSettings)
    }

    @Test("What it cannot repeat is told in one sentence")
    func leftOut() async throws {
        try await withMock {
            $0.changes.append { $0.sessions.heartbeatInterval = .seconds(5) }
        } _: { mock in
            let chat = try await mock.chat { $0.sessionTimeoutSeconds = 100 }
            try await mock.inject(at: "user message 9", do: "drop: 'connection'")
            try await mock.override(rule: "hours") { _ in
                nil
            } during: {
            }
            _ = try await mock.agent(in: chat)
            mock.network.refuse(0)
            mock.clock.advance(by: .zero)
            try await chat.type()
            let remark = mock.replay.remark(mock.observedEvents, session: chat.sessionID)
            expectEqual(
                remark,
                "Not in that line: " + ReplayLine.Act.allCases.map(\.words).joined(separator: ", ")
                    + ", the user's silence (it plays what the fixture's first example says).")
        }
        try await withMock { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            expectEqual(mock.replay.remark(mock.observedEvents, session: chat.sessionID), nil)
            #expect(mock.replayLine().hasSuffix(" --say 'a table' --streaming on"))
        }
    }
}
