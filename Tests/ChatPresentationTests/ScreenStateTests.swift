import ChatPresentation
import Expectations
import PolyMessaging
import Testing

@Suite("ScreenSource: what stands over and above the rows")
struct ScreenStateTests {
    private func chat(rows: Int) -> ChatModel {
        var chat = ChatModel()
        for number in 0..<rows {
            _ = chat.apply(
                .event(
                    ChatEvent(
                        id: "e\(number)", sequence: number, at: 0,
                        .message(.init(id: "m\(number)", text: "x"), from: .agent))), at: 0)
        }
        return chat
    }

    @Test(
        "A failure for good stands over the rows, too; its button resumes where that can help",
        arguments: [0, 3] as [Int],
        [
            (.session(.maxReconnectAttemptsExceeded), true), (.session(.sessionExpired), false),
            (.session(.sessionEnded(reason: nil)), false),
            (.session(.unexpectedDisconnect(code: 1006, reason: "")), true),
        ] as [(PolyError, Bool)])
    func failed(_ rows: Int, _ failure: (reason: PolyError, canResume: Bool)) {
        let state = ScreenState(chat(rows: rows), SourceStatus(messaging: .failed(reason: failure.reason)))
        let text = failure.reason.description
        expectEqual(state.cover, .failed(.init(text: text, canResume: failure.canResume)))
        #expect(!state.canEnd && state.banners.isEmpty)
        expectEqual(state.recovery, failure.canResume ? .resume : .startNew)
        let resumed = ScreenState(chat(rows: rows), SourceStatus(.open))
        #expect(resumed.cover == nil && resumed.canEnd && resumed.recovery == nil)
    }

    @Test(
        "Offline and reconnecting are two signals", arguments: [false, true] as [Bool],
        [false, true] as [Bool])
    func offline(_ isOffline: Bool, _ isReconnecting: Bool) {
        let state = ScreenState(
            chat(rows: 1),
            SourceStatus(isReconnecting ? .reconnecting(attempt: 2) : .open),
            isOffline: isOffline)
        expectEqual(
            state.banners,
            (isOffline ? [.offline] : [])
                + (isReconnecting ? [.reconnecting(attempt: 2)] : []))
        expectEqual(state.cover, nil)
        let words = state.banners.map { ChatStrings().say($0.key, $0.arguments) }
        expectEqual(
            words,
            (isOffline ? ["You're offline"] : [])
                + (isReconnecting ? ["Reconnecting… attempt 2"] : []))
    }

    @Test("Grey shapes stand until there is a row or a connection")
    func loading() {
        for connection in [.idle, .connecting, .reconnecting(attempt: 1)] as [ConnectionStatus] {
            expectEqual(ScreenState(chat(rows: 0), SourceStatus(messaging: connection)).cover, .loading)
            expectEqual(ScreenState(chat(rows: 1), SourceStatus(messaging: connection)).cover, nil)
        }
        let first = ScreenState(chat(rows: 0), SourceStatus(.connecting))
        #expect(first.banners.map(\.key) == ["conn.connecting"] && !first.canEnd)
        expectEqual(ScreenState(chat(rows: 0), SourceStatus(.open)).cover, nil)
    }

    @Test("A talk that is over stays readable, and cannot be ended again")
    func over() {
        var chat = chat(rows: 2)
        _ = chat.apply(.end, at: 0)
        #expect(ScreenState(chat, SourceStatus(.open)).canEnd)
        _ = chat.apply(.event(ChatEvent(id: "end", sequence: 9, at: 0, .ended(by: .agent))), at: 0)
        let error = PolyError.session(.sessionEnded(reason: nil))
        let state = ScreenState(
            chat, SourceStatus(messaging: .reconnecting(attempt: 1), failure: error), isOffline: true)
        #expect(state.cover == nil && state.banners.isEmpty && !state.canEnd)
        #expect(chat.rows.count == 2 && chat.ending == .user)
    }

    @Test("A time to choose is shown in the reader's words, and sent as its source wrote it")
    func slots() {
        let slot = RowSuggestion(text: "2026-01-30T18:00+00:00", at: 1_769_796_000_000)
        expectEqual(slot.title { "at \($0 / 3_600_000)" }, "at 491610")
        #expect(
            RowSuggestion(text: "Yes").title { _ in "never" } == "Yes"
                && slot.text == "2026-01-30T18:00+00:00")
    }
}
