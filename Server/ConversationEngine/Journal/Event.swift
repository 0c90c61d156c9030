import Clocks

/// An event of a session, independent of the protocol.
package enum Event: Equatable, Sendable {
    /// The first entry of every journal.
    case sessionStarted(SessionStart)
    /// The echo of a client's join.
    case joinRequested
    case agentJoined(SpeakerProfile)
    case agentThinking
    /// The echo of a user's message, with an id from the server.
    case userMessage(id: MessageID, text: String)
    /// A file that the user sent, recorded after the service's scan. The file's bytes stay in the protocol's store.
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
    /// The client has to route the user to a live agent itself.
    case clientHandoffRequired(reason: String?, queueName: String?, route: String?)
    case handoffAccepted(queueName: String?)
    case queueStatus(QueueStatus)
    case handoffFailed(reason: String?)
    case handoffTimedOut(reason: String?)
    case liveAgentJoined(SpeakerProfile)
    case liveAgentTyping(TypingState, SpeakerProfile)
    indirect case liveAgentMessage(Message, SpeakerProfile)
    case liveAgentLeft(SpeakerProfile, reason: String?)
    /// A change of a live agent's state, for protocols that have an event for it. Never journaled.
    case liveAgentStatus(LiveAgentStatus, SpeakerProfile)
    case languageChanged(code: String)
    case notice(NoticeLevel, NoticeText)
    case idleWarning
    case receipt(Receipt, messageID: String)
    case surveyRequested(title: String, question: String)
    /// The last entry of every journal.
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

    /// The index in ``allCases``, read from the byte that represents the case in memory.
    package var ordinal: Int { Int(withUnsafeBytes(of: self) { $0[0] }) }

    // Hashes the index, because the default implementation would hash the raw value, a string, which is slower.
    package func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }

    /// Whether events of this kind are journaled by default and so have a sequence number
    /// (protocol.md#what-is-transient).
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
    /// The id of the file; empty if messages do not refer to it.
    package var id: String
    package var name: String
    /// The media type that the client named, such as `image/png`.
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

    /// Returns true if the file's media type matches `pattern`. A pattern is a media type, a kind of types such as
    /// `image/*`, or `*` for any file. Case and parameters such as `charset` are ignored.
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
    /// 0 means unlimited.
    package var maxReconnectAttempts: Int
    /// 0 disables heartbeats.
    package var heartbeatIntervalSeconds: Int
    package var contextID: String?
    /// True if the script itself sends receipts.
    package var hasReceipts = false
    /// The extensions of the session.
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

/// The profile of a speaker: the agent or a live agent.
package struct SpeakerProfile: Equatable, Sendable {
    /// The id of a live agent; empty for the agent.
    package var id: String
    package var name: String
    package var avatar: String?

    package init(id: String = "", name: String, avatar: String? = nil) {
        self.id = id
        self.name = name
        self.avatar = avatar
    }
}

/// The id of a message, such as `msg_u_4f1c09a2b35d7e60`, stored as prefix and number to save memory.
package struct MessageID: Equatable, Sendable, ExpressibleByStringInterpolation {
    private let prefix: String
    private let word: UInt64?

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

/// A chunk of a streamed reply. The last chunk also contains the parts besides the text.
package struct Chunk: Equatable, Sendable {
    package var messageID: String
    /// The index in the reply, counted from ``EngineOptions/firstChunkIndex`` (default 1).
    package var index: Int
    package var text: String
    package var parts: MessageParts
    // Declared last, where the flag needs no extra space. The largest case determines the size of every event.
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
    /// The live agent has requested a transfer.
    case transferring
    /// The transfer has succeeded; "left" and "joined" events follow.
    case transferred
}

package enum NoticeLevel: String, Equatable, Sendable {
    case info
    case warning
    case error
}

/// The text of a notice. For a documented problem, the dialect knows the text; otherwise the fixture contains it.
package enum NoticeText: Equatable, Sendable {
    /// `detail` completes the problem's text, for example with a refused event type.
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
