/// Auto-scroll: whether the rows follow new content. Only a scroll gesture of the reader ends it.
///
/// | event | follows then |
/// | --- | --- |
/// | the reader scrolled up | no |
/// | a scroll of the reader came to rest within 24 points of the end | yes |
/// | a scroll of the reader came to rest farther away | as before |
/// | an own message, the button "Jump to latest" | yes |
///
/// Views stay at the end whenever content or room change while ``isFollowing``, and leave the rows alone otherwise.
///
/// ```swift
/// var follow = ScrollFollow()
/// if let action = follow.take(.settled(distance: 400)) { _ = chat.apply(action, at: now) }
/// if follow.isFollowing { scrollToEnd() }
/// ```
public struct ScrollFollow: Equatable, Sendable {
    /// Event of the list of rows.
    public enum Event: Equatable, Sendable {
        /// The reader has actually moved the rows up with a finger, wheel or key.
        case movedUp
        /// A scroll of the reader came to rest this many points from the end.
        case settled(distance: Double)
        /// The reader sent a message, or jumped to the latest one.
        case wentToEnd
    }

    /// Points from the end that count as being there.
    public static let near = 24.0

    /// True at the beginning.
    public private(set) var isFollowing = true

    /// A view that shows its end.
    public init() {}

    /// Takes an event and returns the action for the model, ``ChatAction/scrolledUp`` or
    /// ``ChatAction/reachedEnd``; nil when nothing changed.
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
