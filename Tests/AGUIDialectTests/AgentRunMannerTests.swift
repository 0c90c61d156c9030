import Clocks
import ConversationEngine
import Expectations
import RunWire
import Testing
import Texts

/// Runs that a fixture has told otherwise than usual, and what its rules know of a request.
@Suite("The manners of runs")
struct AgentRunMannerTests {
    private func stage(_ runs: String, _ replies: String, tools: String = "look: {}") throws -> RunStage {
        try RunStage(runs: runs, replies: replies, tools: tools)
    }

    /// What the answer to these words is told as.
    private func ask(
        _ stage: inout RunStage, message: String = "u-1", run: String = "run"
    ) throws -> [JSONValue] {
        let stream = stage.ask("tea", message: message, run: run)
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
            expectEqual(start["toolCallId"]?.string?.hasPrefix(call), true)
            expectEqual(start["parentMessageId"]?.string?.hasPrefix(message), true)
            expectEqual(text["messageId"]?.string?.hasPrefix(word == "counted" ? "msg-2" : message), true)
            if word == "uuid" { expectEqual(text["messageId"]?.string?.split(separator: "-").count, 5) }
        }
    }

    @Test("Events say when they happened, and the first one gives the request back and has metadata")
    func boundaries() throws {
        var stage = try stage(#"stamps: true, echo: true, metadata: { trace: "t-9" }"#, #"{ say: "Tea." }"#)
        let before = stage.clock.nanoseconds / 1_000_000
        let told = try ask(&stage)
        expectEqual(told.map { $0["timestamp"]?.integer }.first, .some(.some(before)))
        #expect(told.last?["timestamp"]?.integer == before + 10)
        #expect(told[0]["metadata"]?["trace"]?.string == "t-9")
        #expect(told[0]["input"]?["messages"]?.array?.first?["content"]?.string == "tea")
        #expect(told.dropFirst().allSatisfy { $0["metadata"] == nil && $0["input"] == nil })
    }

    /// protocol-agui.md#versions
    @Test(
        "A fixture has all clients told in one shape",
        arguments: [("v0", "REASONING_START"), ("v1", "REASONING_START"), ("legacy", "THINKING_START")]
            as [(String, String)])
    func profile(_ name: String, _ reasoning: String) throws {
        for version in [nil, "1.0"] {
            var stage = try stage(#"profile: "\#(name)""#, #"{ reason: "Hm." }, { say: "Tea." }"#)
            let stream = stage.ask("tea", version: version)
            expectEqual(stage.types(stream).dropFirst().first, reasoning)
            expectEqual(stage.events(stream)[0].contains("protocolVersion"), name == "v1")
        }
    }

    @Test("A thread whose first request brings no state begins with that of the fixture")
    func state() throws {
        let say = #"{ say: "It is {state.plan.status}." }"#
        var own = try stage(#"state: { plan: { status: "draft" } }"#, say)
        let told = try ask(&own)
        #expect(told[1]["snapshot"]?["plan"]?["status"]?.string == "draft")
        expectEqual(own.told.last, "agent: It is draft.")
        let second = try ask(&own, message: "u-2", run: "second")
        #expect(second.allSatisfy { $0["type"]?.string != "STATE_SNAPSHOT" })
        var brought = try stage(#"state: { plan: { status: "draft" } }"#, say)
        let stream = brought.ask(
            RunInput(
                threadID: "t", runID: "r", state: .object(["plan": .object(["status": .string("ready")])]),
                messages: [RunMessage(id: "u", role: .user, content: .text("tea"))]))
        #expect(!brought.types(stream).contains("STATE_SNAPSHOT"))
        expectEqual(brought.told.last, "agent: It is ready.")
    }

    @Test(
        "A run whose client leaves stops, or goes on",
        arguments: [("stops", 0), ("goes on", 1)] as [(String, Int)])
    func leaving(_ word: String, _ count: Int) throws {
        var stage = try stage(#"left: "\#(word)""#, #"{ wait: "1s" }, { say: "Tea." }"#)
        let input = RunInput(
            threadID: "t", runID: "r", messages: [RunMessage(id: "u", role: .user, content: .text("tea"))])
        let stream = stage.ask(input, waits: false)
        stage.leave(stream)
        stage.settle()
        expectEqual(stage.told.count { $0 == "agent: Tea." }, count)
    }

    @Test(
        "A run that ends in the middle of a call or of a thought closes it, and is no mistake of its fixture",
        arguments: [
            #"{ tool: "look", with: { a: "one two three" }, cut: "1 characters", every: "50ms" }"#,
            #"{ reason: "One two three.", cut: "1 words", every: "50ms" }"#,
            #"{ subagent: "S" }, { phase: "p" }, { say: "One two.", chunks: "1 words" }, { wait: "1s" }, { phaseEnds: "p" }, { subagentEnds: "S" }"#,
        ] as [String], [true, false] as [Bool])
    func middle(_ step: String, isEnd: Bool) throws {
        var stage = try stage(#"left: "\#(isEnd ? "goes on" : "stops")""#, step)
        let input = RunInput(
            threadID: "t", runID: "r", protocolVersion: "1.0",
            messages: [RunMessage(id: "u", role: .user, content: .text("tea"))])
        let stream = stage.ask(input, waits: false)
        stage.advance(by: .milliseconds(70))
        if isEnd {
            stage.end()
        } else {
            stage.leave(stream)
        }
        stage.settle()
        #expect(stage.notes.allSatisfy { if case .brokenOff = $0 { false } else { true } }, "\(stage.notes)")
        let told = stage.engine[stage.session]?.runs?.runs.last?.entries.map(\.event) ?? []
        guard case .finished(let end)? = told.last else {
            Issue.record("\(told)")
            return
        }
        #expect(isEnd || end.outcome == .cancelled)
        func count(_ fits: (AgentEvent) -> Bool) -> Int { told.count(where: fits) }
        expectEqual(
            count { if case .callStarted = $0 { true } else { false } },
            count { if case .callEnded = $0 { true } else { false } })
        expectEqual(
            count { if case .reasoningStarted = $0 { true } else { false } },
            count { if case .reasoningEnded = $0 { true } else { false } })
        #expect(told.count > 2 && stage.told.last == (isEnd ? "end" : "user: tea") || step.hasPrefix("{ sub"))
    }

    @Test("Runs that wait when their session ends are told so")
    func waiting() throws {
        var stage = try stage("", #"{ wait: "1s" }, { say: "Tea." }"#)
        let streams = (1...3).map { number in
            stage.ask(
                RunInput(
                    threadID: "t", runID: "r-\(number)",
                    messages: [RunMessage(id: "u-\(number)", role: .user, content: .text("tea"))]),
                waits: false)
        }
        stage.end()
        expectEqual(stage.events(streams[0]).last?.contains(#""code":"cancelled""#), true)
        for stream in streams.dropFirst() {
            expectEqual(stage.types(stream).last, "RUN_ERROR")
            expectEqual(stage.events(stream).last?.contains(#""code":"agent_unavailable""#), true)
        }
        expectEqual(stage.closed, Set(streams))
    }

    @Test(
        "Decisions that nobody asked for are judged by the shape that the fixture has clients told in",
        arguments: [("v0", "1.0", true), ("v1", nil, false)] as [(String, String?, Bool)])
    func strangeDecisions(_ profile: String, _ version: String?, fails: Bool) throws {
        var stage = try stage(
            #"profile: "\#(profile)""#, #"{ ask: { name: "q", message: "Sure?" } }, { say: "Tea." }"#)
        stage.ask("tea", version: version)
        let ask = try #require(stage.engine[stage.session]?.runs?.pendingAsks.first)
        let answer = stage.ask(
            RunInput(
                threadID: "thr", runID: "r-2", protocolVersion: version,
                resume: [
                    RunResume(interruptID: ask.id, status: .resolved),
                    RunResume(interruptID: "nobody", status: .resolved),
                ]))
        expectEqual(stage.types(answer).contains("RUN_ERROR"), fails)
    }

    @Test("Gaps and conditions know the run, and the metadata of the message")
    func facts() throws {
        var stage = try stage(
            "", #"{ say: "{run.number} {run.id} {run.thread} {run.protocol} {metadata.from.app}" }"#)
        var message = RunMessage(id: "u", role: .user, content: .text("tea"))
        message.metadata = ["from": .object(["app": .string("web")])]
        stage.ask(RunInput(threadID: "t", runID: "a", messages: [message]))
        stage.ask(RunInput(threadID: "t", runID: "b", messages: [message]))
        expectEqual(
            stage.told.filter { $0.hasPrefix("agent") },
            [
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
        expectEqual(reasons.map { $0["delta"]?.string }, ["One", " two"])
        #expect(told.contains { $0["role"]?.string == "user" && $0["name"]?.string == "Ann" })
        #expect(told.contains { $0["type"]?.string == "TEXT_MESSAGE_CONTENT" && $0["delta"]?.string == "" })
        expectEqual(told.count { $0["type"]?.string == "TEXT_MESSAGE_START" }, 3)
    }

    @Test("A state is told as the changes that lead there from what the thread has")
    func statePatch() throws {
        let steps = #"""
            { state: { plan: { items: ["a"], status: "draft" }, "x/y": 1 } },
            { state: { plan: { items: ["a", "tea"], status: "draft" } }, as: "patch" },
            { state: { plan: { items: ["tea"], status: "ready" } }, as: "patch" }
            """#
        var stage = try stage("", steps)
        let told = try ask(&stage)
        let deltas = told.compactMap { $0["delta"] }.map {
            String(decoding: JSONWriter.bytes($0), as: UTF8.self)
        }
        expectEqual(
            deltas,
            [
                #"[{"op":"remove","path":"/x~1y"},{"op":"add","path":"/plan/items/1","value":"tea"}]"#,
                #"[{"op":"remove","path":"/plan/items/0"},{"op":"replace","path":"/plan/status","value":"ready"}]"#,
            ])
        var reducer = RunReducer()
        for event in told { _ = reducer.apply(try RunEventReader.read(event)) }
        let state = String(decoding: JSONWriter.bytes(reducer.state), as: UTF8.self)
        expectEqual(state, #"{"plan":{"items":["tea"],"status":"ready"}}"#)
    }

    @Test("What a client brings is where the changes of its state begin, in each run of the thread")
    func statePatchOfClient() throws {
        var stage = try stage("", #"{ state: { n: 2 }, as: "patch" }"#)
        for (run, n, delta) in [("a", 1, #"[{"op":"replace","path":"/n","value":2}]"#), ("b", 2, "[]")] {
            let stream = stage.ask(
                RunInput(
                    threadID: "t", runID: run, state: .object(["n": .integer(Int64(n))]),
                    messages: [RunMessage(id: "u-" + run, role: .user, content: .text("tea"))]))
            let told = try stage.events(stream).map { try JSONReader.read(Array($0.utf8)) }
            let found = told.first { $0["type"]?.string == "STATE_DELTA" }?["delta"]
            expectEqual(found.map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) }, delta)
        }
    }

    @Test(
        "A request that lacks what is expected is noted with its reasons; where that is required the run fails"
    )
    func expects() throws {
        let step = #"{ expects: { "tools.pay": { known: true }, "state.cart.total": { atLeast: 2 } }"#
        func input(_ total: Int64, tool: String) -> RunInput {
            RunInput(
                threadID: "t", runID: "r-\(total)",
                state: .object(["cart": .object(["total": .integer(total)])]),
                messages: [RunMessage(id: "u-\(total)", role: .user, content: .text("tea"))],
                tools: [RunTool(name: tool, description: "", parameters: .object([:]))])
        }
        var stage = try stage("", step + #" }, { say: "Tea." }"#)
        var stream = stage.ask(input(2, tool: "pay"))
        #expect(stage.missed == [] && stage.types(stream).contains("TEXT_MESSAGE_START"))
        stream = stage.ask(input(1, tool: "play"))
        let types = stage.types(stream)
        #expect(types.contains("TEXT_MESSAGE_START") && types.last == "RUN_FINISHED")
        let missed = try #require(stage.missed.first)
        #expect(missed.text == "tea" && missed.run == "r-1")
        expectEqual(
            missed.reasons,
            [
                "there is no tools.pay", #"state.cart.total is "1", where at least 2 is expected"#,
            ])
        var strict = try self.stage("", step + #", orFails: true }, { say: "Tea." }"#)
        stream = strict.ask(input(1, tool: "pay"))
        let told = strict.events(stream)
        expectEqual(told.last?.contains(#""code":"scenario_error""#), true)
        #expect(!told.joined().contains("TEXT_MESSAGE"))
    }

    @Test("What a subagent tells is its own; for version 0 it is a step of its name")
    func subagents() throws {
        let steps = #"""
            { subagent: "researcher", about: "Finds tea.", id: "sa-1" }, { say: "Found." },
            { subagent: "clerk" }, { tool: "look", with: {} }, { subagentEnds: "clerk", fails: "No pen." },
            { subagentEnds: "researcher", gives: { hours: "10-16" } }, { say: "Open." }
            """#
        func tell(_ version: String?) throws -> [JSONValue] {
            var stage = try stage(#"ids: "counted""#, steps)
            var input = RunInput(
                threadID: "t", runID: "r",
                messages: [RunMessage(id: "u", role: .user, content: .text("tea"))])
            input.protocolVersion = version
            let stream = stage.ask(input)
            return try stage.events(stream).map { try JSONReader.read(Array($0.utf8)) }
        }
        let told = try tell("1.0")
        var verifier = RunVerifier(profile: .v1)
        for event in told { _ = try verifier.consume(try RunEventReader.read(event)) }
        let start = try #require(told.first { $0["type"]?.string == "SUBAGENT_STARTED" })
        #expect(start["subagentRunId"]?.string == "sa-1" && start["description"]?.string == "Finds tea.")
        let owners = told.filter { $0["type"]?.string?.hasPrefix("SUBAGENT") == false }.map {
            $0["subagentRunId"]?.string
        }
        #expect(owners.first == .some(nil) && owners.last == .some(nil))
        let call = try #require(told.first { $0["type"]?.string == "TOOL_CALL_START" })
        expectEqual(call["subagentRunId"]?.string, "sub-1")
        let texts = told.filter { $0["type"]?.string == "TEXT_MESSAGE_START" }.map {
            $0["subagentRunId"]?.string
        }
        expectEqual(texts, ["sa-1", nil])
        let second = try #require(told.last { $0["type"]?.string == "SUBAGENT_STARTED" })
        expectEqual(second["parentSubagentRunId"]?.string, "sa-1")
        #expect(told.first { $0["type"]?.string == "SUBAGENT_ERROR" }?["message"]?.string == "No pen.")
        #expect(
            told.first { $0["type"]?.string == "SUBAGENT_FINISHED" }?["result"]?["hours"]?.string == "10-16")
        let old = try tell(nil)
        #expect(old.allSatisfy { $0["subagentRunId"] == nil })
        let phases = old.filter { $0["type"]?.string?.hasPrefix("STEP") == true }.map {
            $0["stepName"]?.string
        }
        expectEqual(phases, ["researcher", "clerk", "clerk", "researcher"])
    }
}
