public import PolyMessaging

/// State of a screen besides its rows: a failure over them, banners above them, and the permission to end the conversation.
///
/// | connection | network | cover | banners |
/// | --- | --- | --- | --- |
/// | never open so far, no rows | there | `loading` | connecting, reconnecting |
/// | given up, refused | any | `failed`, over rows, too | offline where it is |
/// | being made again | none | – | offline, then reconnecting |
/// | any, the talk is over | any | – | none |
///
/// ```swift
/// let state = ScreenState(chat, connection: .failed(reason: error), failure: error)
/// if case .failed(_, let canResume) = state.cover { print(canResume ? "resume()" : "start anew") }
/// ```
public struct ScreenState: Equatable, Sendable {
    /// View in the place of the rows, or over them.
    public enum Cover: Equatable, Sendable {
        /// Nothing is there yet.
        case loading
        /// The talk does not work, and repairs itself no more. Where `canResume` is true, `resume()` brings it back
        /// with its rows; else another talk can be begun.
        case failed(reason: PolyError, canResume: Bool)
    }

    /// Line above the rows.
    public enum Banner: Hashable, Sendable {
        /// The device has no network.
        case offline
        /// The first connection is being made.
        case connecting
        /// The connection is being made again.
        case reconnecting(attempt: Int)

        /// The key of its words in ``ChatStrings``.
        public var key: String {
            switch self {
            case .offline: "conn.offline"
            case .connecting: "conn.connecting"
            case .reconnecting: "conn.reconnecting"
            }
        }

        /// The values for the placeholders of those words.
        public var arguments: ChatStrings.Arguments {
            if case .reconnecting(let attempt) = self { ["n": .number(attempt)] } else { [:] }
        }
    }

    /// The cover; nil where the rows can be used.
    public let cover: Cover?
    /// The banners, top first.
    public let banners: [Banner]
    /// The menu offers the end of the talk.
    public let canEnd: Bool

    /// The state of a session's screen. `isOffline` is the news of the system's path monitor, a signal of its own: a
    /// socket may seem open for minutes after the network went.
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
