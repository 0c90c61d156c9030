import ChatPresentation
import Expectations
import Testing

@Suite("ScreenSource: older messages on demand")
struct EarlierPagesTests {
    private func event(_ number: Int, _ kind: ChatEvent.Kind) -> ChatEvent {
        ChatEvent(id: "e\(number)", sequence: number, at: Milliseconds(number) * 1_000, kind)
    }

    private func said(_ number: Int, from speaker: Speaker = .agent) -> ChatEvent {
        event(number, .message(.init(id: "m\(number)", text: "\(number)", name: "Ada"), from: speaker))
    }

    @Test("An older page is above the rows, in order, and changes nothing else of the conversation")
    func page() {
        var chat = ChatModel()
        for action in [
            .event(event(20, .personJoined(name: "Bo", avatar: nil))), .event(said(21, from: .person)),
            .opened,
        ]
            as [ChatAction]
        {
            _ = chat.apply(action, at: 100_000)
        }
        _ = chat.apply(.event(event(22, .idleWarning)), at: 100_000)
        _ = chat.apply(.hidden, at: 100_000)
        _ = chat.apply(.event(said(23, from: .person)), at: 100_000)
        let before = chat
        var effects: [ChatEffect] = []
        let older = [
            said(12), event(10, .agentJoined(name: "Ada", avatar: nil)), said(11),
            event(13, .userMessage(id: "u13", text: "A person", draftID: nil)),
            event(14, .queue(position: 2, waitSeconds: nil, text: nil)), event(15, .idleWarning),
            event(16, .personJoined(name: "Cy", avatar: nil)), event(17, .personLeft(name: "Cy")), said(12),
        ]
        for event in older { effects += chat.apply(.earlier(event), at: 100_000) }
        let announced = effects.filter { if case .announce = $0 { true } else { false } }
        #expect(announced.isEmpty)
        expectEqual(chat.rows.compactMap(\.message?.text), ["11", "12", "A person", "21", "23"])
        expectEqual(chat.rows.suffix(before.rows.count).map(\.id), before.rows.map(\.id))
        expectEqual(chat.rows.suffix(before.rows.count).map(\.content), before.rows.map(\.content))
        #expect(chat.unread == 1 && chat.person == "Bo" && chat.presence == .person && chat.ending == nil)
        expectEqual(chat.rows.filter(\.hasUnreadDivider).map(\.message?.text), ["23"])
        // The present warning is the one that an answer removes.
        _ = chat.apply(.active, at: 100_000)
        expectEqual(chat.rows.filter { $0.notice?.event == "idleWarning" }.count, 1)
    }

    @Test("A list asks once per page, and after a failure only by its button")
    func asks() {
        var (chat, pages) = (ChatModel(), EarlierPages())
        var asked = [pages.reachedBeginning(of: chat)]
        _ = chat.apply(.hasEarlier(true), at: 0)
        asked += [pages.reachedBeginning(of: chat), pages.reachedBeginning(of: chat), pages.retry(chat)]
        #expect(asked == [false, true, false, false] && pages.isLoading)
        pages.ended(isLoaded: true)
        asked = [pages.reachedBeginning(of: chat)]
        pages.ended(isLoaded: false)
        #expect(pages.hasFailed && !pages.isLoading)
        asked += [pages.reachedBeginning(of: chat), pages.retry(chat)]
        #expect(asked == [true, false, true] && pages.isLoading && !pages.hasFailed)
        pages.ended(isLoaded: true)
        var history = ChatHistory(entries: [.event(said(1))], isOpen: true)
        _ = chat.apply(.fill(history), at: 0)
        let isMore = pages.reachedBeginning(of: chat)
        #expect(!chat.hasEarlier && !isMore)
        history.hasEarlier = true
        _ = chat.apply(.update(history), at: 0)
        #expect(chat.hasEarlier)
        _ = chat.apply(.anew, at: 0)
        #expect(!chat.hasEarlier)
    }
}
