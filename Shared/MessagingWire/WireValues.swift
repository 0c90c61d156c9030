/// What SESSION_START says the connection can do (protocol.md#event-session-start). nil: the server did not say.
package struct WireCapabilities: Equatable, Sendable {
    package var streaming: Bool
    /// 0 or less: the client does not check.
    package var maxMessageSizeBytes: Int
    /// 0: unlimited.
    package var maxReconnectAttempts: Int?
    /// 0: no heartbeats.
    package var heartbeatIntervalSeconds: Int?

    /// What clients assume for a size the server did not send.
    package static let assumedMessageSizeBytes = 1_048_576

    package init(
        streaming: Bool = false, maxMessageSizeBytes: Int = assumedMessageSizeBytes,
        maxReconnectAttempts: Int? = nil, heartbeatIntervalSeconds: Int? = nil
    ) {
        self.streaming = streaming
        self.maxMessageSizeBytes = maxMessageSizeBytes
        self.maxReconnectAttempts = maxReconnectAttempts
        self.heartbeatIntervalSeconds = heartbeatIntervalSeconds
    }
}

/// A live agent as events name it; nil for what is not known.
package struct WirePerson: Equatable, Sendable {
    package var id: String?
    package var name: String?
    package var avatarURL: String?

    package init(id: String? = nil, name: String? = nil, avatarURL: String? = nil) {
        self.id = id
        self.name = name
        self.avatarURL = avatarURL
    }
}

/// A whole reply of the agent, or of a live agent.
package struct WireMessage: Equatable, Sendable {
    package var messageID: String
    package var text: String
    package var attachments: [WireAttachment]
    package var suggestions: [WireSuggestion]
    package var callActions: [WireCallAction]
    /// The agent's only; a live agent's message does not carry it.
    package var endsConversation: Bool
    /// Who says it, where the event names a person.
    package var sender: WirePerson

    package init(
        messageID: String, text: String, attachments: [WireAttachment] = [],
        suggestions: [WireSuggestion] = [], callActions: [WireCallAction] = [],
        endsConversation: Bool = false,
        sender: WirePerson = WirePerson()
    ) {
        self.messageID = messageID
        self.text = text
        self.attachments = attachments
        self.suggestions = suggestions
        self.callActions = callActions
        self.endsConversation = endsConversation
        self.sender = sender
    }
}

/// One piece of a streamed reply.
package struct WireChunk: Equatable, Sendable {
    package var messageID: String
    package var index: Int
    package var isComplete: Bool
    /// nil: the event had none.
    package var text: String?
    package var attachments: [WireAttachment]
    package var suggestions: [WireSuggestion]
    package var callActions: [WireCallAction]
    package var endsConversation: Bool

    package init(
        messageID: String, index: Int, isComplete: Bool, text: String?, attachments: [WireAttachment] = [],
        suggestions: [WireSuggestion] = [], callActions: [WireCallAction] = [], endsConversation: Bool = false
    ) {
        self.messageID = messageID
        self.index = index
        self.isComplete = isComplete
        self.text = text
        self.attachments = attachments
        self.suggestions = suggestions
        self.callActions = callActions
        self.endsConversation = endsConversation
    }
}

/// A link card or an image (protocol.md#attachments).
package struct WireAttachment: Equatable, Sendable {
    package enum ContentType: String, Sendable {
        case url = "ATTACHMENT_CONTENT_TYPE_URL"
        case image = "ATTACHMENT_CONTENT_TYPE_IMAGE"
        /// Read from an event of a newer server; never written.
        case unknown = "ATTACHMENT_CONTENT_TYPE_UNKNOWN"
    }

    package var contentType: ContentType
    package var contentURL: String?
    package var previewImageURL: String?
    package var title: String?
    package var callToActionText: String?

    package init(
        contentType: ContentType, contentURL: String?, previewImageURL: String? = nil, title: String? = nil,
        callToActionText: String? = nil
    ) {
        self.contentType = contentType
        self.contentURL = contentURL
        self.previewImageURL = previewImageURL
        self.title = title
        self.callToActionText = callToActionText
    }
}

package struct WireSuggestion: Equatable, Sendable {
    package var messageText: String
    package var payload: String?

    package init(messageText: String, payload: String? = nil) {
        self.messageText = messageText
        self.payload = payload
    }
}

package struct WireCallAction: Equatable, Sendable {
    package var title: String
    package var contactNumber: String

    package init(title: String, contactNumber: String) {
        self.title = title
        self.contactNumber = contactNumber
    }
}

package struct WireQueueStatus: Equatable, Sendable {
    package var queueName: String?
    /// 1 is the front.
    package var position: Int?
    package var estimatedWaitSeconds: Int?
    package var displayMessage: String?

    package init(
        queueName: String? = nil, position: Int? = nil, estimatedWaitSeconds: Int? = nil,
        displayMessage: String? = nil
    ) {
        self.queueName = queueName
        self.position = position
        self.estimatedWaitSeconds = estimatedWaitSeconds
        self.displayMessage = displayMessage
    }
}

package enum WireTyping: String, Sendable {
    case started = "TYPING_STATE_STARTED"
    case stopped = "TYPING_STATE_STOPPED"

    package init(isStarted: Bool) {
        self = isStarted ? .started : .stopped
    }
}

package enum WireLevel: String, Sendable {
    case info = "SYSTEM_MESSAGE_LEVEL_INFO"
    case warning = "SYSTEM_MESSAGE_LEVEL_WARNING"
    case error = "SYSTEM_MESSAGE_LEVEL_ERROR"
}

/// The reasons the documentation lists for SESSION_END; servers may send others.
package enum WireEndReason {
    package static let user = "REASON_USER_END"
    package static let abandoned = "REASON_USER_ABANDONED"
    package static let natural = "REASON_NATURAL_END"
}
