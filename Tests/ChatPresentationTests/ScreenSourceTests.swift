import ChatPresentation
import Clocks
import Expectations
import Foundation
import PolyMessaging
import TestSupport
import Testing

/// A screen over a session: the model of its rows, and the rows as the changes alone make them.
struct OpenedScreen {
    private(set) var chat = ChatModel()
    private(set) var patched: [ChatRow] = []
    private(set) var announcements = 0
    private var following: ScreenFollowing?
    var isOpen: Bool { following != nil }

    mutating func open(_ source: any ChatSource) {
        following = source.follow()
    }

    /// Takes what came.
    mutating func take(at now: Milliseconds) {
        for action in following?.take() ?? [] { apply(action, at: now) }
    }

    mutating func apply(_ action: ChatAction, at now: Milliseconds) {
        for effect in chat.apply(action, at: now) {
            switch effect {
            case .rows(.inserted(let row, let index)): patched.insert(row, at: index)
            case .rows(.updated(let row, let index)): patched[index] = row
            case .rows(.removed(let index)): patched.remove(at: index)
            case .announce: announcements += 1
            case .send: break
            }
        }
    }

    mutating func close() {
        following?.stop()
        following = nil
    }

    /// The rows as a reader sees them; a history does not have the wire's ids of the user's messages.
    var lines: [String] {
        chat.rows.map { row in
            switch row.content {
            case .message(let message):
                [
                    message.speaker.rawValue, message.name, message.text, message.delivery?.rawValue ?? "-",
                    message.isStreaming ? "grows" : "whole", row.position.rawValue,
                    message.quote.map { "> \($0.id) \($0.text)" } ?? "",
                    message.isEdited ? "edited" : message.isDeleted ? "deleted" : "",
                    message.reactions.map(\.text).joined()
                        + message.attachments.map { "\($0.id) \($0.state)" }.joined(),
                ].joined(separator: "|")
            case .notice(let notice):
                "\(notice.event)|\(notice.key)|\(notice.text ?? "")|"
                    + notice.arguments.map { "\($0)=\($1)" }.sorted().joined(separator: ",")
            }
        }
    }
}

/// A conversation that is there before its screen is, in the order in which the SDK reports it.
struct FollowedTalk {
    static let now: Milliseconds = 1_700_000_000_000
    let feed = EventBroadcast(isProgressive: true, generator: SeededGenerator(seed: 1))
    var source: MessagingSource { MessagingSource(feed) }

    func notify(_ update: ClientUpdate) {
        feed.notify(update, at: Instant(nanosecondsSince1970: Self.now * 1_000_000))
    }

    static func envelope(_ number: Int) -> Envelope {
        Envelope(
            id: "e-\(number)", sequence: number,
            timestamp: Date(timeIntervalSince1970: Double(now) / 1_000))
    }

    static func reply(_ number: Int) -> ClientUpdate {
        .event(
            .agentMessage(
                envelope(number), AgentMessagePayload(messageId: "m-\(number)", text: "Reply \(number)")))
    }

    static func piece(_ number: Int, _ index: Int, isLast: Bool = false) -> ClientUpdate {
        .event(
            .agentMessageChunk(
                envelope(number),
                AgentMessageChunkPayload(
                    messageId: "grown", chunkIndex: index, isComplete: isLast, text: "piece \(index) ")))
    }

    static let talk: [ClientUpdate] = [
        .sessionChanged("s-1"), .status(.connecting), .status(.open), .event(.connected),
        .event(.agentJoined(envelope(1), AgentJoinedPayload(agentName: "Ada"))), reply(2),
        .event(.messagePending(draftId: "d-1", text: "Hi")),
        .event(.messageConfirmed(draftId: "d-1", messageId: "u-1")), .event(.agentThinking(envelope(3))),
        piece(4, 1), piece(5, 2), piece(6, 3), piece(7, 4, isLast: true),
        .event(
            .agentMessage(
                envelope(8),
                AgentMessagePayload(messageId: "grown", text: "piece 1 piece 2 piece 3 piece 4 "))),
        .event(.systemMessage(envelope(9), SystemMessagePayload(message: "Soon", level: .warning))),
        .status(.reconnecting(attempt: 1)), .event(.reconnecting(attempt: 1)),
        .event(.messagePending(draftId: "d-2", text: "A person")), .status(.open), .event(.connected),
        .event(.messageConfirmed(draftId: "d-2", messageId: "u-2")),
        .event(.agentTriggeredHandoff(envelope(10))),
        .event(.handoffQueueStatus(envelope(11), HandoffQueueStatusPayload(position: 2))),
        .event(.handoffQueueStatus(envelope(12), HandoffQueueStatusPayload(position: 1))),
        .event(.liveAgentJoined(envelope(13), LiveAgentJoinedPayload(agentName: "Bo"))),
        .event(.liveAgentMessage(envelope(14), LiveAgentMessagePayload(messageId: "p-1", text: "Yes?"))),
        .event(.messagePending(draftId: "d-3", text: "Lost")), .event(.messageFailed(draftId: "d-3")),
    ]

    /// Messages of the user that are confirmed, or fail, after later rows.
    static let crossing: [ClientUpdate] = [
        .sessionChanged("s-1"), .status(.open), .event(.connected),
        .event(.messagePending(draftId: "d-1", text: "One")),
        .event(.messagePending(draftId: "d-2", text: "Two")), reply(2),
        .event(.messagePending(draftId: "d-3", text: "Three")), piece(3, 1),
        .event(.messageConfirmed(draftId: "d-2", messageId: "u-2")), piece(4, 2),
        .event(.messageFailed(draftId: "d-3")),
        .event(.messageConfirmed(draftId: "d-1", messageId: "u-1")), piece(5, 3, isLast: true),
        .event(
            .agentMessage(
                envelope(6), AgentMessagePayload(messageId: "grown", text: "piece 1 piece 2 piece 3 "))),
        reply(7),
    ]

    /// Answers of the user, and changes of the messages that they quote.
    static let answers: [ClientUpdate] = [
        .sessionChanged("s-1"), .status(.open), .event(.connected), reply(2),
        .reply(draftID: "d-1", text: "This one", replyTo: "m-2"),
        .event(.messageConfirmed(draftId: "d-1", messageId: "u-1")), reply(5),
        .reply(draftID: "d-2", text: "I mean", replyTo: "u-1"),
        changed(6, "m-2", .text("Reply two")), changed(7, "u-1", .reaction("👍", isOn: true)),
        .event(.messageReceipt(envelope(8), .init(messageId: "u-1", isRead: true, isByUser: false))),
        .event(.messageFailed(draftId: "d-2")), changed(9, "u-1", .text("That one")),
        .event(
            .userMessage(
                Envelope(
                    id: "e-10", sequence: 10, timestamp: Date(timeIntervalSince1970: 1),
                    metadata: EventMetadata(custom: ["reply_to": "m-5"])),
                UserMessageEchoPayload(messageId: "u-3", text: "From elsewhere"))),
        changed(11, "m-5", .deleted),
    ]

    private static func changed(
        _ number: Int, _ id: String, _ change: MessageChangedPayload.Change
    ) -> ClientUpdate {
        .event(.messageChanged(envelope(number), .init(messageId: id, change: change, by: .agent)))
    }
}

@Suite("ScreenSource: screens over a session that runs")
struct ScreenSourceTests {
    private static let now = FollowedTalk.now

    /// The lines after `count` updates of a screen that was open from the beginning.
    private func whole(_ updates: [ClientUpdate]) -> [[String]] {
        let talk = FollowedTalk()
        var screen = OpenedScreen()
        screen.open(talk.source)
        screen.take(at: Self.now)
        return [screen.lines]
            + updates.map { update in
                talk.notify(update)
                screen.take(at: Self.now)
                return screen.lines
            }
    }

    @Test(
        "A screen opened, closed and opened again at any moments shows what one shows that was always open",
        arguments: [(FollowedTalk.talk, 10), (FollowedTalk.answers, 5), (FollowedTalk.crossing, 6)]
            as [([ClientUpdate], Int)])
    func anyMoment(_ updates: [ClientUpdate], rows: Int) {
        let expected = whole(updates)
        expectEqual(expected.last?.count, rows)
        for opens in 0...updates.count {
            for closes in opens...updates.count {
                for reopens in closes...updates.count {
                    let talk = FollowedTalk()
                    var screen = OpenedScreen()
                    for moment in 0...updates.count {
                        if moment == opens { screen.open(talk.source) }
                        if moment == closes { screen.close() }
                        if moment == reopens { screen.open(talk.source) }
                        // The update comes between the snapshot and the first look, where the screen opens here.
                        if moment < updates.count { talk.notify(updates[moment]) }
                        screen.take(at: Self.now)
                        let isOpen = moment >= opens && moment < closes || moment >= reopens
                        let wanted = expected[min(moment + 1, updates.count)]
                        guard !isOpen || screen.lines == wanted, screen.patched == screen.chat.rows else {
                            Issue.record(
                                "open \(opens), closed \(closes), open \(reopens), at \(moment): \(screen.lines), not \(wanted)"
                            )
                            return
                        }
                    }
                }
            }
        }
    }

    @Test(
        "A screen over 0, 3 and 500 messages has them, and those that came while it was closed",
        arguments: [0, 3, 500] as [Int])
    func sizes(_ count: Int) {
        let talk = FollowedTalk()
        talk.notify(.sessionChanged("s-1"))
        talk.notify(.status(.open))
        for number in 0..<count { talk.notify(FollowedTalk.reply(number + 1)) }
        var screen = OpenedScreen()
        screen.open(talk.source)
        screen.take(at: Self.now)
        expectEqual(screen.chat.rows.count, count)
        screen.close()
        for number in 0..<3 { talk.notify(FollowedTalk.reply(count + number + 1)) }
        screen.open(talk.source)
        talk.notify(FollowedTalk.reply(count + 4))
        screen.take(at: Self.now)
        let session = talk.feed.snapshot(at: Instant(nanosecondsSince1970: Self.now * 1_000_000))
        expectEqual(screen.chat.rows.map(\.message?.text), session.messages.map(\.text))
        #expect(screen.chat.rows.count == count + 4 && screen.patched == screen.chat.rows)
        expectEqual(screen.announcements, 1)
    }

    @Test("Screens opened while another thread reports lose no update and take none twice")
    func race() async {
        let talk = FollowedTalk()
        talk.notify(.status(.open))
        let writer = Task.detached {
            for number in 1...300 {
                talk.notify(
                    .event(
                        .systemMessage(
                            FollowedTalk.envelope(number), SystemMessagePayload(message: "\(number)"))))
            }
        }
        var screens: [OpenedScreen] = []
        for _ in 0..<20 {
            var screen = OpenedScreen()
            screen.open(talk.source)
            screen.take(at: Self.now)
            screens.append(screen)
        }
        await writer.value
        for index in screens.indices {
            screens[index].take(at: Self.now)
            expectEqual(screens[index].chat.rows.map(\.notice?.text), (1...300).map { "\($0)" })
            expectEqual(screens[index].patched, screens[index].chat.rows)
        }
    }

    @Test("A screen that is opened a hundred times patches nothing that it shows already")
    func hundredTimes() {
        let talk = FollowedTalk()
        for update in FollowedTalk.talk { talk.notify(update) }
        var chat = ChatModel()
        for time in 0..<100 {
            let following = talk.source.follow()
            let effects = following.take().flatMap { chat.apply($0, at: Self.now) }
            following.stop()
            expectEqual(effects.isEmpty, time > 0)
        }
        expectEqual(chat.rows.count, 10)
        talk.notify(FollowedTalk.reply(99))
        #expect(!talk.feed.isBehind {})
    }

    @Test("An own answer has its quote at once, keeps it when it is confirmed, and follows its message")
    func quotes() {
        let expected = whole(FollowedTalk.answers)
        let pending = "user||This one|pending|whole|single|> m-2 Reply 2||"
        expectEqual(expected[5].last, pending)
        expectEqual(expected[6].last, pending.replacingOccurrences(of: "pending", with: "sent"))
        let last = expected.last ?? []
        #expect(last.contains { $0.contains("That one|read|") && $0.hasSuffix("> m-2 Reply two|edited|👍") })
        #expect(last.contains { $0.contains("I mean|failed") && $0.hasSuffix("> u-1 That one||") })
        #expect(last.contains { $0.contains("From elsewhere|sent") && $0.contains("> m-5 ") })
    }

    @Test("A confirmed message keeps its place when the row above it is removed")
    func removed() {
        let talk = FollowedTalk()
        var live = OpenedScreen()
        live.open(talk.source)
        let updates: [ClientUpdate] = [
            .status(.open), .event(.messagePending(draftId: "d-1", text: "One")), FollowedTalk.reply(2),
            .event(.messagePending(draftId: "d-2", text: "Two")), .event(.messageFailed(draftId: "d-2")),
            .event(.messageConfirmed(draftId: "d-1", messageId: "u-1")), FollowedTalk.reply(3),
        ]
        for update in updates { talk.notify(update) }
        talk.feed.removeMessage(draftID: "d-2")
        live.take(at: Self.now)
        live.apply(.remove(id: "d-2"), at: Self.now)
        var late = OpenedScreen()
        late.open(talk.source)
        late.take(at: Self.now)
        expectEqual(late.lines, live.lines)
        expectEqual(late.chat.rows.map(\.message?.text), ["Reply 2", "One", "Reply 3"])
    }

    @Test("Another session leaves the drafts on their way, on each screen")
    func another() {
        let talk = FollowedTalk()
        var screens = [OpenedScreen(), OpenedScreen()]
        screens[0].open(talk.source)
        for update in FollowedTalk.talk { talk.notify(update) }
        screens[1].open(talk.source)
        for update in [.event(.messagePending(draftId: "d-4", text: "Again")), .sessionChanged("s-2")]
            as [ClientUpdate]
        {
            talk.notify(update)
        }
        for index in screens.indices {
            screens[index].take(at: Self.now)
            expectEqual(screens[index].chat.rows.map(\.message?.text), ["Again"])
            expectEqual(screens[index].patched, screens[index].chat.rows)
        }
        talk.feed.finish()
        screens[0].take(at: Self.now)
        expectEqual(screens[0].chat.rows.count, 1)
    }

    @Test("An end by the user has no row, and is there when the screen opens later")
    func ended() {
        let talk = FollowedTalk()
        var live = OpenedScreen()
        live.open(talk.source)
        for update in FollowedTalk.talk { talk.notify(update) }
        talk.notify(.event(.sessionEnd(FollowedTalk.envelope(20), SessionEndPayload(reason: "user_ended"))))
        live.take(at: Self.now)
        var late = OpenedScreen()
        late.open(talk.source)
        late.take(at: Self.now)
        for screen in [live, late] {
            #expect(screen.chat.ending == .user && screen.chat.isOver)
            expectEqual(screen.chat.rows.count, 10)
            #expect(!ScreenState(screen.chat, SourceStatus(.open)).canEnd)
        }
    }

    @Test("What a screen announces, its closure hears once")
    func announced() {
        let talk = FollowedTalk()
        for update in FollowedTalk.talk { talk.notify(update) }
        var screen = OpenedScreen()
        screen.open(talk.source)
        screen.take(at: Self.now)
        expectEqual(screen.announcements, 0)
        talk.notify(FollowedTalk.reply(20))
        screen.take(at: Self.now)
        expectEqual(screen.announcements, 1)
    }
}

@Suite("ScreenSource: an app's own values")
struct ValueSourceTests {
    private func entries(_ texts: [String]) -> [ChatHistory.Entry] {
        texts.enumerated().map { number, text in
            .event(
                ChatEvent(
                    id: "e\(number)", sequence: number + 1, at: FollowedTalk.now,
                    .message(.init(id: "m\(number)", text: text, name: "Ada"), from: .agent)))
        }
    }

    @Test("Screens show the values, and update the rows that differ")
    func shows() async throws {
        let done = Locked<[ChatCommand]>([])
        let source = ValueSource(offers: [.reply], takesFiles: true) { command in
            done.withLock { $0.append(command) }
        }
        var early = OpenedScreen()
        early.open(source)
        early.take(at: FollowedTalk.now)
        #expect(early.chat.rows.isEmpty)
        source.show(ChatHistory(entries: entries(["One", "Two"]), isOpen: true))
        var late = OpenedScreen()
        late.open(source)
        for _ in 0..<2 {
            early.take(at: FollowedTalk.now)
            late.take(at: FollowedTalk.now)
            #expect(early.chat.rows.map(\.message?.text) == ["One", "Two"] && early.lines == late.lines)
        }
        late.close()
        let twice = entries(["One", "Three", "Four"]) + entries(["One"])
        source.show(
            ChatHistory(entries: twice, isOpen: true), status: SourceStatus(.reconnecting(attempt: 1)))
        early.take(at: FollowedTalk.now)
        late.take(at: FollowedTalk.now)
        #expect(
            early.chat.rows.map(\.message?.text) == ["One", "Three", "Four"]
                && early.patched == early.chat.rows)
        expectEqual(late.chat.rows.count, 2)
        try await source.execute(.send(text: "Hi", replyTo: "m1"))
        expectEqual(done.withLock { $0 }, [.send(text: "Hi", payload: nil, replyTo: "m1")])
        #expect(source.offers == [.reply] && source.takesFiles)
    }

    @Test("What a later history adds at its end is announced and counted, once; the first one is silent")
    func announces() {
        let source = ValueSource { _ in }
        var screen = OpenedScreen()
        screen.open(source)
        screen.take(at: FollowedTalk.now)
        var history = ChatHistory(entries: entries(["One", "Two"]), isOpen: true)
        history.growingID = "m1"
        source.show(history)
        screen.take(at: FollowedTalk.now)
        expectEqual(screen.announcements, 0)
        screen.apply(.hidden, at: FollowedTalk.now)
        screen.apply(.scrolledUp, at: FollowedTalk.now)
        history = ChatHistory(entries: entries(["One", "Two", "Three"]), isOpen: true)
        history.entries.append(.draft(id: "d1", text: "Mine", at: FollowedTalk.now, .pending))
        source.show(history)
        screen.take(at: FollowedTalk.now)
        // The reply that was growing is complete, and another one is new.
        #expect(screen.announcements == 2 && screen.chat.unread == 2 && screen.chat.below == 2)
        expectEqual(screen.chat.rows.map(\.hasUnreadDivider), [false, true, false, false])
        history.entries.insert(contentsOf: entries(["Zero"]).map { Self.renamed($0, "older") }, at: 0)
        history.entries.append(
            .event(
                ChatEvent(
                    id: "n", sequence: 9, at: FollowedTalk.now,
                    .systemMessage(text: "Soon", level: .warning))))
        source.show(history)
        source.show(history)
        screen.take(at: FollowedTalk.now)
        #expect(screen.announcements == 3 && screen.chat.unread == 2 && screen.patched == screen.chat.rows)
        var late = OpenedScreen()
        late.open(source)
        late.take(at: FollowedTalk.now)
        #expect(late.announcements == 0 && late.chat.rows.count == 6)
    }

    /// Returns a copy of the message with another id.
    private static func renamed(_ entry: ChatHistory.Entry, _ id: String) -> ChatHistory.Entry {
        guard case .event(var event) = entry, case .message(var content, let speaker) = event.kind else {
            return entry
        }
        content.id = id
        (event.id, event.sequence, event.kind) = (id, 0, .message(content, from: speaker))
        return .event(event)
    }

    @Test("An answer in a history has its quote, whichever comes first")
    func quotes() {
        for isFirst in [true, false] {
            let answer = ChatHistory.Entry.draft(
                id: "d1", text: "Yes", at: FollowedTalk.now, .sent, replyTo: "m0")
            let follow = ChatHistory.Entry.event(
                ChatEvent(
                    id: "", sequence: nil, at: FollowedTalk.now,
                    .message(.init(id: "m9", text: "Good", replyTo: "d1"), from: .agent)))
            let asked = entries(["Tea?"])
            var chat = ChatModel()
            let all = isFirst ? [answer] + asked + [follow] : asked + [follow, answer]
            _ = chat.apply(.fill(ChatHistory(entries: all, isOpen: true)), at: FollowedTalk.now)
            let quotes = chat.rows.compactMap(\.message).reduce(into: [:]) { $0[$1.text] = $1.quote?.text }
            expectEqual(quotes, ["Yes": "Tea?", "Good": "Yes"])
            _ = chat.apply(.draft(id: "d2", text: "And milk", replyTo: "m0", files: []), at: FollowedTalk.now)
            _ = chat.apply(.anew, at: FollowedTalk.now)
            expectEqual(chat.rows.map(\.message?.quote), [RowQuote(id: "m0", name: "", text: "")])
        }
    }

    @Test("News wake each screen once until it looks")
    func wakes() async {
        let source = ValueSource { _ in }
        let following = source.follow()
        var news = following.news.makeAsyncIterator()
        await news.next()
        expectEqual(following.take().count, 1)
        for number in 0..<3 { source.show(ChatHistory(entries: entries(["\(number)"]), isOpen: true)) }
        await news.next()
        #expect(following.take().count == 1 && following.take().isEmpty)
        source.show(ChatHistory(isOpen: false), status: SourceStatus(.closed))
        _ = following.take()
        expectEqual(following.status, SourceStatus(.closed))
        following.stop()
        await news.next()
        let end: Void? = await news.next()
        #expect(end == nil)
    }
}
