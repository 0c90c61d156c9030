import AGUIDialect
import Clocks
import ConversationEngine
import Expectations
import Fixtures
import RunWire
import Testing
import Texts

private func fixture(_ replies: String) -> String {
    """
    { fixture: 1, pace: "p", paces: { p: { think: "0s", chunk: "whole", every: "0s" } }, memory: { id: "c" },
      tools: { back: {}, cli: { client: true } }, anywhere: [
        { hears: "go", replies: [ \(replies) ] },
        { hears: "*", replies: [{ say: "x" }] } ] }
    """
}

/// protocol-agui.md#order-of-events
@Suite("The order of a run's events")
struct RunOrderTests {
    private func findings(_ replies: String) -> [String] {
        FixtureLoader.compile(bytes: Array(fixture(replies).utf8), fileName: "t.json5", name: "t").findings
            .filter { $0.code == .runOrder }.map(\.message)
    }

    @Test(
        "The check follows calls, questions and the shapes of both versions",
        arguments: [
            (#"{ phase: "p" }, { tool: "cli" }, { say: "x" }, { phaseEnds: "p" }"#, "step is not open"),
            (#"{ subagent: "S" }, { phase: "S" }, { say: "x" }"#, "a step that is open"),
            (
                #"{ together: [{ tool: "back", id: "c" }, { tool: "back", id: "c" }], order: "interleaved" }"#,
                #"Two calls of the run have the id "c""#
            ),
            (
                #"{ event: { type: "TEXT_MESSAGE_START", messageId: "m" } }, { ask: { name: "q", message: "Q" } }"#,
                "text message is open at RUN_FINISHED"
            ),
            (
                #"{ event: { type: "TEXT_MESSAGE_START", messageId: "m" } }, { cancel: true }"#,
                "text message is open at RUN_FINISHED"
            ),
            (
                #"{ event: { type: "REASONING_START", messageId: "m" } }, { tool: "cli" }"#,
                "Reasoning is open at RUN_FINISHED"
            ),
            (
                #"{ subagent: "A", id: "s" }, { subagent: "B", id: "s" }, { subagentEnds: "B" }"#,
                #"Two subagents of the run have the id "s""#
            ),
        ] as [(String, String)])
    func checked(_ replies: String, _ problem: String) {
        let found = findings(replies)
        #expect(found.count == 1 && found.first?.contains(problem) == true, "\(found)")
    }

    @Test(
        "What a run closes by itself is no finding, and neither is a fault on purpose",
        arguments: [
            #"{ phase: "p" }, { ask: { name: "q", message: "Q" } }, { say: "x" }"#,
            #"{ subagent: "S" }, { phase: "p" }, { tool: "cli" }, { say: "x" }"#,
            #"{ subagent: "S" }, { cancel: true }"#,
            #"{ together: [{ tool: "back", id: "c" }, { tool: "back", id: "d" }], order: "interleaved" }"#,
            #"{ event: { type: "TEXT_MESSAGE_END", messageId: "m" }, unchecked: true }, { say: "x" }"#,
        ] as [String])
    func right(_ replies: String) throws {
        expectEqual(findings(replies), [])
        var stage = try RunStage(fixture: fixture(replies))
        let stream = stage.ask("go", version: "1.0")
        expectEqual(stage.types(stream).last, "RUN_FINISHED")
    }

    @Test(
        "Events that are faults on purpose come behind the end of a run, at once or later, and nothing else does"
    )
    func late() throws {
        let end = #"{ event: { type: "RUN_FINISHED", threadId: "{run.thread}", runId: "{run.id}" } }"#
        let start = #"{ event: { type: "TEXT_MESSAGE_START", messageId: "late" }, unchecked: true }"#
        let error = #"{ event: { type: "RUN_ERROR", message: "late" }, unchecked: true }"#
        let replies = "\(end), \(start), { wait: \"1s\" }, \(error), { say: \"never\" }"
        expectEqual(findings(replies), [])
        var stage = try RunStage(fixture: fixture(replies))
        let stream = stage.ask("go", run: "r-1")
        expectEqual(
            stage.types(stream), ["RUN_STARTED", "RUN_FINISHED", "TEXT_MESSAGE_START", "RUN_ERROR"])
        #expect(stage.closed == [stream] && !stage.told.contains("agent: never"))
        let next = stage.ask("other", run: "r-2")
        expectEqual(stage.types(next).last, "RUN_FINISHED")
    }

    @Test(
        "What the check cannot see fails the run where it is told, with file and line; the talk goes on",
        arguments: [
            (
                #"{ tool: "back", id: "{id}" }, { tool: "back", id: "{id}" }, { say: "never" }"#,
                #"Two calls of the run have the id "c"."#
            ),
            (
                #"{ event: { type: "STEP_STARTED", stepName: "{id}" } }, { phase: "c" }, { phaseEnds: "c" }, { event: { type: "STEP_FINISHED", stepName: "{id}" } }"#,
                "STEP_STARTED opens a step that is open."
            ),
        ] as [(String, String)])
    func delivered(_ replies: String, _ problem: String) throws {
        expectEqual(findings(replies), [])
        var stage = try RunStage(fixture: fixture(replies))
        let stream = stage.ask("go", run: "r-1")
        let last = try #require(stage.events(stream).last)
        guard case .runError(let error) = try RunEventReader.read(Array(last.utf8)).kind else {
            Issue.record("\(last)")
            return
        }
        #expect(error.code == "scenario_error" && error.message == "test.json5:3: \(problem)")
        #expect(stage.notes.contains(.brokenOff("test.json5:3: \(problem)")))
        #expect(!stage.told.contains("agent: never"))
        var verifier = RunVerifier(profile: .v1, threadID: "thr", runID: "r-1")
        for event in stage.events(stream) {
            _ = try verifier.consume(try RunEventReader.read(Array(event.utf8)))
        }
        #expect(verifier.isComplete)
        let next = stage.ask("other", run: "r-2")
        expectEqual(stage.types(next).last, "RUN_FINISHED")
    }
}
