import Expectations
import Foundation
import PolyMessaging
import Testing
import Texts

@Suite("Frames become events")
struct DecodingTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("DEC-34 SESSION_START tells its four capabilities, with id and sequence")
    func sessionStart() {
        let event = Reading.event(
            "SESSION_START",
            #"{"capabilities":{"streaming":true,"max_message_size_bytes":2048,"#
                + #""heartbeat_interval_seconds":15,"max_reconnect_attempts":4}}"#)
        let capabilities = SessionCapabilities(
            streaming: true, maxMessageSize: 2_048, heartbeatIntervalSeconds: 15, maxReconnectAttempts: 4)
        expectEqual(
            event, .sessionStart(Reading.envelope, SessionStartPayload(capabilities: capabilities)))
    }

    @Test("DEC-35 SESSION_END keeps its reason, and lives without one")
    func sessionEnd() {
        expectEqual(
            Reading.event("SESSION_END", #"{"reason":"REASON_USER_END"}"#),
            .sessionEnd(Reading.envelope, SessionEndPayload(reason: "REASON_USER_END")))
        expectEqual(
            Reading.event("SESSION_END", "{}"), .sessionEnd(Reading.envelope, SessionEndPayload()))
    }

    @Test("DEC-36, DEC-62 An agent's message keeps everything it carries")
    func agentMessage() throws {
        let event = Reading.event(
            "POLY_AGENT_MESSAGE",
            #"{"message_id":"m1","text":"Hello","agent_name":"Ada","avatar_url":"https://a.example/a.png","#
                + #""attachments":[{"content_type":"ATTACHMENT_CONTENT_TYPE_IMAGE","#
                + #""content_url":"https://a.example/i.png","title":"Map","#
                + #""preview_image_url":"https://a.example/p.png","call_to_action_text":"Open"}],"#
                + #""response_suggestions":[{"message_text":"Yes","payload":"y"}],"#
                + #""chat_call_actions":[{"title":"Call","contact_number":"+44 1"}],"end_conversation":true}"#
        )
        guard case .agentMessage(let envelope, let payload)? = event else {
            Issue.record("\(String(describing: event))")
            return
        }
        expectEqual(envelope, Reading.envelope)
        expectEqual(payload.messageId, "m1")
        expectEqual(payload.text, "Hello")
        expectEqual(payload.agentName, "Ada")
        try expectEqual(payload.avatarUrl, url("https://a.example/a.png"))
        #expect(payload.endConversation)
        let image = Attachment(
            contentType: .image, contentUrl: try url("https://a.example/i.png"), title: "Map",
            previewImageUrl: try url("https://a.example/p.png"), callToActionText: "Open")
        expectEqual(payload.attachments, [image])
        expectEqual(payload.responseSuggestions.map(\.messageText), ["Yes"])
        expectEqual(payload.responseSuggestions.map(\.payload), ["y"])
        expectEqual(payload.chatCallActions.map(\.title), ["Call"])
        expectEqual(payload.chatCallActions.map(\.contactNumber), ["+44 1"])
    }

    @Test("DEC-37 A chunk keeps message id, index, completion and text, call actions and end")
    func chunk() {
        let event = Reading.event(
            "POLY_AGENT_MESSAGE_CHUNK",
            #"{"message_id":"m1","chunk_index":3,"is_complete":true,"text":" world","#
                + #""chat_call_actions":[{"title":"Call","contact_number":"1"}],"end_conversation":true}"#)
        guard case .agentMessageChunk(_, let payload)? = event else {
            Issue.record("\(String(describing: event))")
            return
        }
        expectEqual(payload.messageId, "m1")
        expectEqual(payload.chunkIndex, 3)
        #expect(payload.isComplete)
        expectEqual(payload.text, " world")
        expectEqual(payload.chatCallActions.count, 1)
        #expect(payload.endConversation)
    }

    @Test("DEC-37 A chunk without text has no text, which is not an empty one")
    func chunkWithoutText() {
        let payload = AgentMessageChunkPayload(messageId: "m", chunkIndex: 0, isComplete: false, text: nil)
        expectEqual(
            Reading.event("POLY_AGENT_MESSAGE_CHUNK", #"{"message_id":"m"}"#),
            .agentMessageChunk(Reading.envelope, payload))
    }

    @Test(
        "DEC-38, DEC-39, DEC-40 A live agent types, stops, and types when the state is missing",
        arguments: [
            (#","state":"TYPING_STATE_STARTED""#, TypingState.started),
            (#","state":"TYPING_STATE_STOPPED""#, .stopped), ("", .started),
        ] as [(String, TypingState)])
    func liveTyping(_ state: String, expected: TypingState) {
        expectEqual(
            Reading.event("LIVE_AGENT_TYPING", #"{"agent_id":"a7"\#(state)}"#),
            .liveAgentTyping(
                Reading.envelope, LiveAgentTypingPayload(state: expected, agentId: "a7")))
    }

    @Test("DEC-47 A heartbeat needs neither id nor timestamp")
    func heartbeat() {
        let envelope = Envelope(
            id: "", sequence: nil, timestamp: Date(timeIntervalSince1970: 1_800_000_000))
        expectEqual(Reading.event(#"{"type":"EVENT_TYPE_HEARTBEAT"}"#), .heartbeat(envelope))
    }

    @Test("DEC-48, DEC-49 The joined agent's picture is `agent_avatar_url`, else `avatar_url`")
    func joined() throws {
        let both =
            #"{"agent_name":"Ada","agent_avatar_url":"https://a.example/1","avatar_url":"https://a.example/2"}"#
        try expectEqual(
            Reading.event("POLY_AGENT_JOINED", both),
            .agentJoined(
                Reading.envelope,
                AgentJoinedPayload(agentName: "Ada", avatarUrl: url("https://a.example/1"))))
        try expectEqual(
            Reading.event("POLY_AGENT_JOINED", #"{"avatar_url":"https://a.example/2"}"#),
            .agentJoined(
                Reading.envelope, AgentJoinedPayload(avatarUrl: url("https://a.example/2"))))
    }

    @Test("DEC-50 LIVE_AGENT_JOINED reads the agent inside")
    func liveJoined() throws {
        try expectEqual(
            Reading.event(
                "LIVE_AGENT_JOINED",
                #"{"agent":{"id":"a7","name":"Grace","avatar_url":"https://a.example/g"}}"#),
            .liveAgentJoined(
                Reading.envelope,
                LiveAgentJoinedPayload(
                    agentId: "a7", agentName: "Grace", avatarUrl: url("https://a.example/g"))))
    }

    @Test("DEC-51 SYSTEM_MESSAGE keeps words and level")
    func systemMessage() {
        expectEqual(
            Reading.event(
                "SYSTEM_MESSAGE", #"{"message":"down","level":"SYSTEM_MESSAGE_LEVEL_ERROR"}"#),
            .systemMessage(
                Reading.envelope, SystemMessagePayload(message: "down", level: .error)))
    }

    @Test("DEC-52 Half a mebibyte of text passes unshortened")
    func longText() {
        let text = String(repeating: "é", count: 256 * 1_024)
        expectEqual(
            Reading.event("USER_MESSAGE", #"{"message_id":"m","text":"\#(text)"}"#),
            .userMessage(Reading.envelope, UserMessageEchoPayload(messageId: "m", text: text)))
    }

    @Test("DEC-59 Flat fields of a live agent win over nested ones; a live message reads only flat ones")
    func liveFields() {
        expectEqual(
            Reading.event(
                "LIVE_AGENT_JOINED", #"{"agent_id":"flat","agent":{"id":"nested","name":"Grace"}}"#),
            .liveAgentJoined(
                Reading.envelope, LiveAgentJoinedPayload(agentId: "flat", agentName: "Grace")))
        expectEqual(
            Reading.event(
                "LIVE_AGENT_MESSAGE", #"{"message_id":"m","text":"Hi","agent":{"id":"n","name":"Grace"}}"#),
            .liveAgentMessage(
                Reading.envelope, LiveAgentMessagePayload(messageId: "m", text: "Hi")))
        expectEqual(
            Reading.event(
                "LIVE_AGENT_LEFT", #"{"agent_id":"a7","agent_name":"Grace","reason":"done"}"#),
            .liveAgentLeft(
                Reading.envelope,
                LiveAgentLeftPayload(agentId: "a7", agentName: "Grace", reason: "done")))
    }

    @Test("DEC-60 The place in the queue has an older name")
    func queueStatus() {
        let payload = HandoffQueueStatusPayload(
            position: 2, estimatedWaitSeconds: 60, queueName: "sales", displayMessage: "Soon")
        for place in ["position_in_queue", "position"] {
            expectEqual(
                Reading.event(
                    "HANDOFF_QUEUE_STATUS",
                    #"{"\#(place)":2,"estimated_wait_seconds":60,"queue_name":"sales","display_message":"Soon"}"#
                ),
                .handoffQueueStatus(Reading.envelope, payload))
        }
    }

    @Test("DEC-61 CLIENT_HANDOFF_REQUIRED keeps route, reason and queue")
    func handoffRequired() {
        expectEqual(
            Reading.event(
                "CLIENT_HANDOFF_REQUIRED", #"{"route":"r","reason":"w","queue_name":"q"}"#),
            .clientHandoffRequired(
                Reading.envelope,
                ClientHandoffRequiredPayload(route: "r", reason: "w", queueName: "q")))
    }

    @Test("The other steps of a handoff keep what they carry")
    func handoffSteps() {
        let envelope = Reading.envelope
        expectEqual(
            Reading.event("POLY_AGENT_TRIGGERED_HANDOFF", "{}"), .agentTriggeredHandoff(envelope))
        expectEqual(
            Reading.event("HANDOFF_ACCEPTED", #"{"queue_name":"q"}"#),
            .handoffAccepted(envelope, HandoffAcceptedPayload(queueName: "q")))
        expectEqual(
            Reading.event("HANDOFF_FAILED", #"{"reason":"w"}"#),
            .handoffFailed(envelope, HandoffFailedPayload(reason: "w")))
        expectEqual(
            Reading.event("HANDOFF_TIMEOUT", #"{"reason":"w"}"#),
            .handoffTimeout(envelope, HandoffTimeoutPayload(reason: "w")))
    }

    @Test("Echoes, the idle warning and the agent's small events arrive too")
    func smallEvents() {
        let envelope = Reading.envelope
        expectEqual(Reading.event("POLY_AGENT_THINKING", "{}"), .agentThinking(envelope))
        expectEqual(
            Reading.event("POLY_AGENT_LEFT", #"{"reason":"w"}"#),
            .agentLeft(envelope, AgentLeftPayload(reason: "w")))
        expectEqual(Reading.event("USER_TYPING", "{}"), .userTyping(envelope))
        expectEqual(Reading.event("USER_END_SESSION", "{}"), .userEndSession(envelope))
        expectEqual(Reading.event("REQUEST_POLY_AGENT_JOIN", "{}"), .requestPolyAgentJoin(envelope))
        expectEqual(Reading.event("SESSION_IDLE_WARNING", "{}"), .sessionIdleWarning(envelope))
    }

    @Test("DEC-63 Without capabilities: no streaming, one mebibyte, the rest unknown")
    func noCapabilities() {
        let expected = MessagingEvent.sessionStart(
            Reading.envelope, SessionStartPayload(capabilities: SessionCapabilities()))
        expectEqual(Reading.event("SESSION_START", "{}"), expected)
        expectEqual(Reading.event("SESSION_START", #"{"capabilities":null}"#), expected)
        expectEqual(SessionCapabilities().maxMessageSize, 1_048_576)
        #expect(!SessionCapabilities().streaming)
    }

    @Test("DEC-64 An unknown kind of attachment is unknown, an unknown level is info")
    func unknownWords() {
        guard
            case .agentMessage(_, let payload)? = Reading.event(
                "POLY_AGENT_MESSAGE",
                #"{"message_id":"m","text":"","attachments":[{"content_type":"ATTACHMENT_CONTENT_TYPE_3D"}]}"#
            )
        else {
            Issue.record("no message")
            return
        }
        expectEqual(payload.attachments.map(\.contentType), [.unknown])
        expectEqual(
            Reading.event("SYSTEM_MESSAGE", #"{"message":"m","level":"LOUD"}"#),
            .systemMessage(Reading.envelope, SystemMessagePayload(message: "m", level: .info)))
    }

    @Test("DEC-65 An empty address is none")
    func emptyAddress() {
        expectEqual(
            Reading.event("POLY_AGENT_JOINED", #"{"agent_avatar_url":"","avatar_url":""}"#),
            .agentJoined(Reading.envelope, AgentJoinedPayload()))
    }

    @Test("DEC-66 A whole number may be written with a fraction, not as text")
    func numbers() {
        for (text, expected) in [("2", 2), ("2.0", 2), (#""2""#, nil), ("null", nil)] as [(String, Int?)] {
            expectEqual(
                Reading.event("HANDOFF_QUEUE_STATUS", #"{"position":\#(text)}"#),
                .handoffQueueStatus(
                    Reading.envelope, HandoffQueueStatusPayload(position: expected)))
        }
    }

    @Test("DEC-72 LANGUAGE_CHANGED names the language")
    func language() {
        expectEqual(
            Reading.event("LANGUAGE_CHANGED", #"{"language_code":"en-GB"}"#),
            .languageChanged(Reading.envelope, LanguageChangedPayload(languageCode: "en-GB")))
    }

    @Test("DEC-73 One bad attachment does not take the others with it")
    func badAttachment() {
        guard
            case .agentMessage(_, let payload)? = Reading.event(
                "POLY_AGENT_MESSAGE",
                #"{"message_id":"m","text":"t","attachments":[{"title":"1"},"bad",7,{"title":"2"}]}"#)
        else {
            Issue.record("no message")
            return
        }
        expectEqual(payload.attachments.map(\.title), ["1", "2"])
    }

    @Test("Ids of suggestions are new for every event, and the same for the same seed")
    func suggestionIDs() {
        let frame = Reading.frame(
            "POLY_AGENT_MESSAGE",
            #"{"message_id":"m","text":"t","response_suggestions":[{"message_text":"a"},{"message_text":"b"}]}"#
        )
        func ids(_ inbound: WireMapping.Inbound) -> [UUID] {
            inbound.events.flatMap { event -> [UUID] in
                guard case .agentMessage(_, let payload) = event else { return [] }
                return payload.responseSuggestions.map(\.id)
            }
        }
        let both = ids(Reading.inbound(Reading.batch([frame, frame])))
        expectEqual(Set(both).count, 4)
        expectEqual(ids(Reading.inbound(frame)), Array(both.prefix(2)))
        #expect(both.allSatisfy { $0.uuidString.dropFirst(14).first == "4" })
    }
}
