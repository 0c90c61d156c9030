/// State of a screen besides its rows: a failure over them, banners above them, and the permission to end the conversation.
///
/// | situation | cover | banners |
/// | --- | --- | --- |
/// | first connection, no rows yet | `loading` | connecting or reconnecting |
/// | the connection failed for good | `failed`, also over rows | none |
/// | reconnecting, with rows | none | reconnecting |
/// | the conversation has ended | none | none |
///
/// Until the end of the conversation, a device without a network also has the banner `offline`, as the first one.
///
/// ```swift
/// let state = ScreenState(chat, following.status)
/// if case .failed(let failure) = state.cover { print(failure.text, failure.canResume) }
/// ```
public struct ScreenState: Equatable, Sendable {
    /// View instead of the rows or over them.
    public enum Cover: Equatable, Sendable {
        /// No rows have arrived yet.
        case loading
        /// The conversation failed for good. Where the failure's `canResume` is true,
        /// ``ChatCommand/resume`` brings it back with its rows; else another one can be begun.
        case failed(SourceStatus.Failure)
    }

    /// A line above the rows.
    public enum Banner: Hashable, Sendable {
        case offline
        /// The first connection is being made.
        case connecting
        /// The connection is being made again.
        case reconnecting(attempt: Int)

        /// The key of the banner's text in ``ChatStrings``.
        public var key: String {
            switch self {
            case .offline: "conn.offline"
            case .connecting: "conn.connecting"
            case .reconnecting: "conn.reconnecting"
            }
        }

        /// The values for the placeholders of the text.
        public var arguments: ChatStrings.Arguments {
            if case .reconnecting(let attempt) = self { ["n": .number(attempt)] } else { [:] }
        }
    }

    /// The cover; nil if the rows can be used.
    public let cover: Cover?
    /// The banners, top first.
    public let banners: [Banner]
    /// Whether the menu offers to end the conversation.
    public let canEnd: Bool

    /// The state of a conversation's screen. `isOffline` is the news of the system's path monitor, a signal of its own: a
    /// socket may seem open for minutes after the network went.
    public init(_ chat: ChatModel, _ status: SourceStatus, isOffline: Bool = false) {
        let isOver = chat.ending != nil
        let isOpen = status.connection == .open
        if let failure = status.failure, !isOver {
            cover = .failed(failure)
        } else {
            cover = chat.rows.isEmpty && !isOpen && !isOver ? .loading : nil
        }
        var banners: [Banner] = isOffline && !isOver ? [.offline] : []
        switch status.connection {
        case .reconnecting(let attempt) where !isOver: banners.append(.reconnecting(attempt: attempt))
        case .connecting where !isOver: banners.append(.connecting)
        default: break
        }
        self.banners = banners
        canEnd = !isOver && status.failure == nil && (isOpen || !chat.rows.isEmpty)
    }
}
