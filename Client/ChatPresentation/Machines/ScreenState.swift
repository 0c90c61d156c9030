public import PolyMessaging

/// State of a chat screen besides its rows: a cover over the rows, banners above them, and the menu item that ends the
/// conversation.
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
/// let state = ScreenState(chat, connection: .failed(reason: error), failure: error)
/// if case .failed(_, let canResume) = state.cover { print(canResume ? "resume()" : "start anew") }
/// ```
public struct ScreenState: Equatable, Sendable {
    /// View instead of the rows or over them.
    public enum Cover: Equatable, Sendable {
        /// No rows have arrived yet.
        case loading
        /// The connection failed and the SDK does not retry. If `canResume` is true, `resume()` reconnects and keeps
        /// the rows; otherwise only a new conversation is possible.
        case failed(reason: PolyError, canResume: Bool)
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

    /// Makes the state of a screen. `isOffline` comes from the system's path monitor, because a socket may seem open
    /// for minutes after the network is lost.
    public init(
        _ chat: ChatModel, connection: ConnectionStatus, failure: PolyError? = nil, isOffline: Bool = false
    ) {
        let isOver = chat.ending != nil
        if let failure, !isOver {
            cover = .failed(reason: failure, canResume: failure.isRetryable)
        } else {
            cover = chat.rows.isEmpty && !connection.isConnected && !isOver ? .loading : nil
        }
        var banners: [Banner] = isOffline && !isOver ? [.offline] : []
        switch connection {
        case .reconnecting(let attempt) where !isOver: banners.append(.reconnecting(attempt: attempt))
        case .connecting where !isOver: banners.append(.connecting)
        default: break
        }
        self.banners = banners
        canEnd = !isOver && failure == nil && (connection.isConnected || !chat.rows.isEmpty)
    }
}
