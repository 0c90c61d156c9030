import Clocks

/// An event of a session, independent of the protocol.
package enum Event: Equatable, Sendable {
    case sessionStarted(SessionStart)
    case joinRequested
    case agentJoined(SpeakerProfile)
    case agentThinking
    /// The echo of a user's message, with an id from the server.
    case userMessage(id: MessageID, text: String)
    /// A file that the user has sent.
    indirect case userFile(UserFile)
    /// A message was changed after it was sent (extensions.md#event-ext-message-changed).
    indirect case messageChanged(MessageChange)
    case userTyping(TypingState)
    /// The echo of a client's request to end the session.
    case userEnded
    case heartbeat
    /// A complete reply that is not streamed.
    case agentMessage(Message)
    case agentChunk(Chunk)
    case agentLeft(reason: String?)
    case handoffTriggered
    /// The client has to route the user to a live agent.
    case clientHandoffRequired(reason: String?, queueName: String?, route: String?)
    case handoffAccepted(queueName: String?)
    case queueStatus(QueueStatus)
    case handoffFailed(reason: String?)
    case handoffTimedOut(reason: String?)
    case liveAgentJoined(SpeakerProfile)
    case liveAgentTyping(TypingState, SpeakerProfile)
    indirect case liveAgentMessage(Message, SpeakerProfile)
    case liveAgentLeft(SpeakerProfile, reason: String?)
    /// A live agent's state.
    case liveAgentStatus(LiveAgentStatus, SpeakerProfile)
    case languageChanged(code: String)
    case notice(NoticeLevel, NoticeText)
    case idleWarning
    case receipt(Receipt, messageID: String)
    case surveyRequested(title: String, question: String)
    case sessionEnded(EndReason)
    /// A scripted event that the engine does not know. `payload` is a JSON object.
    case raw(type: String, payload: String)

    package var kind: EventKind {
        switch self {
        case .sessionStarted: .sessionStarted
        case .joinRequested: .joinRequested
        case .agentJoined: .agentJoined
        case .agentThinking: .agentThinking
        case .userMessage: .userMessage
        case .userFile: .userFile
        case .messageChanged: .messageChanged
        case .userTyping: .userTyping
        case .userEnded: .userEnded
        case .heartbeat: .heartbeat
        case .agentMessage: .agentMessage
        case .agentChunk: .agentChunk
        case .agentLeft: .agentLeft
        case .handoffTriggered: .handoffTriggered
        case .clientHandoffRequired: .clientHandoffRequired
        case .handoffAccepted: .handoffAccepted
        case .queueStatus: .queueStatus
        case .handoffFailed: .handoffFailed
        case .handoffTimedOut: .handoffTimedOut
        case .liveAgentJoined: .liveAgentJoined
        case .liveAgentTyping: .liveAgentTyping
        case .liveAgentMessage: .liveAgentMessage
        case .liveAgentLeft: .liveAgentLeft
        case .liveAgentStatus: .liveAgentStatus
        case .languageChanged: .languageChanged
        case .notice: .notice
        case .idleWarning: .idleWarning
        case .receipt: .receipt
        case .surveyRequested: .surveyRequested
        case .sessionEnded: .sessionEnded
        case .raw: .raw
        }
    }
}

package enum EventKind: String, CaseIterable, Hashable, Sendable {
    case sessionStarted
    case joinRequested
    case agentJoined
    case agentThinking
    case userMessage
    case userFile
    case messageChanged
    case userTyping
    case userEnded
    case heartbeat
    case agentMessage
    case agentChunk
    case agentLeft
    case handoffTriggered
    case clientHandoffRequired
    case handoffAccepted
    case queueStatus
    case handoffFailed
    case handoffTimedOut
    case liveAgentJoined
    case liveAgentTyping
    case liveAgentMessage
    case liveAgentLeft
    case liveAgentStatus
    case languageChanged
    case notice
    case idleWarning
    case receipt
    case surveyRequested
    case sessionEnded
    case raw

    /// Index in ``allCases``: the byte that represents the case in memory.
    package var ordinal: Int { Int(withUnsafeBytes(of: self) { $0[0] }) }

    // The default implementation would hash the raw value, a string, which is slower.
    package func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }

    /// Whether events of this kind are journaled by default and numbered (protocol.md#what-is-transient).
    package var isJournaledByDefault: Bool {
        switch self {
        case .agentThinking, .userTyping, .heartbeat, .liveAgentTyping, .liveAgentStatus, .notice,
            .idleWarning,
            .receipt, .surveyRequested:
            false
        default: true
        }
    }
}

package struct UserFile: Equatable, Sendable {
    /// Id of the file; empty if messages do not refer to it.
    package var id: String
    package var name: String
    package var type: String
    package var byteCount: Int

    package init(id: String = "", name: String, type: String, byteCount: Int) {
        self.id = id
        self.name = name
        self.type = type
        self.byteCount = byteCount
    }

    /// The file as a message: `[menu.pdf]`.
    package var words: String { "[\(name)]" }

    /// Returns whether the media type matches `pattern`: a type, `image/*`, or `*`. Case and parameters are ignored.
    package func matches(_ pattern: String) -> Bool {
        let type = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        let pattern = pattern.lowercased()
        guard pattern.hasSuffix("*") else { return type == pattern }
        return type.hasPrefix(pattern.dropLast())
    }
}

/// The payload of SESSION_START (protocol.md#event-session-start).
package struct SessionStart: Equatable, Sendable {
    package var isStreaming: Bool
    package var maxMessageBytes: Int
    /// Maximum number of reconnection attempts; 0 for no limit.
    package var maxReconnectAttempts: Int
    /// Zero disables heartbeats.
    package var heartbeatIntervalSeconds: Int
    package var contextID: String?
    package var hasReceipts = false
    package var extensions: Extensions = []

    package init(
        isStreaming: Bool = false, maxMessageBytes: Int = 131_072, maxReconnectAttempts: Int = 5,
        heartbeatIntervalSeconds: Int = 30, contextID: String? = nil
    ) {
        self.isStreaming = isStreaming
        self.maxMessageBytes = maxMessageBytes
        self.maxReconnectAttempts = maxReconnectAttempts
        self.heartbeatIntervalSeconds = heartbeatIntervalSeconds
        self.contextID = contextID
    }
}

package struct SpeakerProfile: Equatable, Sendable {
    /// Id of a live agent; empty for the agent.
    package var id: String
    package var name: String
    package var avatar: String?

    package init(id: String = "", name: String, avatar: String? = nil) {
        self.id = id
        self.name = name
        self.avatar = avatar
    }
}

/// Message id such as `msg_u_4f1c09a2b35d7e60`, stored as prefix and number to save memory.
package struct MessageID: Equatable, Sendable, ExpressibleByStringInterpolation {
    let prefix: String
    /// The number of a generated id.
    let word: UInt64?

    /// Creates an id from `prefix` and the sixteen hexadecimal digits of `word`.
    package init(_ prefix: String, _ word: UInt64) {
        self.prefix = prefix
        self.word = word
    }

    package init(stringLiteral text: String) {
        prefix = text
        word = nil
    }

    package var text: String { word.map { UniqueID.text(prefix, $0) } ?? prefix }

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
}

package struct Message: Equatable, Sendable {
    package var id: String
    package var text: String
    package var parts: MessageParts

    package init(id: String, text: String, parts: MessageParts = MessageParts()) {
        self.id = id
        self.text = text
        self.parts = parts
    }
}

/// Chunk of a streamed reply.
package struct Chunk: Equatable, Sendable {
    package var messageID: String
    /// Index in the reply, from ``EngineOptions/firstChunkIndex`` (default 1).
    package var index: Int
    package var text: String
    package var parts: MessageParts
    // This flag is declared last because it needs no extra space there. A larger chunk could enlarge every event.
    package var isComplete: Bool

    package init(
        messageID: String, index: Int, isComplete: Bool, text: String, parts: MessageParts = MessageParts()
    ) {
        self.messageID = messageID
        self.index = index
        self.isComplete = isComplete
        self.text = text
        self.parts = parts
    }
}

package enum TypingState: Equatable, Sendable {
    case started
    case stopped
}

package enum LiveAgentStatus: String, Equatable, Sendable {
    case idle
    case returned
    case transferring
    /// The transfer has succeeded.
    case transferred
}

package enum NoticeLevel: String, Equatable, Sendable {
    case info
    case warning
    case error
}

/// Text of a notice.
package enum NoticeText: Equatable, Sendable {
    /// `detail` is added to the problem's text, for example the type of a refused event.
    case known(KnownProblem, detail: String?)
    case words(String)
}

package enum Receipt: String, CaseIterable, Equatable, Sendable {
    case userReceived
    case userRead
    case agentReceived
    case agentRead
    case liveAgentReceived
    case liveAgentRead
}

package enum EndReason: String, Equatable, Sendable {
    case natural
    case user
    case abandoned
}
