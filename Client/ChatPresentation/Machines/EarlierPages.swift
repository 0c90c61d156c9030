/// Loading state of older messages, requested at the beginning of a list, one page at a time.
///
/// ```swift
/// var pages = EarlierPages()
/// if pages.reachedBeginning(of: chat) {
///     do {
///         try await source.execute(.loadEarlier)
///         pages.ended(isLoaded: true)
///     } catch {
///         pages.ended(isLoaded: false)
///     }
/// }
/// ```
public struct EarlierPages: Equatable, Sendable {
    /// Whether a page is being loaded, for an indicator above the rows.
    public private(set) var isLoading = false
    /// Whether the last page could not be loaded, for a button above the rows.
    public private(set) var hasFailed = false

    /// Makes the state of a list that has requested nothing.
    public init() {}

    /// Called when the user sees the first row. Returns whether to load a page. After a failure, only ``retry(_:)``
    /// returns true.
    public mutating func reachedBeginning(of chat: ChatModel) -> Bool {
        guard chat.hasEarlier, !isLoading, !hasFailed else { return false }
        isLoading = true
        return true
    }

    /// Called when the user has pressed the button. Returns whether to load a page.
    public mutating func retry(_ chat: ChatModel) -> Bool {
        hasFailed = false
        return reachedBeginning(of: chat)
    }

    /// Ends a request. `isLoaded` is false if the page could not be loaded.
    public mutating func ended(isLoaded: Bool) { (isLoading, hasFailed) = (false, !isLoaded) }
}
