import AssistantEvents
import Clocks
import Foundation
import RunWire
import Testing
import Texts

/// Notes what it hears on the queue of the callbacks; read by the test.
private final class Ear: AIAssistantEventsDelegate, CometChatMessageDelegate {
    private let noted = Locked<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    private func note(_ line: String) { noted.withLock { $0.append(line) } }

    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
        note("\(event.type) \(event.id) \(type(of: event))")
        if let args = event as? AIAssistantToolArgumentEvent { note("args \(args.delta)") }
        if let card = event as? AIAssistantCardReceivedEvent {
            note("card \(card.getCard()?["title"] ?? "")")
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

@Suite("The names of the guide to AI agents", .serialized)
struct AssistantEventTests {
    /// The frames of an example's run.
    private func frames(_ name: String) throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/ag-ui")
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first {
                $0.hasPrefix(name) && $0.hasSuffix(".jsonl")
            })
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        let events = try text.split(separator: "\n").map { try RunEventReader.read(Array($0.utf8)) }
        return frames(events)
    }

    private func frames(_ events: [RunEvent]) -> [String] {
        var projection = AssistantProjection(
            AssistantProjection.Terms(agent: "agent-juno", user: "u-alex", parentID: 4_090, runID: 4_101))
        return events.flatMap { projection.frames(for: $0, seconds: 1_790_000_001) }
            .map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) }
    }

    /// What a listener hears of frames.
    private func heard(_ frames: [String]) async -> [String] {
        let ear = Ear()
        CometChat.addAIAssistantListener("test", ear)
        CometChat.addMessageListener("test", ear)
        for frame in frames { #expect(CometChat.receive(frame)) }
        await CometChat.settle()
        CometChat.removeAIAssistantListener("test")
        CometChat.removeMessageListener("test")
        CometChat.receive(frames[0])
        await CometChat.settle()
        return ear.lines
    }

    @Test("A run with a tool is told in the order of the guide; stored messages follow its end")
    func tool() async throws {
        #expect(
            await heard(try frames("02")) == [
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
        let stored = await heard(try frames("03")).drop { !$0.hasPrefix("arguments") }
        #expect(
            stored.map { $0.prefix { $0 != " " } } == [
                "arguments", "result", "arguments", "result", "assistant",
            ])
        #expect(await heard(try frames("09")).contains { $0.contains("card_declined") })
    }

    @Test("A run that failed ends without an end of its text, and an empty reply with the error follows")
    func failed() async throws {
        let frames = try frames("10")
        let lines = await heard(frames)
        #expect(!lines.contains { $0.hasPrefix("text_message_end") })
        #expect(
            lines.suffix(3).map { $0.prefix { $0 != " " } } == ["run_finished", "arguments", "assistant"])
        #expect(
            frames.last?.contains(
                #""error":{"message":"The model provider timed out.","code":"provider_timeout"}"#) == true)
    }

    @Test("Cards are told in three events, and are elements of the reply")
    func cards() async throws {
        let card: JSONValue = .object(["cardId": .string("c"), "card": .object(["title": .string("Tea")])])
        let lines = await heard(
            frames([
                RunEvent(.runStarted(RunStart(threadID: "t", runID: "r"))),
                RunEvent(.custom(name: "mock.card", value: card)),
                RunEvent(.runFinished(RunFinish(threadID: "t", runID: "r"))),
            ]))
        #expect(lines[1...4].map { $0.prefix { $0 != " " } } == ["card_start", "card", "card", "card_end"])
        #expect(lines[3] == "card Tea")
        #expect(lines.last?.contains("card ") == true)
    }

    @Test("A question is told as what the agent says")
    func interrupt() async throws {
        let lines = try frames("13a")
        #expect(
            lines.contains {
                $0.contains("Approve a £24.00 refund for O-19?") && $0.contains("text_message_content")
            })
        #expect(lines.contains { $0.contains("run_finished") })
    }

    @Test("Both spellings, digits in texts and unknown types are taken; what is no frame is passed over")
    func tolerance() async {
        func frame(_ type: String) -> String {
            #"{"type":"streamed_message","body":{"type":"\#(type)","id":"7","data":{}}}"#
        }
        #expect(
            await heard([frame("tool_call_started"), frame("tool_call_ended"), frame("new")]) == [
                "tool_call_started 7 AIAssistantToolStartedEvent",
                "tool_call_ended 7 AIAssistantToolEndedEvent", "new 7 AIAssistantBaseEvent",
            ])
        #expect(!CometChat.receive("x"))
        #expect(!CometChat.receive(#"{"type":"receipts","body":{}}"#))
    }

    @Test("A listener of the same name is replaced, and one that is gone hears nothing")
    func listeners() async throws {
        let (first, second) = (Ear(), Ear())
        let frames = try frames("01")
        CometChat.addAIAssistantListener("same", first)
        CometChat.addAIAssistantListener("same", second)
        do {
            let third = Ear()
            CometChat.addAIAssistantListener("gone", third)
        }
        for frame in frames { CometChat.receive(frame) }
        await CometChat.settle()
        #expect(first.lines.isEmpty && !second.lines.isEmpty)
        CometChat.removeAIAssistantListener("same")
        CometChat.removeAIAssistantListener("gone")
    }
}
