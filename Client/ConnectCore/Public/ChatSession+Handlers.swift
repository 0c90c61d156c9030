import ClientSupport
import Clocks

// Event handlers of the app.
extension ChatSession {
    /// Once per `connect`, after its completion.
    public var onConnectionEstablished: (() -> Void)? {
        get { handlers.withLock { $0.onConnectionEstablished }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onConnectionEstablished = boxed }
        }
    }

    /// Once per outage or suspension, when the chat is subscribed again.
    public var onConnectionReEstablished: (() -> Void)? {
        get { handlers.withLock { $0.onConnectionReEstablished }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onConnectionReEstablished = boxed }
        }
    }

    /// Once per outage, when the connection is lost without being asked to close.
    public var onConnectionBroken: (() -> Void)? {
        get { handlers.withLock { $0.onConnectionBroken }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onConnectionBroken = boxed }
        }
    }

    /// A ping was not answered in time, or not well; before `onConnectionBroken`.
    public var onDeepHeartbeatFailure: (() -> Void)? {
        get { handlers.withLock { $0.onDeepHeartbeatFailure }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onDeepHeartbeatFailure = boxed }
        }
    }

    /// Each new item, and again when it changes.
    public var onMessageReceived: ((TranscriptItem) -> Void)? {
        get { handlers.withLock { $0.onMessageReceived }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onMessageReceived = boxed }
        }
    }

    /// The whole list, once for all changes that came together.
    public var onTranscriptUpdated: ((TranscriptData) -> Void)? {
        get { handlers.withLock { $0.onTranscriptUpdated }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onTranscriptUpdated = boxed }
        }
    }

    /// Once per chat.
    public var onChatEnded: (() -> Void)? {
        get { handlers.withLock { $0.onChatEnded }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onChatEnded = boxed }
        }
    }

    /// Somebody is typing.
    public var onTyping: ((Event) -> Void)? {
        get { handlers.withLock { $0.onTyping }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onTyping = boxed }
        }
    }

    /// A message was read; `participant` is the reader's id.
    public var onReadReceipt: ((Event) -> Void)? {
        get { handlers.withLock { $0.onReadReceipt }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onReadReceipt = boxed }
        }
    }

    /// A message has arrived; `participant` is the reader's id.
    public var onDeliveredReceipt: ((Event) -> Void)? {
        get { handlers.withLock { $0.onDeliveredReceipt }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onDeliveredReceipt = boxed }
        }
    }

    /// Somebody does nothing.
    public var onParticipantIdle: ((Event) -> Void)? {
        get { handlers.withLock { $0.onParticipantIdle }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onParticipantIdle = boxed }
        }
    }

    /// Somebody is back.
    public var onParticipantReturned: ((Event) -> Void)? {
        get { handlers.withLock { $0.onParticipantReturned }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onParticipantReturned = boxed }
        }
    }

    /// Somebody did nothing for too long.
    public var onAutoDisconnection: ((Event) -> Void)? {
        get { handlers.withLock { $0.onAutoDisconnection }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onAutoDisconnection = boxed }
        }
    }

    /// Somebody is asked to join.
    public var onParticipantInvited: ((Event) -> Void)? {
        get { handlers.withLock { $0.onParticipantInvited }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onParticipantInvited = boxed }
        }
    }

    /// A past session goes on.
    public var onChatRehydrated: ((Event) -> Void)? {
        get { handlers.withLock { $0.onChatRehydrated }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onChatRehydrated = boxed }
        }
    }

    /// Another agent has taken over.
    public var onTransferSucceeded: ((Event) -> Void)? {
        get { handlers.withLock { $0.onTransferSucceeded }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onTransferSucceeded = boxed }
        }
    }

    /// No other agent has taken over.
    public var onTransferFailed: ((Event) -> Void)? {
        get { handlers.withLock { $0.onTransferFailed }?.value }
        set {
            let boxed = newValue.map { UncheckedBox($0) }
            handlers.withLock { $0.onTransferFailed = boxed }
        }
    }
}
