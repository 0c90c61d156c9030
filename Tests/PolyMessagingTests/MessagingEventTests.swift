import Expectations
import Foundation
import PolyMessaging
import Testing

@Suite("Events of a session")
struct MessagingEventTests {
    static let envelope = Envelope(
        id: "e1", sequence: 7, timestamp: Date(timeIntervalSince1970: 0),
        metadata: EventMetadata(custom: ["local_id": "l"]))

    /// One of every kind, by group.
    static let session: [MessagingEvent] = [
        .sessionStart(
            envelope, SessionStartPayload(capabilities: SessionCapabilities(heartbeatIntervalSeconds: 30))),
        .sessionEnd(envelope, SessionEndPayload(reason: "REASON_USER_END")), .sessionIdleWarning(envelope),
        .userMessage(envelope, UserMessageEchoPayload(messageId: "m", text: "t")), .userTyping(envelope),
        .userEndSession(envelope), .requestPolyAgentJoin(envelope),
        .systemMessage(envelope, SystemMessagePayload(message: "t")), .heartbeat(envelope),
        .languageChanged(envelope, LanguageChangedPayload(languageCode: "en-GB")),
    ]
    static let delivery: [MessagingEvent] = [
        .messagePending(draftId: "d", text: "t"), .messageConfirmed(draftId: "d", messageId: "m"),
        .messageFailed(draftId: "d"),
    ]
    static let agent: [MessagingEvent] = [
        .agentJoined(envelope, AgentJoinedPayload(agentName: "Ada")), .agentThinking(envelope),
        .agentMessage(
            envelope,
            AgentMessagePayload(
                messageId: "m", text: "Hello",
                responseSuggestions: [ResponseSuggestion(messageText: "Yes")], endConversation: true)),
        .agentMessageChunk(
            envelope,
            AgentMessageChunkPayload(messageId: "m", chunkIndex: 2, isComplete: true, text: "Hello")),
        .agentLeft(envelope, AgentLeftPayload()),
    ]
    static let live: [MessagingEvent] = [
        .liveAgentJoined(envelope, LiveAgentJoinedPayload(agentName: "Grace")),
        .liveAgentTyping(envelope, LiveAgentTypingPayload(state: .stopped)),
        .liveAgentMessage(envelope, LiveAgentMessagePayload(messageId: "m", text: "t")),
        .liveAgentLeft(envelope, LiveAgentLeftPayload(reason: "done")),
    ]
    static let handoff: [MessagingEvent] = [
        .agentTriggeredHandoff(envelope),
        .clientHandoffRequired(envelope, ClientHandoffRequiredPayload(reason: "w")),
        .handoffQueueStatus(envelope, HandoffQueueStatusPayload()),
        .handoffAccepted(envelope, HandoffAcceptedPayload(queueName: "q")),
        .handoffFailed(envelope, HandoffFailedPayload(reason: "w")),
        .handoffTimeout(envelope, HandoffTimeoutPayload()),
    ]
    static let connection: [MessagingEvent] = [
        .connected, .reconnecting(attempt: 2), .disconnected(nil),
        .disconnected(.session(.sessionExpired)),
    ]
    static let additions: [MessagingEvent] = [
        .messageChanged(envelope, MessageChangedPayload(messageId: "m", change: .text("t"), by: .user)),
        .messageReceipt(envelope, MessageReceiptPayload(messageId: "m", isRead: true, isByUser: false)),
    ]
    static let all = session + delivery + agent + live + handoff + connection + additions

    @Test("Only the SDK's own events have no envelope")
    func envelopes() {
        expectEqual(Self.all.filter { $0.envelope == nil }, Self.delivery + Self.connection)
        #expect(Self.all.compactMap(\.envelope).allSatisfy { $0 == Self.envelope })
    }

    @Test("Every group knows its events and no others")
    func groups() {
        expectEqual(Self.all.filter(\.isDeliveryEvent), Self.delivery)
        expectEqual(Self.all.filter(\.isAgentEvent), Self.agent)
        expectEqual(Self.all.filter(\.isLiveAgentEvent), Self.live)
        expectEqual(Self.all.filter(\.isHandoffEvent), Self.handoff)
        expectEqual(Self.all.filter(\.isConnectionEvent), Self.connection)
    }

    @Test("Summary and detail say nothing of optionals, and the summary is one line", arguments: all)
    func plain(_ event: MessagingEvent) {
        for text in [event.debugSummary, event.debugDetail] {
            #expect(!text.isEmpty)
            #expect(!text.contains("Optional(") && !text.contains("nil"))
        }
        #expect(!event.debugSummary.contains("\n"))
        #expect(event.debugSummary.last != " ")
    }

    @Test("A summary is the case, the place in the history and short facts")
    func summaries() {
        expectEqual(Self.session[0].debugSummary, "sessionStart #7 not streaming")
        expectEqual(Self.agent[2].debugSummary, "agentMessage #7 5 bytes")
        expectEqual(Self.agent[3].debugSummary, "agentMessageChunk #7 2 (last), 5 bytes")
        expectEqual(Self.handoff[1].debugSummary, "clientHandoffRequired #7 w")
        expectEqual(Self.handoff[2].debugSummary, "handoffQueueStatus #7")
        expectEqual(
            Self.connection.map(\.debugSummary),
            [
                "connected", "reconnecting attempt 2", "disconnected",
                "disconnected session(sessionExpired)",
            ])
    }

    @Test("A detail has every field that is there, one a line, with what was said")
    func detail() {
        let lines = Self.agent[2].debugDetail.split(separator: "\n")
        expectEqual(lines.first, "agentMessage #7 5 bytes")
        for line in [
            "id: e1", "metadata.local_id: l", "messageId: m", "text: Hello", "messageText: Yes",
            "endConversation: true",
        ] {
            #expect(lines.contains(Substring(line)))
        }
        #expect(!Self.agent[2].debugDetail.contains("agentName"))
        #expect(Self.session[0].debugDetail.contains("heartbeatIntervalSeconds: 30"))
        expectEqual(Self.delivery[1].debugDetail, "messageConfirmed\ndraftId: d\nmessageId: m")
        expectEqual(Self.delivery[2].debugDetail, "messageFailed\ndraftId: d")
    }
}
