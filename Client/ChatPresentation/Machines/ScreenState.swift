/// State of a screen in addition to its rows: a cover, banners, and whether the user can end the conversation.
///
/// | situation | cover | banners |
/// | --- | --- | --- |
/// | connecting for the first time, no rows yet | `loading` | connecting or reconnecting |
/// | the conversation failed without a further retry | `failed`, even if there are rows | none |
/// | connecting or reconnecting, there are rows | none | connecting or reconnecting |
/// | the conversation has ended | none | none |
///
/// While the device has no network and the conversation has not ended, the first banner is `offline`.
///
/// ```swift
/// let state = ScreenState(chat, following.status)
/// if case .failed(let failure) = state.cover { print(failure.text, failure.canResume) }
/// ```
public struct ScreenState: Equatable, Sendable {
    /// View that is shown instead of the rows.
    public enum Cover: Equatable, Sendable {
        case loading
        /// The conversation failed. If the failure's `canResume` is true, ``ChatCommand/resume`` continues it with its
        /// rows; otherwise the user can begin another one.
        case failed(SourceStatus.Failure)
    }

    /// A line above the rows.
    public enum Banner: Hashable, Sendable {
        case offline
        case connecting
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

    /// The view that is shown instead of the rows; nil if the rows are shown.
    public let cover: Cover?
    /// The command of the button on the cover of a failure; nil without such a cover.
    public var recovery: ChatCommand? {
        guard case .failed(let failure)? = cover else { return nil }
        return failure.canResume ? .resume : .startNew
    }
    /// The banners, top first.
    public let banners: [Banner]
    /// Whether the menu offers to end the conversation.
    public let canEnd: Bool

    /// Makes the state of a conversation's screen. `isOffline`: the system reports no network (`NWPathMonitor` on Apple
    /// systems). `status` alone may show a lost network only after minutes, because the socket still seems open.
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
