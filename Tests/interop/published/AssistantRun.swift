import AgentRuns
import AssistantEvents
import Foundation

/// Runs four agents of the server whose address is the first argument, with the two listeners of CometChat's guide
/// (`assistant.py`). The listeners print what they receive; this file prints only the names of the runs.
@main
struct AssistantRun {
    static func main() async throws {
        guard let address = CommandLine.arguments.last else { return }
        let center = AgentRunCenter()
        CometChat.addAgentRuns("desk", center)
        let (events, messages, last) = (AIAssistantEventHandler(), MessageHandler(), LastReply())
        events.addListener()
        CometChat.addMessageListener(listenerId, messages)
        // Listeners are called in the order of their ids: this one is called after those of the guide.
        CometChat.addMessageListener("zz", last)
        CometChat.addAIAssistantListener("zz", last)

        let agent = { (name: String) throws -> AGUIThread in
            guard let url = URL(string: "\(address)/ag-ui/\(name)") else { throw URLError(.badURL) }
            return AGUIThread(
                agent: AGUIAgent(configuration: AGUIConfiguration(url: url), center: center),
                threadID: ThreadID(rawValue: name))
        }
        let run = { (name: String, thread: AGUIThread) async in
            // A failed run is one of the cases: its listeners receive an end and a reply, too.
            _ = try? await thread.runToCompletion()
            await last.reply()
            print("-- \(name)")
        }

        let weather = try agent("weather")
        _ = try await weather.send("weather in Leeds")
        await run("weather", weather)

        let refunds = try agent("refunds")
        _ = try await refunds.send("refund order 19")
        await run("refunds", refunds)
        let answers = await refunds.pendingInterrupts.map {
            ResumeEntry(interruptID: $0.id, status: .resolved, payload: .object(["approved": .bool(true)]))
        }
        _ = try await refunds.resume(answers)
        await run("refunds, approved", refunds)

        let cut = try agent("mishaps+cut")
        _ = try await cut.send("hello")
        await run("mishaps+cut", cut)

        events.removeListener()
        CometChat.receive(#"{"type":"streamed_message","body":{"type":"late","id":99,"data":{}}}"#)
        await last.reply()
        withExtendedLifetime((events, messages)) {}
    }
}

/// Waits for the last callback of a run.
final class LastReply: AIAssistantEventsDelegate, CometChatMessageDelegate {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    }

    func reply() async {
        for await _ in stream { return }
    }

    func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
        if event.type == "late" { continuation.yield() }
    }

    func onAIAssistantMessageReceived(_ aiAssistantMessage: AIAssistantMessage) {
        continuation.yield()
    }
}
