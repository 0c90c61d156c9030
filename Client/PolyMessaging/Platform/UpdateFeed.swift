package import Clocks

/// Everything the client tells, in one order, and the chat as it stands for those who begin to listen later
/// (client-sdk 2.18).
package final class UpdateFeed: Sendable {
    package enum Item: Sendable {
        case update(ClientUpdate, at: Instant, number: Int)
        /// Time has passed.
        case tick
        /// Whoever sent it knows now that everything before it has been taken.
        case mark(Int)
    }

    private struct State {
        /// How many updates there were.
        var number = 0
        var completed: ChatTranscript
        var progressive: ChatTranscript
        var session = SessionState(
            sessionId: nil, status: .unknown, isReady: false, isLoading: false, error: nil)
        var marks = 0
        var isFinished = false
    }

    private let state: Locked<State>
    private let items = Multicast<Item>()

    package init(generator: SeededGenerator) {
        state = Locked(
            State(
                completed: ChatTranscript(isProgressive: false, generator: generator),
                progressive: ChatTranscript(isProgressive: true, generator: generator)))
    }

    // MARK: Telling

    /// Called from one thread at a time.
    package func tell(_ update: ClientUpdate, at now: Instant) {
        let number = state.withLock { state in
            state.number += 1
            state.completed.advance(to: now)
            state.completed.apply(update, at: now)
            state.progressive.advance(to: now)
            state.progressive.apply(update, at: now)
            if case .sessionState(let session) = update { state.session = session }
            return state.number
        }
        items.send(.update(update, at: now, number: number))
    }

    /// Takes a row away for those who begin to listen later.
    package func removeMessage(draftID: String) {
        state.withLock { state in
            state.completed.removeMessage(draftID: draftID)
            state.progressive.removeMessage(draftID: draftID)
        }
    }

    package func tick() {
        items.send(.tick)
    }

    /// - Returns: the number of the mark; nil when nobody will see it, because the feed has ended.
    package func mark(_ remember: (Int) -> Void) -> Bool {
        let number = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.marks += 1
            return state.marks
        }
        guard let number else { return false }
        remember(number)
        items.send(.mark(number))
        return true
    }

    package func finish() {
        state.withLock { $0.isFinished = true }
        items.finish()
    }

    // MARK: Listening

    /// The chat so far, the number of the last update in it, and everything that comes after.
    package func subscribe(
        progressively: Bool
    ) -> (transcript: ChatTranscript, number: Int, items: AsyncStream<Item>) {
        let items = items.subscribe()
        let (transcript, number) = state.withLock { state in
            (progressively ? state.progressive : state.completed, state.number)
        }
        return (transcript, number, items)
    }

    /// The chat and the session as they stand at `now`.
    package func snapshot(progressively: Bool, at now: Instant) -> (
        chat: ChatTranscript, session: SessionState
    ) {
        state.withLock { state in
            var chat = progressively ? state.progressive : state.completed
            chat.advance(to: now)
            return (chat, state.session)
        }
    }
}
