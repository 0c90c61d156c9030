import ConversationEngine
import Expectations
import Testing

@Suite("Events in short")
struct EventSummaryTests {
    private static let ada = SpeakerProfile(id: "p", name: "Ada")

    @Test(
        "What was said comes before what else is to be known, and a name stands where there is neither",
        arguments: [
            (.userMessage(id: "m", text: "Hi"), .user, "Hi"),
            (.agentMessage(Message(id: "m", text: "Hello")), .agent, "Hello"),
            (.agentChunk(Chunk(messageID: "m", index: 1, isComplete: true, text: "He")), .agent, "He"),
            (.liveAgentMessage(Message(id: "m", text: "Yes"), ada), .liveAgent, "Yes"),
            (.liveAgentJoined(ada), .liveAgent, "Ada"),
            (.liveAgentLeft(ada, reason: "done"), .liveAgent, "Ada"),
            (.liveAgentTyping(.stopped, ada), .liveAgent, "Ada stopped"),
            (.userTyping(.started), .user, "started"),
            (.notice(.info, .words("Closed")), .system, "Closed"),
            (.handoffFailed(reason: "busy"), nil, "busy"),
            (.handoffAccepted(queueName: nil), nil, ""), (.sessionEnded(.user), nil, "user"),
            (.raw(type: "WEATHER", payload: "{}"), nil, "{}"), (.heartbeat, nil, ""),
        ] as [(Event, EventSummary.Speaker?, String)])
    func words(_ event: Event, _ speaker: EventSummary.Speaker?, _ words: String) {
        expectEqual(event.summary.speaker, speaker)
        expectEqual(event.summary.words, words)
    }

    @Test("A reply has its id, and a piece says whether it is the last")
    func replies() {
        let piece = Event.agentChunk(Chunk(messageID: "m", index: 1, isComplete: true, text: "He")).summary
        #expect(piece.message == "m" && piece.isComplete == true)
        expectEqual(Event.liveAgentMessage(Message(id: "m", text: "Yes"), Self.ada).summary.message, "m")
        expectEqual(Event.userMessage(id: "m", text: "Hi").summary.message, nil)
    }
}
