import ClientSupport
import Clocks

// Event handlers of the app.
extension ChatSession {
    /// Once per `connect`, after its completion.
    public var onConnectionEstablished: (() -> Void)? {
        get { self[\.onConnectionEstablished] }
        set { self[\.onConnectionEstablished] = newValue }
    }

    /// Once per outage or suspension, when the chat is subscribed again.
    public var onConnectionReEstablished: (() -> Void)? {
        get { self[\.onConnectionReEstablished] }
        set { self[\.onConnectionReEstablished] = newValue }
    }

    /// Once per outage, when the connection is lost without being asked to close.
    public var onConnectionBroken: (() -> Void)? {
        get { self[\.onConnectionBroken] }
        set { self[\.onConnectionBroken] = newValue }
    }

    /// A ping was not answered in time, or not well; before `onConnectionBroken`.
    public var onDeepHeartbeatFailure: (() -> Void)? {
        get { self[\.onDeepHeartbeatFailure] }
        set { self[\.onDeepHeartbeatFailure] = newValue }
    }

    /// Each new item, and again when it changes.
    public var onMessageReceived: ((TranscriptItem) -> Void)? {
        get { self[\.onMessageReceived] }
        set { self[\.onMessageReceived] = newValue }
    }

    /// The whole list, once for all changes that came together.
    public var onTranscriptUpdated: ((TranscriptData) -> Void)? {
        get { self[\.onTranscriptUpdated] }
        set { self[\.onTranscriptUpdated] = newValue }
    }

    /// Once per chat.
    public var onChatEnded: (() -> Void)? {
        get { self[\.onChatEnded] }
        set { self[\.onChatEnded] = newValue }
    }

    /// Somebody is typing.
    public var onTyping: ((Event) -> Void)? {
        get { self[\.onTyping] }
        set { self[\.onTyping] = newValue }
    }

    /// A message was read; `participant` is the reader's id.
    public var onReadReceipt: ((Event) -> Void)? {
        get { self[\.onReadReceipt] }
        set { self[\.onReadReceipt] = newValue }
    }

    /// A message has arrived; `participant` is the reader's id.
    public var onDeliveredReceipt: ((Event) -> Void)? {
        get { self[\.onDeliveredReceipt] }
        set { self[\.onDeliveredReceipt] = newValue }
    }

    /// Somebody does nothing.
    public var onParticipantIdle: ((Event) -> Void)? {
        get { self[\.onParticipantIdle] }
        set { self[\.onParticipantIdle] = newValue }
    }

    /// Somebody is back.
    public var onParticipantReturned: ((Event) -> Void)? {
        get { self[\.onParticipantReturned] }
        set { self[\.onParticipantReturned] = newValue }
    }

    /// Somebody did nothing for too long.
    public var onAutoDisconnection: ((Event) -> Void)? {
        get { self[\.onAutoDisconnection] }
        set { self[\.onAutoDisconnection] = newValue }
    }

    /// Somebody is asked to join.
    public var onParticipantInvited: ((Event) -> Void)? {
        get { self[\.onParticipantInvited] }
        set { self[\.onParticipantInvited] = newValue }
    }

    /// A past session goes on.
    public var onChatRehydrated: ((Event) -> Void)? {
        get { self[\.onChatRehydrated] }
        set { self[\.onChatRehydrated] = newValue }
    }

    /// Another agent has taken over.
    public var onTransferSucceeded: ((Event) -> Void)? {
        get { self[\.onTransferSucceeded] }
        set { self[\.onTransferSucceeded] = newValue }
    }

    /// No other agent has taken over.
    public var onTransferFailed: ((Event) -> Void)? {
        get { self[\.onTransferFailed] }
        set { self[\.onTransferFailed] = newValue }
    }

    private subscript<Handler>(
        _ handler: any WritableKeyPath<Handlers, UncheckedBox<Handler>?> & Sendable
    ) -> Handler? {
        get { handlers.withLock { $0[keyPath: handler] }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0[keyPath: handler] = boxed }
        }
    }
}
