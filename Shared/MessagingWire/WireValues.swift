import Texts

/// The capabilities in SESSION_START (protocol.md#event-session-start). Nil: the server did not send the value.
package struct WireCapabilities: Equatable, Sendable {
    package var streaming: Bool
    /// 0 or less: no limit.
    package var maxMessageSizeBytes: Int
    /// 0: no limit.
    package var maxReconnectAttempts: Int?
    /// 0: no heartbeats.
    package var heartbeatIntervalSeconds: Int?
    /// The session's extensions (extensions.md#asking). Not sent if empty.
    package var extensions: [String]

    /// Size that is assumed if the server sends none.
    package static let assumedMessageSizeBytes = 1_048_576

    package init(
        streaming: Bool = false, maxMessageSizeBytes: Int = assumedMessageSizeBytes,
        maxReconnectAttempts: Int? = nil, heartbeatIntervalSeconds: Int? = nil, extensions: [String] = []
    ) {
        self.streaming = streaming
        self.maxMessageSizeBytes = maxMessageSizeBytes
        self.maxReconnectAttempts = maxReconnectAttempts
        self.heartbeatIntervalSeconds = heartbeatIntervalSeconds
        self.extensions = extensions
    }

    init(_ object: JSONObject) {
        self.init(
            streaming: object.flag("streaming"),
            maxMessageSizeBytes: object.int("max_message_size_bytes") ?? Self.assumedMessageSizeBytes,
            maxReconnectAttempts: object.int("max_reconnect_attempts"),
            heartbeatIntervalSeconds: object.int("heartbeat_interval_seconds"),
            extensions: (object["extensions"]?.array ?? []).compactMap(\.string))
    }

    func write(to fields: inout WireFields) {
        fields.open("capabilities", UInt8(ascii: "{"))
        fields.field("streaming", streaming)
        fields.field("max_message_size_bytes", maxMessageSizeBytes)
        fields.field("max_reconnect_attempts", maxReconnectAttempts)
        fields.field("heartbeat_interval_seconds", heartbeatIntervalSeconds)
        if !extensions.isEmpty { fields.field("extensions", texts: extensions) }
        fields.close(UInt8(ascii: "}"))
    }
}

/// A live agent, or the sender of a reply. Nil: the server did not send the value.
package struct WirePerson: Equatable, Sendable {
    package var id: String?
    package var name: String?
    package var avatarURL: String?

    package init(id: String? = nil, name: String? = nil, avatarURL: String? = nil) {
        self.id = id
        self.name = name
        self.avatarURL = avatarURL
    }

    init(named object: JSONObject) {
        self.init(id: object.text("agent_id"), name: object.text("agent_name"))
    }

    func writeNamed(to fields: inout WireFields) {
        fields.field("agent_id", id)
        fields.field("agent_name", name)
    }

    /// Flat legacy fields take precedence over the nested object (protocol.md#event-live-agent-joined).
    init(joined object: JSONObject) {
        let nested = object.object("agent")
        self.init(
            id: object.text("agent_id") ?? nested.text("id"),
            name: object.text("agent_name") ?? nested.text("name"),
            avatarURL: object.link("avatar_url") ?? nested.link("avatar_url"))
    }

    func writeJoined(to fields: inout WireFields) {
        fields.open("agent", UInt8(ascii: "{"))
        fields.field("id", id)
        fields.field("name", name)
        fields.field("avatar_url", avatarURL)
        fields.close(UInt8(ascii: "}"))
    }
}

package struct WireQueueStatus: Equatable, Sendable {
    package var queueName: String?
    /// Counted from 1 at the front of the queue.
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

    init(_ object: JSONObject) {
        self.init(
            queueName: object.text("queue_name"),
            position: object.int("position_in_queue") ?? object.int("position"),
            estimatedWaitSeconds: object.int("estimated_wait_seconds"),
            displayMessage: object.text("display_message"))
    }

    func write(to fields: inout WireFields) {
        fields.field("queue_name", queueName)
        fields.field("position_in_queue", position)
        fields.field("estimated_wait_seconds", estimatedWaitSeconds)
        fields.field("display_message", displayMessage)
    }
}

package enum WireTyping: String, Sendable {
    case started = "TYPING_STATE_STARTED"
    case stopped = "TYPING_STATE_STOPPED"

    package init(isStarted: Bool) {
        self = isStarted ? .started : .stopped
    }

    /// A missing or unknown state counts as `started` (protocol.md#event-live-agent-typing).
    init(_ object: JSONObject) {
        self = object.text("state").flatMap { WireTyping(rawValue: $0) } ?? .started
    }
}

package enum WireLevel: String, Sendable {
    case info = "SYSTEM_MESSAGE_LEVEL_INFO"
    case warning = "SYSTEM_MESSAGE_LEVEL_WARNING"
    case error = "SYSTEM_MESSAGE_LEVEL_ERROR"

    init(_ object: JSONObject) {
        self = object.text("level").flatMap { WireLevel(rawValue: $0) } ?? .info
    }
}

/// Documented reasons of SESSION_END; servers may send others.
package enum WireEndReason {
    package static let user = "REASON_USER_END"
    package static let abandoned = "REASON_USER_ABANDONED"
    package static let natural = "REASON_NATURAL_END"
}
