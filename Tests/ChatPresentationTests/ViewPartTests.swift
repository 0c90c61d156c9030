import Expectations
import PolyMessaging
import TestSupport
import Testing
import Texts

@testable import ChatPresentation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("A picture in a chat")
struct ImageLoadTests {
    private let address = "https://a.example/p.png"

    @Test("A picture is loading, then shown; the same address is not loaded twice")
    func shown() throws {
        var load = ImageLoad()
        expectEqual(load.phase, .empty)
        let request = load.show(address)
        #expect(load.phase == .loading && request?.address == address)
        let again = load.show(address)
        load.finish(try #require(request), succeeded: true)
        #expect(load.phase == .shown && again == nil)
        let further = [load.show(address), load.retry()]
        expectEqual(further, [nil, nil])
    }

    @Test("A picture that failed is loaded again by a tap, as often as it takes")
    func retried() throws {
        var load = ImageLoad()
        var request = load.show(address)
        for _ in 0..<3 {
            let early = load.retry()
            load.finish(try #require(request), succeeded: false)
            #expect(load.phase == .failed && early == nil)
            request = load.retry()
            expectEqual(load.phase, .loading)
        }
        load.finish(try #require(request), succeeded: true)
        expectEqual(load.phase, .shown)
    }

    @Test("Results of another attempt or another picture change nothing")
    func stale() throws {
        var load = ImageLoad()
        let requests = [load.show(address), load.show("https://a.example/q.png")].compactMap { $0 }
        load.finish(requests[0], succeeded: false)
        #expect(load.phase == .loading && requests.count == 2)
        load.finish(requests[1], succeeded: false)
        let retried = load.retry()
        load.finish(requests[1], succeeded: true)
        expectEqual(load.phase, .loading)
        let third = try #require(retried)
        load.finish(third, succeeded: true)
        load.finish(third, succeeded: false)
        expectEqual(load.phase, .shown)
    }

    @Test(
        "Without a safe address there is nothing to load or to try again",
        arguments: [nil, "", "javascript:alert(1)", "file:///etc/passwd", "https://"] as [String?])
    func empty(_ unsafe: String?) {
        var load = ImageLoad()
        _ = load.show(address)
        let requests = [load.show(unsafe), load.retry()]
        #expect(requests == [nil, nil] && load.phase == .empty && load.request == nil)
    }
}

@Suite("The menu of a message")
struct MessageMenuTests {
    private func message(
        _ speaker: Speaker = .agent, _ text: String = "Hi", _ delivery: RowMessage.Delivery? = nil
    )
        throws -> RowMessage
    {
        var chat = ChatModel()
        if let delivery {
            let entry = ChatHistory.Entry.draft(id: "d", text: text, at: 0, delivery)
            _ = chat.apply(.fill(ChatHistory(entries: [entry])), at: 0)
        } else {
            let content = ChatEvent.Content(id: "m", text: text)
            _ = chat.apply(
                .event(ChatEvent(id: "e", sequence: 1, at: 0, .message(content, from: speaker))), at: 0)
        }
        return try #require(chat.rows.last?.message)
    }

    private let pin = OwnAction(id: "pin", title: "Pin")

    @Test("The app's actions stand before the details, for each kind of message")
    func entries() throws {
        let all = Set(MessageAction.allCases)
        expectEqual(MessageMenu(try message()).entries, [.chat(.copy), .chat(.details)])
        expectEqual(
            MessageMenu(try message(), offers: all, own: [pin]).entries,
            [.chat(.reply), .chat(.react), .chat(.copy), .own(pin), .chat(.details)])
        expectEqual(
            MessageMenu(try message(.user, "x", .failed), offers: all, own: [pin]).entries,
            [.chat(.retry), .chat(.delete), .chat(.copy), .own(pin), .chat(.details)])
        expectEqual(
            MessageMenu(try message(.user, "x", .sent), offers: all).entries,
            [
                .chat(.reply), .chat(.react), .chat(.edit), .chat(.unsend), .chat(.copy), .chat(.details),
            ])
        expectEqual(MessageMenu(try message(.user, "x", .pending), offers: all, own: [pin]).swipe, nil)
    }

    @Test("A swipe is one of the entries: the app's own where it asks, else the reply")
    func swipe() throws {
        let flag = OwnAction(id: "flag", title: "Flag", isDestructive: true, isSwipe: true)
        #expect(!OwnAction(id: "plain", title: "Plain").isSwipe)
        expectEqual(MessageMenu(try message(), offers: [.reply]).swipe, .chat(.reply))
        expectEqual(MessageMenu(try message()).swipe, nil)
        let menu = MessageMenu(try message(), offers: [.reply], own: [pin, flag])
        #expect(menu.swipe == .own(flag) && menu.entries.contains(.own(flag)))
    }

    @Test("Two actions with one id are one entry; titles follow the language")
    func titles() throws {
        let twice = MessageMenu(try message(), own: [pin, OwnAction(id: "pin", title: "Other")])
        expectEqual(twice.entries.map(\.id), ["copy", "own.pin", "details"])
        let german = ChatStrings(preferring: ["de"])
        expectEqual(
            twice.entries.map { $0.title(german) }, ["Kopieren", "Pin", german.say("message.details")])
        #expect(MessageMenu.Entry.chat(.unsend).isDestructive && !MessageMenu.Entry.chat(.copy).isDestructive)
    }
}

@Suite("Scrolling to a message")
struct ScrollTargetTests {
    private func chat(_ count: Int) -> ChatModel {
        var chat = ChatModel()
        _ = chat.apply(.opened, at: 0)
        for number in 0..<count { say(number, to: &chat) }
        return chat
    }

    private func say(_ number: Int, to chat: inout ChatModel) {
        let content = ChatEvent.Content(id: "m\(number)", text: "x")
        _ = chat.apply(
            .event(ChatEvent(id: "e\(number)", sequence: number, at: 0, .message(content, from: .agent))),
            at: 0)
    }

    @Test("A message is found by its id, and shown until the user scrolls")
    func target() throws {
        let chat = chat(20)
        var follow = ScrollFollow()
        let row = try #require(chat.rowID(ofMessage: "m3"))
        expectEqual(chat.rows[3].id, row)
        var action = follow.take(.wentTo(row: row))
        #expect(follow.target == row && !follow.isFollowing && action == .scrolledUp)
        action = follow.take(.wentTo(row: "x"))
        #expect(follow.target == "x" && action == nil)
        action = follow.take(.movedUp)
        #expect(follow.target == nil && action == nil)
        expectEqual(chat.rowID(ofMessage: "m99"), nil)
    }

    @Test("A message of the user is found by its draft, too")
    func drafts() throws {
        var chat = ChatModel()
        let sent = ChatHistory.Entry.draft(id: "d1", text: "Hi", at: 0, .sent)
        let waiting = ChatHistory.Entry.draft(id: "d2", text: "Hi", at: 0, .pending)
        _ = chat.apply(.fill(ChatHistory(entries: [sent, waiting])), at: 0)
        expectEqual(chat.rowID(ofMessage: "d1"), chat.rows[0].id)
        expectEqual(chat.rowID(ofMessage: "d2"), chat.rows[1].id)
    }

    @Test("The button to the end has the number of what arrived meanwhile")
    func jump() {
        var chat = chat(3)
        var follow = ScrollFollow()
        expectEqual(JumpButton(chat, follow), nil)
        if let action = follow.take(.movedUp) { _ = chat.apply(action, at: 0) }
        expectEqual(JumpButton(chat, follow)?.key, "jump.latest")
        say(3, to: &chat)
        say(4, to: &chat)
        let button = JumpButton(chat, follow)
        expectEqual(button?.count, 2)
        expectEqual(button.map { ChatStrings().say($0.key, $0.arguments) }, "Jump to latest, 2 new")
        if let action = follow.take(.wentToEnd) { _ = chat.apply(action, at: 0) }
        #expect(JumpButton(chat, follow) == nil && chat.below == 0)
        _ = follow.take(.movedUp)
        expectEqual(JumpButton(ChatModel(), follow), nil)
    }
}

@Suite("The languages of a screen")
struct ScreenLanguageTests {
    @Test(
        "The first language with texts counts",
        arguments: [
            (["de-AT", "en"], "de-AT", "Heute"), (["ja", "he"], "he", "היום"), (["fr"], "fr", "Aujourd'hui"),
            (["ja"], "en", "Today"), ([], "en", "Today"),
        ] as [([String], String, String)])
    func preferred(_ languages: [String], _ expected: String, _ today: String) {
        let strings = ChatStrings(preferring: languages)
        expectEqual(strings.language, expected)
        expectEqual(strings.say("divider.today"), today)
    }

    @Test("The packs have the texts of the pages")
    func pages() throws {
        let folder = "Server/Pages/web/shared/strings"
        for (language, file) in ["ar": "ar", "de": "de", "es": "es", "fr": "fr-CA", "he": "he", "en": "en"] {
            let json = JSONWriter.bytes(try GoldenFiles.read("\(folder)/\(file).json"))
            let page = try #require(ChatStrings.Pack(json: json))
            let (ours, theirs) = (
                try #require(ChatStrings.packs[language]), ChatStrings(language: language, packs: [page])
            )
            let strings = ChatStrings(language: language, packs: [ours])
            for key in ChatStrings.Pack.english.entries.keys {
                for number in [0, 1, 2, 3, 11, 100] {
                    let arguments: ChatStrings.Arguments = ["n": .number(number)]
                    expectEqual(strings.say(key, arguments), theirs.say(key, arguments), "\(language) \(key)")
                }
            }
        }
    }

    @Test("The app's own texts come first, in every language")
    func own() throws {
        let pack = try #require(ChatStrings.Pack(json: Array(#"{"composer.placeholder":"Ask us"}"#.utf8)))
        for language in ["en", "de", "ar"] {
            let strings = ChatStrings(preferring: [language], own: [pack])
            expectEqual(strings.say("composer.placeholder"), "Ask us")
            expectEqual(strings.say("cancel"), ChatStrings(preferring: [language]).say("cancel"))
        }
        #expect(ChatStrings(preferring: ["ar-EG"]).isRightToLeft)
        #expect(!ChatStrings(preferring: ["de"]).isRightToLeft)
    }

    @Test("An attachment is named with its state")
    func attachments() {
        func text(_ state: RowAttachment.State) -> String {
            let file = RowAttachment(file: "f", name: "a.pdf", type: "application/pdf", state: state)
            return ChatStrings().text(of: file)
        }
        expectEqual(text(.complete), "a.pdf")
        expectEqual(text(.uploading(percent: 40)), "a.pdf – Uploading… 40 %")
        expectEqual(text(.uploading(percent: nil)), "a.pdf – Uploading…")
        #expect(text(.cancelled) == "a.pdf – Cancelled" && text(.failed) == "a.pdf – Not available")
    }

    @Test("Notices and menus of a screen are in its language")
    func notices() throws {
        var chat = ChatModel()
        _ = chat.apply(.event(ChatEvent(id: "e", sequence: 1, at: 0, .handoffAccepted)), at: 0)
        let notice = try #require(chat.rows.first?.notice)
        expectEqual(ChatStrings(preferring: ["de"]).text(of: notice), "Gleich ist jemand für Sie da")
        #expect(ChatStrings(preferring: ["ar"]).text(of: notice) != ChatStrings().text(of: notice))
    }
}

@Suite("Rows of single messages")
struct MessageRowTests {
    private let at = Date(timeIntervalSince1970: 1_768_469_400)

    @Test("A message of the user has its delivery", arguments: Delivery.allCases)
    func user(_ delivery: Delivery) throws {
        let message = ChatMessage.user(
            UserMessage(text: "**Hi**", timestamp: at, delivery: delivery, draftId: "d"))
        let row = try #require(ChatRow(message))
        #expect(row.message?.speaker == .user && row.message?.plainText == "**Hi**")
        expectEqual(row.at, 1_768_469_400_000)
        expectEqual(
            row.message?.delivery, [.pending: .pending, .sent: .sent, .failed: .failed][delivery])
    }

    @Test("A message of an agent has its parts, and a live agent is told from another")
    func agent() throws {
        let picture = URL(string: "https://a.example/p.png")
        let message = AgentMessage(
            messageId: "m", agentName: "Isla", agentKind: .live, avatarUrl: picture, text: "**Hi**",
            timestamp: at, attachments: [Attachment(contentType: .image, contentUrl: picture)],
            suggestions: [ResponseSuggestion(messageText: "Yes")],
            callActions: [ChatCallAction(title: "Desk", contactNumber: "+44 20")])
        let row = try #require(ChatRow(.agent(message))?.message)
        #expect(row.speaker == .person && row.name == "Isla" && row.plainText == "Hi")
        #expect(row.avatar == picture?.absoluteString && row.attachments.count == 1)
        expectEqual(row.calls, [RowCall(title: "Desk", number: "+44 20")])
    }

    @Test("A system row is a notice")
    func system() throws {
        let row = ChatRow(.system(SystemMessage(event: .liveAgentJoined(name: "Isla"), timestamp: at)))
        expectEqual(row?.notice.map { ChatStrings().text(of: $0) }, "Isla joined")
        #expect(ChatRow(.system(SystemMessage(event: .idleWarning, timestamp: at)))?.notice != nil)
    }
}

@Suite("The order of rows")
struct RowOrderTests {
    private let day: Milliseconds = 86_400_000

    private func chat(_ rows: [(Speaker, Milliseconds)]) -> ChatModel {
        var chat = ChatModel()
        for (number, row) in rows.enumerated() {
            let content = ChatEvent.Content(id: "m\(number)", text: "x")
            _ = chat.apply(
                .event(
                    ChatEvent(id: "e\(number)", sequence: number, at: row.1, .message(content, from: row.0))),
                at: row.1)
        }
        return chat
    }

    @Test("Comments have the same messages, the latest first")
    func reversed() {
        let chat = chat([(.agent, 0), (.agent, 1), (.person, 2), (.agent, day), (.agent, day + 1)])
        let rows = chat.rows(in: .comments)
        expectEqual(rows.map(\.id), chat.rows.reversed().map(\.id))
        expectEqual(chat.rows(in: .conversation), chat.rows)
        expectEqual(rows.map { $0.message?.id }, ["m4", "m3", "m2", "m1", "m0"])
    }

    @Test("Each day and group has its head above its latest message")
    func heads() {
        let chat = chat([(.agent, 0), (.agent, 1), (.person, 2), (.agent, day), (.agent, day + 1)])
        let rows = chat.rows(in: .comments)
        expectEqual(chat.rows.map(\.hasTimeDivider), [true, false, false, true, false])
        expectEqual(rows.map(\.hasTimeDivider), [true, false, true, false, false])
        expectEqual(rows.map(\.position), [.first, .last, .single, .first, .last])
        #expect(ChatModel().rows(in: .comments).isEmpty)
    }

    @Test("New messages are above their divider")
    func unread() {
        var chat = chat([(.agent, 0), (.agent, 1)])
        _ = chat.apply(.opened, at: 1)
        _ = chat.apply(.hidden, at: 1)
        for number in 2..<4 {
            let content = ChatEvent.Content(id: "m\(number)", text: "x")
            _ = chat.apply(
                .event(ChatEvent(id: "e\(number)", sequence: number, at: 2, .message(content, from: .agent))),
                at: 2)
        }
        expectEqual(chat.rows.map(\.hasUnreadDivider), [false, false, true, false])
        expectEqual(chat.rows(in: .comments).map(\.hasUnreadDivider), [false, false, true, false])
    }
}

@Suite("The purpose of a draft")
struct DraftPurposeTests {
    private func message() throws -> RowMessage {
        let sent = ChatHistory.Entry.draft(id: "d1", text: "Hi", at: 0, .sent)
        var chat = ChatModel()
        _ = chat.apply(.fill(ChatHistory(entries: [sent])), at: 0)
        return try #require(chat.rows.first?.message)
    }

    @Test("A text is a new message, an answer or an edit")
    func commands() throws {
        let message = try message()
        expectEqual(DraftPurpose.message.command(text: "a"), .send(text: "a"))
        expectEqual(DraftPurpose.reply(message).command(text: "a"), .send(text: "a", replyTo: message.id))
        expectEqual(
            DraftPurpose.edit(message).command(text: "a"), .change(messageID: message.id, .text("a")))
        #expect(DraftPurpose.message.about == nil && DraftPurpose.edit(message).about == message)
    }

    @Test("A suggestion is never an edit")
    func suggestions() throws {
        let message = try message()
        expectEqual(
            DraftPurpose.edit(message).command(text: "Yes", payload: "y"), .send(text: "Yes", payload: "y"))
        expectEqual(
            DraftPurpose.reply(message).command(text: "Yes", payload: "y"),
            .send(text: "Yes", payload: "y", replyTo: message.id))
    }
}
