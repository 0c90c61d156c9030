import Clocks

extension ChatSession {
    /// Called once when the chat is first connected, after the completion of `connect`.
    public var onConnectionEstablished: (() -> Void)? {
        get { self[\.onConnectionEstablished] }
        set { self[\.onConnectionEstablished] = newValue }
    }

    /// Called when the chat is subscribed again, once per outage or suspension.
    public var onConnectionReEstablished: (() -> Void)? {
        get { self[\.onConnectionReEstablished] }
        set { self[\.onConnectionReEstablished] = newValue }
    }

    /// Called once per outage, when the connection is lost unexpectedly.
    public var onConnectionBroken: (() -> Void)? {
        get { self[\.onConnectionBroken] }
        set { self[\.onConnectionBroken] = newValue }
    }

    /// Called when a ping gets no answer in time or a wrong answer. `onConnectionBroken` may follow.
    public var onDeepHeartbeatFailure: (() -> Void)? {
        get { self[\.onDeepHeartbeatFailure] }
        set { self[\.onDeepHeartbeatFailure] = newValue }
    }

    /// Called with each new item, and again after each change of the item.
    public var onMessageReceived: ((TranscriptItem) -> Void)? {
        get { self[\.onMessageReceived] }
        set { self[\.onMessageReceived] = newValue }
    }

    /// Called with the whole list of items after it has changed. Changes in quick succession may share one call.
    public var onTranscriptUpdated: ((TranscriptData) -> Void)? {
        get { self[\.onTranscriptUpdated] }
        set { self[\.onTranscriptUpdated] = newValue }
    }

    /// Called once per chat, at its end.
    public var onChatEnded: (() -> Void)? {
        get { self[\.onChatEnded] }
        set { self[\.onChatEnded] = newValue }
    }

    /// Called when a participant is typing.
    public var onTyping: ((Event) -> Void)? {
        get { self[\.onTyping] }
        set { self[\.onTyping] = newValue }
    }

    /// Called when a message was read; `participant` is the reader's id.
    public var onReadReceipt: ((Event) -> Void)? {
        get { self[\.onReadReceipt] }
        set { self[\.onReadReceipt] = newValue }
    }

    /// Called when a message was delivered; `participant` is the recipient's id.
    public var onDeliveredReceipt: ((Event) -> Void)? {
        get { self[\.onDeliveredReceipt] }
        set { self[\.onDeliveredReceipt] = newValue }
    }

    /// Called when a participant is idle.
    public var onParticipantIdle: ((Event) -> Void)? {
        get { self[\.onParticipantIdle] }
        set { self[\.onParticipantIdle] = newValue }
    }

    /// Called when an idle participant is active again.
    public var onParticipantReturned: ((Event) -> Void)? {
        get { self[\.onParticipantReturned] }
        set { self[\.onParticipantReturned] = newValue }
    }

    /// Called when a participant was disconnected for being idle too long.
    public var onAutoDisconnection: ((Event) -> Void)? {
        get { self[\.onAutoDisconnection] }
        set { self[\.onAutoDisconnection] = newValue }
    }

    /// Called when a participant is invited.
    public var onParticipantInvited: ((Event) -> Void)? {
        get { self[\.onParticipantInvited] }
        set { self[\.onParticipantInvited] = newValue }
    }

    /// Called when a past chat is continued.
    public var onChatRehydrated: ((Event) -> Void)? {
        get { self[\.onChatRehydrated] }
        set { self[\.onChatRehydrated] = newValue }
    }

    /// Called when a transfer to another agent succeeded.
    public var onTransferSucceeded: ((Event) -> Void)? {
        get { self[\.onTransferSucceeded] }
        set { self[\.onTransferSucceeded] = newValue }
    }

    /// Called when a transfer to another agent failed.
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
