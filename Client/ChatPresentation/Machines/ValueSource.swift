import Clocks

/// Conversation whose messages come from the app. The app's back end stores them and executes the user's commands.
///
/// ```swift
/// let source = ValueSource(offers: [.reply, .edit]) { command in
///     if case .send(let text, _, _) = command { try await backend.post(text) }
/// }
/// source.show(ChatHistory(entries: messages, isOpen: true))   // each time that they change
/// ```
///
/// Screens update only the rows that have changed. Of entries with the same id, only one row is shown. The first
/// history is not announced. Rows that later histories add at the end are announced and count as unread.
public final class ValueSource: ChatSource {
    /// The optional actions on messages that the app's `execute` supports.
    public let offers: Set<MessageAction>
    /// Whether the app's `execute` can send files.
    public let takesFiles: Bool
    private let shown: Locked<HistoryScreens.View>
    private let screens = HistoryScreens()
    private let executing: @Sendable (ChatCommand) async throws -> Void

    /// Makes an empty conversation. `execute` is called on any thread.
    public init(
        offers: Set<MessageAction> = [], takesFiles: Bool = false,
        execute: @escaping @Sendable (ChatCommand) async throws -> Void
    ) {
        (self.offers, self.takesFiles, executing) = (offers, takesFiles, execute)
        shown = Locked(
            HistoryScreens.View(
                history: ChatHistory(isOpen: true), status: SourceStatus(.open), isBegun: false))
    }

    /// Shows this conversation on every screen. Can be called on any thread.
    public func show(_ history: ChatHistory, status: SourceStatus = SourceStatus(.open)) {
        shown.withLock { $0 = HistoryScreens.View(history: history, status: status) }
        screens.notify()
    }

    /// Subscribes a screen to the conversation. The subscription delivers the existing rows, then each later change.
    public func follow() -> ScreenFollowing { screens.follow { [shown] in shown.withLock { $0 } } }

    /// Passes the command on to the app.
    public func execute(_ command: ChatCommand) async throws { try await executing(command) }
}
