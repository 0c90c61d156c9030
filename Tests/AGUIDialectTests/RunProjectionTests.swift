import AGUIDialect
import Clocks
import ConversationEngine
import Expectations
import Fixtures
import RunWire
import Testing
import Texts

/// A fixture of the program itself.
private func shipped(_ name: String) throws -> Script {
    let bytes = try #require(Embedded.fixture(name))
    return try #require(FixtureLoader.compile(bytes: bytes, fileName: "\(name).json5", name: name).script)
}

@Suite("One run, told to clients with and without runs")
struct RunProjectionTests {
    @Test("A tool call is seen by those who know runs, the text by all", arguments: [false, true] as [Bool])
    func tool(_ isStreaming: Bool) throws {
        let script = try shipped("weather")
        var runs = RunStage(script)
        let stream = runs.ask("weather in Leeds")
        let types = runs.types(stream)
        expectEqual(
            types.filter {
                $0 != "TOOL_CALL_ARGS" && $0 != "TEXT_MESSAGE_CONTENT" && !$0.hasSuffix("_CONTENT")
            },
            [
                "RUN_STARTED", "REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_END",
                "REASONING_END", "TOOL_CALL_START", "TOOL_CALL_END", "TOOL_CALL_RESULT",
                "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_FINISHED",
            ])
        expectEqual(runs.told, ["user: weather in Leeds", "agent: Here is the weather of Leeds."])

        var talk = RunStage(script, isStreaming: isStreaming)
        talk.say("weather in Leeds")
        let words = talk.journal.compactMap { entry -> String? in
            switch entry.event {
            case .agentMessage(let message): message.text
            case .agentChunk(let chunk): chunk.text
            default: nil
            }
        }
        expectEqual(words.joined(), "Which city shall I look up?Here is the weather of Leeds.")
        expectEqual(talk.journal.map(\.sequence), (1...UInt64(talk.journal.count)).map { $0 })
    }

    @Test("Runs take no sequence, and no id, of a talk")
    func journals() throws {
        let script = try shipped("weather")
        func ids(_ words: String) -> [String] {
            var stage = RunStage(script)
            stage.say(words)
            return stage.journal.prefix(5).map { "\($0.id)" }
        }
        expectEqual(ids("weather in Leeds"), ids("trip to Porto"))
    }

    @Test("An approval is an interrupt for one, a message with buttons for the other")
    func approval() throws {
        let script = try shipped("refunds")
        var talk = RunStage(script)
        talk.say("refund order 19")
        let question = talk.journal.compactMap { entry -> Message? in
            if case .agentMessage(let message) = entry.event { message } else { nil }
        }.last
        expectEqual(question?.text, "Approve a £24.00 refund for O-19?")
        expectEqual(question?.parts.suggestions.map(\.text), ["Approve", "Refuse"])
        talk.say("approve")
        expectEqual(talk.told.last, "agent: The refund is on its way.")

        var runs = RunStage(script)
        let stream = runs.ask("refund order 19", run: "r-1")
        let finish = try #require(Self.finish(runs.events(stream)))
        guard case .interrupt(let asked)? = finish.outcome else {
            Issue.record("\(finish)")
            return
        }
        expectEqual(asked.map(\.message), ["Approve a £24.00 refund for O-19?"])
        let call = try #require(asked.first?.toolCallID)
        expectEqual(runs.types(stream).suffix(2), ["MESSAGES_SNAPSHOT", "RUN_FINISHED"])
        let answer = runs.ask(
            RunInput(
                threadID: "thr", runID: "r-2",
                resume: [RunResume(interruptID: asked[0].id, status: .resolved)]))
        let result = runs.events(answer).first { $0.contains("TOOL_CALL_RESULT") }
        #expect(result?.contains(call) == true && result?.contains("rf-5") == true)
        expectEqual(runs.told.last, "agent: The refund is on its way.")
    }

    @Test(
        "Decisions that are strange, missing or late fail the run",
        arguments: [("other", 1, "unknown_interrupt"), ("", 7_200, "interrupt_expired")]
            as [(String, Int, String)])
    func badDecisions(_ id: String, _ seconds: Int, _ code: String) throws {
        var script = try shipped("refunds")
        script.session.idle = .hours(24)
        var runs = RunStage(script)
        let stream = runs.ask("refund order 19", run: "r-1")
        let finish = try #require(Self.finish(runs.events(stream)))
        guard case .interrupt(let asked)? = finish.outcome else { return }
        runs.advance(by: .seconds(seconds))
        let answer = runs.ask(
            RunInput(
                threadID: "thr", runID: "r-2",
                resume: [RunResume(interruptID: id.isEmpty ? asked[0].id : id, status: .resolved)]))
        expectEqual(runs.events(answer).last?.contains(#""code":"\#(code)""#), true)
    }

    @Test(
        "A tool of the client ends the run, and its answer goes on with the talk",
        arguments: [true, false] as [Bool])
    func clientTool(_ isAnswered: Bool) throws {
        var runs = RunStage(try shipped("refunds"))
        let stream = runs.ask("pick up my parcel", run: "r-1", version: "1.0")
        let finish = try #require(Self.finish(runs.events(stream)))
        guard case .success(let pending?)? = finish.outcome, let call = pending.first else {
            Issue.record("\(finish)")
            return
        }
        let message = RunMessage(
            id: "a-1", role: .tool, content: .text("2026-12-03"), toolCallID: call,
            error: isAnswered ? nil : "declined")
        runs.ask(RunInput(threadID: "thr", runID: "r-2", messages: [message]))
        let said = isAnswered ? "The van comes on 2026-12-03." : "Then ring us when you know the day."
        expectEqual(runs.told.last, "agent: \(said)")
    }

    @Test("A failure is an error for one, a notice for the other")
    func failure() throws {
        let script = try shipped("mishaps")
        var runs = RunStage(script)
        let stream = runs.ask("please fail")
        expectEqual(
            runs.events(stream).last,
            #"{"type":"RUN_ERROR","message":"The provider gave up.","code":"provider_timeout"}"#)
        expectEqual(runs.told.last, "agent: One moment.")
        let next = runs.ask("long")
        expectEqual(runs.types(next).last, "RUN_FINISHED")
    }

    @Test(
        "Whatever a shipped fixture tells keeps the order of the protocol",
        arguments: [
            "weather", "refunds", "webchat", "booking", "bank", "storyteller",
        ] as [String])
    func order(_ name: String) throws {
        let script = try shipped(name)
        for words in ["weather in Leeds", "trip to Porto", "refund", "pick up", "person", "hello", "card"] {
            var stage = RunStage(script)
            let stream = stage.ask(words, version: "1.0")
            var verifier = RunVerifier(profile: .v1, threadID: "thr", runID: "run")
            for event in stage.events(stream) {
                _ = try verifier.consume(try RunEventReader.read(Array(event.utf8)))
            }
            #expect(verifier.isComplete)
        }
    }

    @Test("Joining a thread tells the messages and the state as the client has them")
    func joining() throws {
        var stage = RunStage(try shipped("weather"))
        let stream = stage.ask("trip to Porto")
        var reducer = RunReducer(messages: [
            RunMessage(id: "u-1", role: .user, content: .text("trip to Porto"))
        ])
        for event in stage.events(stream) {
            _ = reducer.apply(try RunEventReader.read(Array(event.utf8)))
        }
        let joined = stage.replay()
        let events = try stage.events(joined).map { try RunEventReader.read(Array($0.utf8)) }
        expectEqual(
            events.map(\.type), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"])
        guard case .messagesSnapshot(let messages) = events[1].kind else { return }
        expectEqual(messages, reducer.messages)
        guard case .stateSnapshot(let state) = events[2].kind else { return }
        expectEqual(state, reducer.state)
        #expect(state["trip"]?["status"]?.string == "ready")
    }

    private static func finish(_ events: [String]) -> RunFinish? {
        guard let last = events.last, let event = try? RunEventReader.read(Array(last.utf8)),
            case .runFinished(let finish) = event.kind
        else { return nil }
        return finish
    }
}
