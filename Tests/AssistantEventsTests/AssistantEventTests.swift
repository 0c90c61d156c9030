import AgentRuns
import AssistantEvents
import Clocks
import Expectations
import Foundation
import MockKit
import RunWire
import Testing
import Texts

/// Notes what it hears on the queue of the callbacks; read by the test.
private final class Ear: AIAssistantEventsDelegate, CometChatMessageDelegate {
    private let noted = Locked<[String]>([])
    private let told = Locked("")

    var lines: [String] { noted.withLock { $0 } }
    /// All pieces of text, joined.
    var deltas: String { told.withLock { $0 } }

    private func note(_ line: String) { noted.withLock { $0.append(line) } }

    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
        note("\(event.type) \(event.id) \(type(of: event))")
        if let args = event as? AIAssistantToolArgumentEvent { note("args \(args.delta)") }
        if let card = event as? AIAssistantCardReceivedEvent {
            note("card \(card.getCard()?["title"] ?? "")")
        }
        if let content = event as? AIAssistantContentReceivedEvent {
            told.withLock { $0 += content.delta }
        }
    }

    func onAIAssistantMessageReceived(_ message: AIAssistantMessage) {
        let parts = (message.getElements() ?? []).map { "\($0.getType()) \($0.getData() ?? "")" }
        note("assistant \(message.id) \(message.text) \(parts)")
    }

    func onAIToolResultMessageReceived(_ message: AIToolResultMessage) {
        note("result \(message.id) \(message.toolCallId) \(message.text)")
    }

    func onAIToolArgumentsMessageReceived(_ message: AIToolArgumentMessage) {
        note("arguments \(message.id) \(message.toolCalls.map(\.function.name))")
    }
}

@Suite("The names of the guide to AI agents", .serialized, .timeLimit(.minutes(5)))
struct AssistantEventTests {
    /// The events of an example's run.
    private func events(_ name: String) throws -> [RunEvent] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/ag-ui")
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first {
                $0.hasPrefix(name) && $0.hasSuffix(".jsonl")
            })
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return try text.split(separator: "\n").map { try RunEventReader.read(Array($0.utf8)) }
    }

    /// Feeds a center with the events of a run.
    private func tell(_ events: [RunEvent], to center: AgentRunCenter) {
        for (index, event) in events.enumerated() {
            center.runDidReceive(
                AgentRunEvent(
                    threadID: "t", runID: "r", index: index,
                    receivedAt: Instant(secondsSince1970: 1_790_000_001),
                    event))
        }
    }

    /// A listener that hears while `body` runs.
    private func heard(_ body: () async throws -> Void) async rethrows -> Ear {
        let ear = Ear()
        CometChat.addAIAssistantListener("test", ear)
        CometChat.addMessageListener("test", ear)
        try await body()
        await CometChat.settle()
        CometChat.removeAIAssistantListener("test")
        CometChat.removeMessageListener("test")
        CometChat.receive(#"{"type":"streamed_message","body":{"type":"late"}}"#)
        await CometChat.settle()
        return ear
    }

    /// The same for the events of a run; `then` may add what happens to its center.
    private func heard(
        _ events: [RunEvent], then: (AgentRunCenter) -> Void = { _ in }
    ) async -> Ear {
        let center = AgentRunCenter()
        CometChat.addAgentRuns("test", center, firstID: 4_101)
        let ear = await heard {
            tell(events, to: center)
            then(center)
        }
        CometChat.removeAgentRuns("test")
        return ear
    }

    @Test("A run with a tool is told in the order of the guide; stored messages follow its end")
    func tool() async throws {
        await expectEqual(
            heard(try events("02")).lines,
            [
                "run_started 4101 AIAssistantRunStartedEvent",
                "tool_call_start 4101 AIAssistantToolStartedEvent",
                "tool_call_args 4101 AIAssistantToolArgumentEvent", #"args {"city":"Leeds","unit":"C"}"#,
                "tool_call_end 4101 AIAssistantToolEndedEvent",
                "tool_call_result 4101 AIAssistantToolResultEvent",
                "text_message_start 4101 AIAssistantRunStartedEvent",
                "text_message_content 4101 AIAssistantContentReceivedEvent",
                "text_message_content 4101 AIAssistantContentReceivedEvent",
                "text_message_end 4101 AIAssistantMessageEndedEvent",
                "run_finished 4101 AIAssistantRunFinishedEvent", #"arguments 4102 ["get_weather"]"#,
                #"result 4103 tc-1 {"tempC":11,"sky":"overcast"}"#,
                #"assistant 4104 It is 11 °C and overcast in Leeds. ["text It is 11 °C and overcast in Leeds."]"#,
            ])
    }

    @Test("Two turns are stored one after the other; a tool that failed is a result like any other")
    func turns() async throws {
        let stored = await heard(try events("03")).lines.drop { !$0.hasPrefix("arguments") }
        expectEqual(
            stored.map { $0.prefix { $0 != " " } },
            [
                "arguments", "result", "arguments", "result", "assistant",
            ])
        #expect(await heard(try events("09")).lines.contains { $0.contains("card_declined") })
    }

    @Test("A run that failed ends without an end of its text, and an empty reply with the error follows")
    func failed() async throws {
        let lines = await heard(try events("10")).lines
        #expect(!lines.contains { $0.hasPrefix("text_message_end") })
        expectEqual(
            lines.suffix(3).map { $0.prefix { $0 != " " } }, ["run_finished", "arguments", "assistant"])
        let reply = try #require(lines.last)
        #expect(reply.hasPrefix(#"assistant 4103  ["error "#))
        #expect(reply.contains("The model provider timed out.") && reply.contains("provider_timeout"))
    }

    @Test("A run that ends early is over for its listeners, and so is one that begins with an error")
    func left() async throws {
        let start = RunEvent(.runStarted(RunStart(threadID: "t", runID: "r")))
        let cut = await heard([start], then: { $0.runWasInterrupted("r", .connectionLost) }).lines
        expectEqual(cut.map { $0.prefix { $0 != " " } }, ["run_started", "run_finished", "assistant"])
        expectEqual(cut.last?.contains("connectionLost"), true)
        let refused = await heard([RunEvent(.runError(RunError(message: "No model.")))]).lines
        expectEqual(refused.map { $0.prefix { $0 != " " } }, ["run_started", "run_finished", "assistant"])
        expectEqual(refused.last?.contains("No model."), true)
    }

    @Test("Cards are told in three events, and are elements of the reply")
    func cards() async throws {
        let card: Texts.JSONValue = .object([
            "cardId": .string("c"), "card": .object(["title": .string("Tea")]),
        ])
        let lines = await heard([
            RunEvent(.runStarted(RunStart(threadID: "t", runID: "r"))),
            RunEvent(.custom(name: "mock.card", value: card)),
            RunEvent(.runFinished(RunFinish(threadID: "t", runID: "r"))),
        ]).lines
        expectEqual(lines[1...4].map { $0.prefix { $0 != " " } }, ["card_start", "card", "card", "card_end"])
        expectEqual(lines[3], "card Tea")
        expectEqual(lines.last?.contains("card "), true)
    }

    @Test("A question is told as what the agent says")
    func interrupt() async throws {
        let ear = await heard(try events("13a"))
        #expect(ear.deltas.contains("Approve a £24.00 refund for O-19?"))
        #expect(ear.lines.contains { $0.hasPrefix("text_message_content") })
        #expect(ear.lines.contains { $0.hasPrefix("run_finished") })
        expectEqual(ear.lines.last?.contains("Approve a £24.00 refund for O-19?"), true)
    }

    @Test("The listeners of the guide hear what an agent of the server does")
    func walk() async throws {
        let mock = try await Mock.start(MockPlan("weather"))
        let center = AgentRunCenter()
        CometChat.addAgentRuns("test", center)
        let thread = AGUIThread(agent: try mock.agent(center: center), threadID: "thread-1")
        let ear = try await heard {
            _ = try await thread.send("weather in Leeds")
            _ = try await mock.letTimePass { try await thread.runToCompletion() }
        }
        CometChat.removeAgentRuns("test")
        await mock.stop()
        var kinds: [Substring] = []
        for line in ear.lines.map({ $0.prefix { $0 != " " } }) where line != kinds.last { kinds.append(line) }
        expectEqual(
            kinds,
            [
                "run_started", "tool_call_start", "tool_call_args", "args", "tool_call_end",
                "tool_call_result", "text_message_start", "text_message_content", "text_message_end",
                "run_finished", "arguments", "result", "assistant",
            ])
        #expect(ear.deltas.contains("Here is the weather of Leeds."))
    }

    @Test("Both spellings, digits in texts and unknown types are taken; what is no frame is passed over")
    func tolerance() async {
        func frame(_ type: String) -> String {
            #"{"type":"streamed_message","body":{"type":"\#(type)","id":"7","data":{}}}"#
        }
        let ear = await heard {
            for type in ["tool_call_started", "tool_call_ended", "new"] {
                #expect(CometChat.receive(frame(type)))
            }
            #expect(
                CometChat.receive(
                    #"{"type":"message","body":{"category":"agentic","type":"assistant","id":8,"data":{"text":"Hi"}}}"#
                ))
        }
        expectEqual(
            ear.lines,
            [
                "tool_call_started 7 AIAssistantToolStartedEvent",
                "tool_call_ended 7 AIAssistantToolEndedEvent", "new 7 AIAssistantBaseEvent",
                "assistant 8 Hi []",
            ])
        #expect(!CometChat.receive("x"))
        #expect(!CometChat.receive(#"{"type":"receipts","body":{}}"#))
    }

    @Test("A listener of the same name is replaced, and one that is gone hears nothing")
    func listeners() async throws {
        let (first, second, center) = (Ear(), Ear(), AgentRunCenter())
        CometChat.addAgentRuns("same", AgentRunCenter())
        CometChat.addAgentRuns("same", center)
        CometChat.addAIAssistantListener("same", first)
        CometChat.addAIAssistantListener("same", second)
        do {
            let third = Ear()
            CometChat.addAIAssistantListener("gone", third)
        }
        tell(try events("01"), to: center)
        await CometChat.settle()
        #expect(first.lines.isEmpty && !second.lines.isEmpty)
        let count = second.lines.count
        CometChat.removeAgentRuns("same")
        tell(try events("01"), to: center)
        await CometChat.settle()
        expectEqual(second.lines.count, count)
        CometChat.removeAIAssistantListener("same")
        CometChat.removeAIAssistantListener("gone")
    }
}
