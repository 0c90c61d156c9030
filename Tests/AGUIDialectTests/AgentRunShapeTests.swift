import AGUIDialect
import Clocks
import ConversationEngine
import Expectations
import RunWire
import Testing
import Texts

@Suite("What runs are told as, at odd moments and to old clients")
struct AgentRunShapeTests {
    private func stage(_ runs: String, _ replies: String, tools: String = "look: {}") throws -> RunStage {
        try RunStage(runs: runs, replies: replies, tools: tools, chunk: "1 words", every: "50ms")
    }

    private func input(_ text: String, run: String = "r", state: JSONValue? = nil, version: String? = nil)
        -> RunInput
    {
        RunInput(
            threadID: "t", runID: run, protocolVersion: version, state: state,
            messages: [RunMessage(id: "u-\(run)", role: .user, content: .text(text))])
    }

    /// The events of a stream that have this type.
    private func events(_ stage: RunStage, _ stream: ConnectionID, _ type: String) throws -> [JSONValue] {
        try stage.events(stream).map { try JSONReader.read(Array($0.utf8)) }
            .filter { $0["type"]?.string == type }
    }

    @Test("A list of messages has no parts and no subagents for clients of version 0")
    func oldMessages() throws {
        for agent in ["v1-04-tool-result-parts", "v1-05-subagent"] {
            var stage = try RunStage(agent: agent)
            stage.ask("anything")
            let stream = stage.replay()
            let told = stage.events(stream).joined()
            #expect(told.contains("MESSAGES_SNAPSHOT") && !told.contains("subagentRunId"), "\(agent)")
            #expect(!told.contains(#""content":["#), "\(agent)")
        }
        var stage = try RunStage(agent: "v1-04-tool-result-parts")
        stage.ask("anything", version: "1.0")
        let new = stage.ask(
            RunInput(threadID: "thr", runID: "join", protocolVersion: "1.0"), isReplay: true)
        #expect(stage.events(new).joined().contains(#""content":["#))
    }

    @Test("Clients of version 1 are told reasoning where a recording has the events for thinking")
    func thinking() throws {
        var stage = try RunStage(agent: "legacy-01-thinking")
        let stream = stage.ask("anything", version: "1.0")
        let types = stage.types(stream)
        #expect(types.contains("REASONING_MESSAGE_CONTENT") && !types.contains { $0.hasPrefix("THINKING") })
        expectEqual(types.count { $0 == "REASONING_START" }, types.count { $0 == "REASONING_END" })
    }

    @Test("A cancelled run tells its usage in both versions", arguments: [nil, "1.0"] as [String?])
    func usage(_ version: String?) throws {
        var stage = try stage("", #"{ usage: [ { model: "m", inputTokens: 3 } ] }, { cancel: true }"#)
        let stream = stage.ask("tea", version: version)
        let end = try #require(
            try events(stage, stream, version == nil ? "RUN_ERROR" : "RUN_FINISHED").first)
        #expect(end["usage"] != nil, "\(end)")
    }

    @Test(
        "A run that its session cuts off is cancelled; one that ends the session itself has finished",
        arguments: [nil, "1.0"] as [String?])
    func cutOff(_ version: String?) throws {
        var stage = try stage("", #"{ say: "One two three four." }"#)
        let stream = stage.ask(input("tea", version: version), waits: false)
        stage.advance(by: .milliseconds(80))
        stage.end()
        let last = stage.events(stream).last ?? ""
        #expect(last.contains(version == nil ? #""code":"cancelled""# : #""type":"cancelled""#), "\(last)")
        var other = try self.stage("", #"{ say: "Bye." }, { end: "natural" }"#)
        let ended = other.ask(input("tea", version: version))
        expectEqual(other.events(ended).last?.contains("RUN_FINISHED"), true)
        expectEqual(other.events(ended).last?.contains("cancelled"), false)
    }

    @Test("A message that is pushed while a reply is told stands beside it, each begun and ended once")
    func pushed() throws {
        var stage = try stage("", #"{ say: "One two three four." }"#)
        let stream = stage.ask(input("tea"), waits: false)
        stage.advance(by: .milliseconds(80))
        stage.push(.agentMessage(Message(id: "pushed", text: "By the way.")))
        stage.settle()
        let starts = try events(stage, stream, "TEXT_MESSAGE_START").compactMap { $0["messageId"]?.string }
        let ends = try events(stage, stream, "TEXT_MESSAGE_END").compactMap { $0["messageId"]?.string }
        #expect(starts.count == 2 && Set(starts).count == 2 && ends == ["pushed", starts[0]])
    }

    @Test("What is pushed in pieces is one message, also where the reply beside it ends between them")
    func pushedInPieces() throws {
        var stage = try stage("", #"{ say: "One two." }, { wait: "5s" }, { say: "Three." }"#)
        let stream = stage.ask(input("tea"), waits: false)
        func piece(_ index: Int, _ text: String) -> Event {
            .agentChunk(Chunk(messageID: "pushed", index: index, isComplete: index == 2, text: text))
        }
        stage.advance(by: .milliseconds(40))
        stage.push(piece(1, "By "))
        stage.advance(by: .seconds(1))
        stage.push(piece(2, "the way."))
        stage.settle()
        let starts = try events(stage, stream, "TEXT_MESSAGE_START").compactMap { $0["messageId"]?.string }
        let ends = try events(stage, stream, "TEXT_MESSAGE_END").compactMap { $0["messageId"]?.string }
        #expect(starts.count == 3 && Set(starts).count == 3 && starts[1] == "pushed", "\(starts)")
        expectEqual(ends, [starts[0], "pushed", starts[2]])
    }

    @Test(
        "The fixture's state is told where the first request has none",
        arguments: [
            (nil, true), ("{}", true), ("null", true), (#"{"items":[]}"#, false), (#"{"a":null}"#, false),
            ("[]", false),
        ] as [(String?, Bool)])
    func state(_ text: String?, isTold: Bool) throws {
        var stage = try stage(#"state: { tea: "green" }"#, #"{ say: "Tea." }"#)
        let state = try text.map { try JSONReader.read(Array($0.utf8)) }
        let stream = stage.ask(input("tea", state: state))
        #expect(try events(stage, stream, "STATE_SNAPSHOT").isEmpty != isTold)
    }

    @Test("Calls of the main agent do not hang on the message of a subagent, nor the other way round")
    func owners() throws {
        let steps = """
            { say: "Main." }, { subagent: "S" }, { tool: "look", with: {} }, { say: "Sub." },
            { subagentEnds: "S" }, { tool: "look", with: {} }
            """
        var stage = try stage("", steps)
        let stream = stage.ask("tea", version: "1.0")
        let texts = try events(stage, stream, "TEXT_MESSAGE_START").compactMap { $0["messageId"]?.string }
        let owners = try events(stage, stream, "TOOL_CALL_START").map { $0["parentMessageId"]?.string }
        #expect(texts.count == 2 && owners.count == 2)
        #expect(owners.allSatisfy { $0.map { !texts.contains($0) } ?? true }, "\(owners) of \(texts)")
    }

    @Test("A subagent that waits for the client is suspended, and has not finished")
    func suspended() throws {
        for (step, hasIDs) in [
            (#"{ ask: { name: "ok", message: "Fine?" } }"#, true), (#"{ tool: "pick", with: {} }"#, false),
        ] {
            let steps = #"{ subagent: "S" }, { say: "Sub." }, "# + step
            var stage = try stage("", steps, tools: "pick: { client: true }, look: {}")
            let stream = stage.ask("tea", version: "1.0")
            let end = try #require(try events(stage, stream, "SUBAGENT_FINISHED").first)
            #expect(end["outcome"]?["type"]?.string == "suspended", "\(end)")
            expectEqual(end["outcome"]?["interruptIds"] != nil, hasIDs)
        }
        var stage = try stage("", #"{ subagent: "S" }, { say: "Sub." }, { subagentEnds: "S" }"#)
        let stream = stage.ask("tea", version: "1.0")
        #expect(try events(stage, stream, "SUBAGENT_FINISHED").first?["outcome"] == nil)
    }

    @Test("A question can be answered as long as it says, however long a silence may be")
    func expiry() throws {
        let ask3h = #"{ ask: { name: "ok", message: "Fine?", expires: "3h" } }, { say: "Done." }"#
        var stage = try stage("", ask3h)
        stage.ask(input("tea"))
        let ask = try #require(stage.engine[stage.session]?.runs?.pendingAsks.first)
        stage.advance(by: .minutes(90))
        expectEqual(stage.engine[stage.session]?.hasEnded, false)
        var answer = RunInput(threadID: "t", runID: "r-2")
        answer.resume = [RunResume(interruptID: ask.id, status: .resolved, payload: .bool(true))]
        let stream = stage.ask(answer)
        #expect(stage.types(stream).last == "RUN_FINISHED" && stage.told.contains("agent: Done."))
        stage.advance(by: .hours(2))
        #expect(stage.engine[stage.session]?.hasEnded != false, "then a silence ends it")
    }

    @Test("Where runs are forgotten that no request brought since, no list of messages is told")
    func forgotten() throws {
        var stage = try stage(
            "", #"{ say: "Tea." }, { ask: { name: "ok", message: "Fine?" } }"#)
        var last: ConnectionID?
        for number in 1...ConversationLimits.runs + 2 { last = stage.ask(input("tea", run: "r-\(number)")) }
        let types = stage.types(try #require(last))
        #expect(types.last == "RUN_FINISHED" && !types.contains("MESSAGES_SNAPSHOT"))
    }

    private enum Letters: SessionNaming {}
    private enum Numbers: SessionNaming {}

    @Test("Threads of the same letters in another form of Unicode are two, and so are names of two purposes")
    func exactNames() throws {
        var engine = ConversationEngine(seed: 1)
        var effects: [Effect] = []
        let now = Instant(secondsSince1970: 1_790_000_000)
        let script = try #require(AGUIDialect().script(of: "01-text-only"))
        let handles = try ["caf\u{E9}", "cafe\u{301}"].map { name in
            let opened = engine.open(.init(script: script), at: now, into: &effects)
            let handle = try #require(opened?.handle)
            engine.name(handle, SessionName(name, as: Letters.self))
            return handle
        }
        expectEqual(engine.handle(of: SessionName("caf\u{E9}", as: Letters.self)), handles[0])
        expectEqual(engine.handle(of: SessionName("cafe\u{301}", as: Letters.self)), handles[1])
        expectEqual(engine.handle(of: SessionName("caf\u{E9}", as: Numbers.self)), nil)
    }
}
