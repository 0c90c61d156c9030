import MessagingWire

/// The app has to move the user to another channel: CLIENT_HANDOFF_REQUIRED
/// (protocol.md#event-client-handoff-required).
public struct ClientHandoffRequiredPayload: Sendable, Equatable {
    /// The destination, as agreed between app and agent.
    public var route: String?
    /// The agent's reason.
    public var reason: String?
    /// The name of the queue for live agents.
    public var queueName: String?

    /// Creates a payload with these properties.
    public init(route: String? = nil, reason: String? = nil, queueName: String? = nil) {
        self.route = route
        self.reason = reason
        self.queueName = queueName
    }
}

/// The user waits for a live agent: HANDOFF_QUEUE_STATUS (protocol.md#event-handoff-queue-status).
public struct HandoffQueueStatusPayload: Sendable, Equatable {
    /// The place in the queue, from 1.
    public var position: Int?
    /// The expected wait in seconds.
    public var estimatedWaitSeconds: Int?
    /// The name of the queue for live agents.
    public var queueName: String?
    /// The server's text about the wait, for the user.
    public var displayMessage: String?

    /// Creates a payload with these properties.
    public init(
        position: Int? = nil, estimatedWaitSeconds: Int? = nil, queueName: String? = nil,
        displayMessage: String? = nil
    ) {
        self.position = position
        self.estimatedWaitSeconds = estimatedWaitSeconds
        self.queueName = queueName
        self.displayMessage = displayMessage
    }
}

/// A live agent will come: HANDOFF_ACCEPTED (protocol.md#event-handoff-accepted).
public struct HandoffAcceptedPayload: Sendable, Equatable {
    /// The name of the queue for live agents.
    public var queueName: String?

    /// Creates a payload with these properties.
    public init(queueName: String? = nil) {
        self.queueName = queueName
    }
}

/// No live agent will come: HANDOFF_FAILED (protocol.md#event-handoff-failed).
public struct HandoffFailedPayload: Sendable, Equatable {
    /// The server's reason.
    public var reason: String?

    /// Creates a payload with these properties.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}

/// No live agent came in time: HANDOFF_TIMEOUT (protocol.md#event-handoff-timeout).
public struct HandoffTimeoutPayload: Sendable, Equatable {
    /// The server's reason.
    public var reason: String?

    /// Creates a payload with these properties.
    public init(reason: String? = nil) {
        self.reason = reason
    }
}

extension MessagingEvent {
    static func handoff(_ payload: WirePayload, _ envelope: Envelope) -> MessagingEvent? {
        switch payload {
        case .clientHandoffRequired(let reason, let queueName, let route):
            .clientHandoffRequired(envelope, .init(route: route, reason: reason, queueName: queueName))
        case .handoffAccepted(let queueName): .handoffAccepted(envelope, .init(queueName: queueName))
        case .handoffQueueStatus(let status):
            .handoffQueueStatus(
                envelope,
                .init(
                    position: status.position, estimatedWaitSeconds: status.estimatedWaitSeconds,
                    queueName: status.queueName, displayMessage: status.displayMessage))
        case .handoffFailed(let reason): .handoffFailed(envelope, .init(reason: reason))
        case .handoffTimeout(let reason): .handoffTimeout(envelope, .init(reason: reason))
        default: nil
        }
    }
}
