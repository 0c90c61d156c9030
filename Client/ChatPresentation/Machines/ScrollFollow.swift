/// Auto-scroll state: whether the list stays at its end when rows are added.
///
/// | event | at the end afterwards |
/// | --- | --- |
/// | the user scrolls up | no |
/// | the user's scroll stops within 24 points of the end | yes |
/// | the user's scroll stops farther away | unchanged |
/// | an own message, or the button "Jump to latest" | yes |
/// | the app scrolls to a row | no |
///
/// After each change of content or size, views scroll to ``target``, or to the end while ``isFollowing`` is true.
///
/// ```swift
/// var follow = ScrollFollow()
/// if let action = follow.take(.settled(distance: 400)) { _ = chat.apply(action, at: now) }
/// if follow.isFollowing { scrollToEnd() }
/// ```
public struct ScrollFollow: Equatable, Sendable {
    /// A scroll event of the list.
    public enum Event: Equatable, Sendable {
        /// The user scrolled up with a finger, wheel or key.
        case movedUp
        /// The user's scroll stopped this many points from the end.
        case settled(distance: Double)
        /// The user sent a message, or jumped to the latest message.
        case wentToEnd
        /// The app shows a row. ``ChatModel/rowID(ofMessage:)`` returns its id.
        case wentTo(row: String)
    }

    /// Maximum distance in points that counts as the end.
    public static let near = 24.0

    /// Whether the list stays at its end. Initially true.
    public private(set) var isFollowing = true
    /// The id of the row to show; nil once the user scrolls, or the list goes to its end.
    public private(set) var target: String?

    /// Makes the state of a list that is scrolled to its end.
    public init() {}

    /// Applies an event. Returns ``ChatAction/scrolledUp`` or ``ChatAction/reachedEnd`` for the model; nil if
    /// ``isFollowing`` has not changed.
    public mutating func take(_ event: Event) -> ChatAction? {
        let before = isFollowing
        target = nil
        switch event {
        case .movedUp: isFollowing = false
        case .settled(let distance): isFollowing = isFollowing || distance <= Self.near
        case .wentToEnd: isFollowing = true
        case .wentTo(let row): (isFollowing, target) = (false, row)
        }
        guard isFollowing != before else { return nil }
        return isFollowing ? .reachedEnd : .scrolledUp
    }
}

/// Button over the rows that scrolls to their end, with the number of messages that arrived below.
public struct JumpButton: Equatable, Sendable {
    /// Number of messages that arrived while the user had scrolled up.
    public let count: Int
    /// The key of the button's text in ``ChatStrings``.
    public var key: String { count > 0 ? "jump.new" : "jump.latest" }
    /// The values for the placeholders of the text.
    public var arguments: ChatStrings.Arguments { ["n": .number(count)] }

    /// Makes the button of a list; nil if the list is at its end or has no rows.
    public init?(_ chat: ChatModel, _ follow: ScrollFollow) {
        guard !follow.isFollowing, !chat.rows.isEmpty else { return nil }
        count = chat.below
    }
}

extension ChatModel {
    /// Returns the id of the row of a message, given the id of the message or of its draft; nil without a row.
    public func rowID(ofMessage id: String) -> String? {
        guard let slot = messages[id] ?? drafts[id], items[slot].isPlaced else { return nil }
        return items[slot].id
    }
}
