import Clocks

/// The screens of a source that makes a new history for each update.
package final class HistoryScreens: Sendable {
    package struct View: Sendable {
        package var history: ChatHistory
        package var status: SourceStatus
        /// False before the app has shown a history.
        package var isBegun = true

        package init(history: ChatHistory, status: SourceStatus, isBegun: Bool = true) {
            (self.history, self.status, self.isBegun) = (history, status, isBegun)
        }
    }

    private struct Screen {
        var hasNews = true
        var isFilled = false
        let wake: @Sendable () -> Void
    }

    private let screens = Locked<(all: [Int: Screen], nextID: Int)>(([:], 0))

    package init() {}

    /// Marks that every screen has news, and wakes the screens that had none.
    package func notify() {
        let wakes = screens.withLock { screens in
            let wakes = screens.all.values.filter { !$0.hasNews }.map(\.wake)
            for id in screens.all.keys { screens.all[id]?.hasNews = true }
            return wakes
        }
        for wake in wakes { wake() }
    }

    /// Makes the subscription of a screen. `look` returns the current conversation.
    package func follow(_ look: @escaping @Sendable () -> View) -> ScreenFollowing {
        ScreenFollowing { wake in
            let id = screens.withLock { screens in
                screens.nextID += 1
                screens.all[screens.nextID] = Screen(wake: wake)
                return screens.nextID
            }
            let take = { [screens] in
                // The flag is cleared before `look` is called, so that a change during the call is not missed.
                let isFilled = screens.withLock { screens -> Bool? in
                    guard let screen = screens.all[id], screen.hasNews else { return nil }
                    screens.all[id]?.hasNews = false
                    return screen.isFilled
                }
                guard let isFilled else { return ScreenFollowing.News() }
                let view = look()
                screens.withLock { $0.all[id]?.isFilled = view.isBegun }
                let action: ChatAction = isFilled ? .update(view.history) : .fill(view.history)
                return ScreenFollowing.News([action], status: view.status)
            }
            return (look().status, take, { [screens] in screens.withLock { $0.all[id] = nil } })
        }
    }
}
