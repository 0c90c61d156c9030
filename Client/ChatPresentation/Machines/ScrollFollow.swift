/// Auto-scroll state: whether the list stays at its end when rows are added. Only scrolling up by the user turns
/// auto-scroll off.
///
/// | event | at the end afterwards |
/// | --- | --- |
/// | the user scrolls up | no |
/// | the user's scroll stops within 24 points of the end | yes |
/// | the user's scroll stops farther away | unchanged |
/// | an own message, or the button "Jump to latest" | yes |
///
/// Views scroll to the end after each change of content or size while ``isFollowing`` is true.
///
/// ```swift
/// var follow = ScrollFollow()
/// if let action = follow.take(.settled(distance: 400)) { _ = chat.apply(action, at: now) }
/// if follow.isFollowing { scrollToEnd() }
/// ```
public struct ScrollFollow: Equatable, Sendable {
    /// A scroll event of the list.
    public enum Event: Equatable, Sendable {
        /// The user has scrolled up with a finger, wheel or key.
        case movedUp
        /// The user's scroll stopped this many points from the end.
        case settled(distance: Double)
        /// The user sent a message, or jumped to the latest message.
        case wentToEnd
    }

    /// Maximum distance in points that counts as the end.
    public static let near = 24.0

    /// Whether the list stays at its end. Initially true.
    public private(set) var isFollowing = true

    /// Makes the state of a list that is scrolled to its end.
    public init() {}

    /// Applies an event. Returns the action for the model, ``ChatAction/scrolledUp`` or ``ChatAction/reachedEnd``; nil
    /// if nothing changed.
    public mutating func take(_ event: Event) -> ChatAction? {
        let before = isFollowing
        switch event {
        case .movedUp: isFollowing = false
        case .settled(let distance): isFollowing = isFollowing || distance <= Self.near
        case .wentToEnd: isFollowing = true
        }
        guard isFollowing != before else { return nil }
        return isFollowing ? .reachedEnd : .scrolledUp
    }
}
