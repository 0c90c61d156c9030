import Clocks

/// Conversation whose messages the app itself provides. The app's back end stores the messages and executes the user's
/// commands.
///
/// ```swift
/// let source = ValueSource(offers: [.reply, .edit]) { command in
///     if case .send(let text, _, _) = command { try await backend.post(text) }
/// }
/// source.show(ChatHistory(entries: messages, isOpen: true))   // each time that they change
/// ```
///
/// Screens update only the rows that have changed. If an entry occurs twice, only one row is shown.
public final class ValueSource: ChatSource {
    private struct State {
        var history: ChatHistory
        var status: SourceStatus
        var screens: [Int: Screen] = [:]
        var nextID = 0
    }

    private struct Screen {
        var hasNews = true
        let wake: @Sendable () -> Void
    }

    /// The optional actions on messages that the app's `execute` supports.
    public let offers: Set<MessageAction>
    /// Whether the app's `execute` can send files.
    public let takesFiles: Bool
    private let state: Locked<State>
    private let executing: @Sendable (ChatCommand) async throws -> Void

    /// Makes an empty conversation. `execute` executes the user's commands; it can be called on any thread.
    public init(
        offers: Set<MessageAction> = [], takesFiles: Bool = false,
        execute: @escaping @Sendable (ChatCommand) async throws -> Void
    ) {
        (self.offers, self.takesFiles, executing) = (offers, takesFiles, execute)
        state = Locked(State(history: ChatHistory(isOpen: true), status: SourceStatus(.open)))
    }

    /// Shows this conversation on every screen. Can be called on any thread.
    public func show(_ history: ChatHistory, status: SourceStatus = SourceStatus(.open)) {
        let wakes = state.withLock { state in
            (state.history, state.status) = (history, status)
            let wakes = state.screens.values.filter { !$0.hasNews }.map(\.wake)
            for id in state.screens.keys { state.screens[id]?.hasNews = true }
            return wakes
        }
        for wake in wakes { wake() }
    }

    /// Subscribes a screen to the conversation. The subscription delivers the existing rows, then each later change.
    public func follow() -> ScreenFollowing {
        ScreenFollowing { wake in
            let (id, status) = state.withLock { state in
                state.nextID += 1
                state.screens[state.nextID] = Screen(wake: wake)
                return (state.nextID, state.status)
            }
            let look = { [state] in
                state.withLock { state in
                    guard state.screens[id]?.hasNews == true else { return ScreenFollowing.News() }
                    state.screens[id]?.hasNews = false
                    return ScreenFollowing.News([.fill(state.history)], status: state.status)
                }
            }
            return (status, look, { [state] in state.withLock { $0.screens[id] = nil } })
        }
    }

    /// Passes the command on to the app.
    public func execute(_ command: ChatCommand) async throws { try await executing(command) }
}
