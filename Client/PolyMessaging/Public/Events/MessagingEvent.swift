/// An event of a session. In a `switch`, include a `default` case, because later versions may add events.
///
/// ```swift
/// for await event in client.events {
///     switch event {
///     case .agentMessage(_, let reply): print(reply.text)
///     case .sessionEnd: return
///     default: break
///     }
/// }
/// ```
public enum MessagingEvent: Sendable, Equatable {
    // MARK: Session

    /// The session started, or a stored session was resumed.
    case sessionStart(Envelope, SessionStartPayload)
    /// The session is over.
    case sessionEnd(Envelope, SessionEndPayload)
    /// The session will end soon if no new message is sent.
    case sessionIdleWarning(Envelope)

    // MARK: User

    /// A message of the user, from the history or from another device, for which this client has no draft.
    case userMessage(Envelope, UserMessageEchoPayload)
    /// The user is typing on another device.
    case userTyping(Envelope)
    /// The user ended the session.
    case userEndSession(Envelope)
    /// A client requested that the agent join.
    case requestPolyAgentJoin(Envelope)
    /// The SDK has accepted a message for sending. Until the server confirms it, the message is called a draft.
    case messagePending(draftId: String, text: String)
    /// The server has received a draft. `messageId` is the server's id of the message.
    case messageConfirmed(draftId: String, messageId: String)
    /// A draft failed: it was not sent, or not confirmed in time. ``messageConfirmed`` can still follow.
    case messageFailed(draftId: String)

    // MARK: Agent

    /// The agent joined.
    case agentJoined(Envelope, AgentJoinedPayload)
    /// The agent is preparing a reply.
    case agentThinking(Envelope)
    /// A complete reply. For a streamed reply, this event comes after the last chunk.
    case agentMessage(Envelope, AgentMessagePayload)
    /// A chunk of a streamed reply.
    case agentMessageChunk(Envelope, AgentMessageChunkPayload)
    /// The agent left.
    case agentLeft(Envelope, AgentLeftPayload)
    /// The agent started a handoff.
    case agentTriggeredHandoff(Envelope)

    // MARK: Live agent

    /// A live agent joined.
    case liveAgentJoined(Envelope, LiveAgentJoinedPayload)
    /// A live agent has started or stopped typing.
    case liveAgentTyping(Envelope, LiveAgentTypingPayload)
    /// A live agent sent a message.
    case liveAgentMessage(Envelope, LiveAgentMessagePayload)
    /// The live agent left.
    case liveAgentLeft(Envelope, LiveAgentLeftPayload)

    // MARK: System

    /// A message of the server about the service.
    case systemMessage(Envelope, SystemMessagePayload)
    /// The server echoed a heartbeat.
    case heartbeat(Envelope)
    /// The conversation continues in another language.
    case languageChanged(Envelope, LanguageChangedPayload)

    /// A message was changed. Only in sessions with ``Configuration/extensions``.
    case messageChanged(Envelope, MessageChangedPayload)
    /// A message was received or read. Only in sessions with ``SessionExtension/receipts``.
    case messageReceipt(Envelope, MessageReceiptPayload)

    // MARK: Handoff

    /// The app has to move the user to another channel.
    case clientHandoffRequired(Envelope, ClientHandoffRequiredPayload)
    /// Status of the wait for a live agent.
    case handoffQueueStatus(Envelope, HandoffQueueStatusPayload)
    /// A live agent will come.
    case handoffAccepted(Envelope, HandoffAcceptedPayload)
    /// No live agent will come.
    case handoffFailed(Envelope, HandoffFailedPayload)
    /// No live agent came in time.
    case handoffTimeout(Envelope, HandoffTimeoutPayload)

    // MARK: Connection

    /// The connection was opened.
    case connected
    /// The connection was lost, and the client will reconnect. `attempt` counts from 1.
    case reconnecting(attempt: Int)
    /// The connection ended, and no reconnect is planned. The error is nil if the connection was closed on purpose.
    case disconnected(PolyError?)
}

extension MessagingEvent {
    /// The envelope of the event. Nil for events of the connection or of delivery, which the SDK creates.
    public var envelope: Envelope? {
        switch self {
        case .sessionStart(let envelope, _), .sessionEnd(let envelope, _), .sessionIdleWarning(let envelope),
            .userMessage(let envelope, _), .userTyping(let envelope), .userEndSession(let envelope),
            .requestPolyAgentJoin(let envelope), .agentJoined(let envelope, _),
            .agentThinking(let envelope), .agentMessage(let envelope, _),
            .agentMessageChunk(let envelope, _), .agentLeft(let envelope, _),
            .agentTriggeredHandoff(let envelope), .liveAgentJoined(let envelope, _),
            .liveAgentTyping(let envelope, _), .liveAgentMessage(let envelope, _),
            .liveAgentLeft(let envelope, _), .systemMessage(let envelope, _), .heartbeat(let envelope),
            .languageChanged(let envelope, _), .clientHandoffRequired(let envelope, _),
            .handoffQueueStatus(let envelope, _), .handoffAccepted(let envelope, _),
            .handoffFailed(let envelope, _), .handoffTimeout(let envelope, _),
            .messageChanged(let envelope, _), .messageReceipt(let envelope, _):
            envelope
        case .messagePending, .messageConfirmed, .messageFailed, .connected, .reconnecting, .disconnected:
            nil
        }
    }

    /// True for `connected`, `reconnecting` and `disconnected`.
    public var isConnectionEvent: Bool {
        switch self {
        case .connected, .reconnecting, .disconnected: true
        default: false
        }
    }

    /// Whether the event is the start of a handoff, or one of the five events that can follow it.
    public var isHandoffEvent: Bool {
        switch self {
        case .agentTriggeredHandoff, .clientHandoffRequired, .handoffQueueStatus, .handoffAccepted,
            .handoffFailed, .handoffTimeout:
            true
        default: false
        }
    }

    /// Whether the event says that the agent joined, is thinking, sent a message or a chunk, or left.
    public var isAgentEvent: Bool {
        switch self {
        case .agentJoined, .agentThinking, .agentMessage, .agentMessageChunk, .agentLeft: true
        default: false
        }
    }

    /// Whether the event is one of the four events of a live agent.
    public var isLiveAgentEvent: Bool {
        switch self {
        case .liveAgentJoined, .liveAgentTyping, .liveAgentMessage, .liveAgentLeft: true
        default: false
        }
    }

    /// Whether the event is one of the three events about the delivery of a draft.
    public var isDeliveryEvent: Bool {
        switch self {
        case .messagePending, .messageConfirmed, .messageFailed: true
        default: false
        }
    }
}
