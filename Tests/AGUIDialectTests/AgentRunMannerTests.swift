import Clocks
import ConversationEngine
import RunWire
import Testing
import Texts

/// Runs that a fixture has told otherwise than usual, and what its rules know of a request.
@Suite("The manners of runs")
struct AgentRunMannerTests {
    private func stage(_ runs: String, _ replies: String, tools: String = "look: {}") throws -> RunStage {
        try RunStage(
            fixture: """
                { fixture: 1, pace: "p", paces: { p: { think: "10ms", chunk: "whole", every: "5ms" } },
                  runs: { \(runs) }, tools: { \(tools) }, anywhere: [{ hears: "*", replies: [ \(replies) ] }] }
                """)
    }

    /// What the answer to these words is told as.
    private func ask(_ stage: inout RunStage, run: String = "run") throws -> [JSONValue] {
        let stream = stage.ask("tea", run: run)
        return try stage.events(stream).map { try JSONReader.read(Array($0.utf8)) }
    }

    @Test("Ids are counted, or have the form of UUIDs, or are those of the seed")
    func ids() throws {
        for (word, call, message) in [
            ("counted", "call-1", "msg-1"), ("seeded", "call_", "msg_"), ("uuid", "", ""),
        ] {
            var stage = try stage(#"ids: "\#(word)""#, #"{ tool: "look", with: {} }, { say: "Tea." }"#)
            let told = try ask(&stage)
            let start = try #require(told.first { $0["type"]?.string == "TOOL_CALL_START" })
            let text = try #require(told.first { $0["type"]?.string == "TEXT_MESSAGE_START" })
            #expect(start["toolCallId"]?.string?.hasPrefix(call) == true)
            #expect(start["parentMessageId"]?.string?.hasPrefix(message) == true)
            #expect(text["messageId"]?.string?.hasPrefix(word == "counted" ? "msg-2" : message) == true)
            if word == "uuid" { #expect(text["messageId"]?.string?.split(separator: "-").count == 5) }
        }
    }

    @Test("Events say when they happened, and the first one gives the request back and has metadata")
    func boundaries() throws {
        var stage = try stage(#"stamps: true, echo: true, metadata: { trace: "t-9" }"#, #"{ say: "Tea." }"#)
        let before = stage.clock.nanoseconds / 1_000_000
        let told = try ask(&stage)
        #expect(told.map { $0["timestamp"]?.integer }.first == .some(.some(before)))
        #expect(told.last?["timestamp"]?.integer == before + 10)
        #expect(told[0]["metadata"]?["trace"]?.string == "t-9")
        #expect(told[0]["input"]?["messages"]?.array?.first?["content"]?.string == "tea")
        #expect(told.dropFirst().allSatisfy { $0["metadata"] == nil && $0["input"] == nil })
    }

    @Test("A thread whose first request brings no state begins with that of the fixture")
    func state() throws {
        let say = #"{ say: "It is {state.plan.status}." }"#
        var own = try stage(#"state: { plan: { status: "draft" } }"#, say)
        let told = try ask(&own)
        #expect(told[1]["snapshot"]?["plan"]?["status"]?.string == "draft")
        #expect(own.told.last == "agent: It is draft.")
        let second = try ask(&own, run: "second")
        #expect(second.allSatisfy { $0["type"]?.string != "STATE_SNAPSHOT" })
        var brought = try stage(#"state: { plan: { status: "draft" } }"#, say)
        let stream = brought.ask(
            RunInput(
                threadID: "t", runID: "r", state: .object(["plan": .object(["status": .string("ready")])]),
                messages: [RunMessage(id: "u", role: .user, content: .text("tea"))]))
        #expect(!brought.types(stream).contains("STATE_SNAPSHOT"))
        #expect(brought.told.last == "agent: It is ready.")
    }

    @Test("A run whose client leaves stops, or goes on", arguments: [("stops", 0), ("goes on", 1)])
    func leaving(_ word: String, _ count: Int) throws {
        var stage = try stage(#"left: "\#(word)""#, #"{ wait: "1s" }, { say: "Tea." }"#)
        let input = RunInput(
            threadID: "t", runID: "r", messages: [RunMessage(id: "u", role: .user, content: .text("tea"))])
        let stream = stage.ask(input, waits: false)
        stage.leave(stream)
        stage.settle()
        #expect(stage.told.count { $0 == "agent: Tea." } == count)
    }

    @Test("Gaps and conditions know the run, and the metadata of the message")
    func facts() throws {
        var stage = try stage(
            "", #"{ say: "{run.number} {run.id} {run.thread} {run.protocol} {metadata.from.app}" }"#)
        var message = RunMessage(id: "u", role: .user, content: .text("tea"))
        message.metadata = ["from": .object(["app": .string("web")])]
        stage.ask(RunInput(threadID: "t", runID: "a", messages: [message]))
        stage.ask(RunInput(threadID: "t", runID: "b", messages: [message]))
        #expect(
            stage.told.filter { $0.hasPrefix("agent") } == [
                "agent: 1 a t ag-ui web", "agent: 2 b t ag-ui web",
            ])
    }

    @Test("Calls and messages have the ids, the owners and the pieces that are written out")
    func written() throws {
        var stage = try stage(
            "",
            #"""
            { say: "Tea.", id: "m-1" }, { tool: "look", with: {}, id: "c-1" },
            { tool: "look", with: {}, owner: null }, { tool: "look", with: {}, owner: "m-9" },
            { reason: "One two", pieces: ["One", " two"] },
            { event: { type: "TEXT_MESSAGE_START", messageId: "m-2", role: "user", name: "Ann" } },
            { event: { type: "TEXT_MESSAGE_CONTENT", messageId: "m-2", delta: "" } },
            { event: { type: "TEXT_MESSAGE_END", messageId: "m-2" } }, { say: "" },
            """#)
        let told = try ask(&stage)
        let starts = told.filter { $0["type"]?.string == "TOOL_CALL_START" }
        #expect(starts[0]["toolCallId"]?.string == "c-1" && starts[0]["parentMessageId"]?.string == "m-1")
        #expect(starts[1]["parentMessageId"] == nil && starts[2]["parentMessageId"]?.string == "m-9")
        let reasons = told.filter { $0["type"]?.string == "REASONING_MESSAGE_CONTENT" }
        #expect(reasons.map { $0["delta"]?.string } == ["One", " two"])
        #expect(told.contains { $0["role"]?.string == "user" && $0["name"]?.string == "Ann" })
        #expect(told.contains { $0["type"]?.string == "TEXT_MESSAGE_CONTENT" && $0["delta"]?.string == "" })
        #expect(told.count { $0["type"]?.string == "TEXT_MESSAGE_START" } == 3)
    }
}
