import ChatPresentation
import Expectations
import Foundation
import PolyMessaging
import TestSupport
import Testing

/// What the recorded talks do not reach.
@Suite("The model of a talk")
struct ChatModelTests {
    private func message(
        _ number: Int, at: Milliseconds = 0, text: String = "x", from speaker: Speaker = .agent,
        name: String = "Ada"
    ) -> ChatAction {
        .event(
            ChatEvent(
                id: "e\(number)", sequence: number, at: at,
                .message(.init(id: "m\(number)", text: text, name: name), from: speaker)))
    }

    private func changes(_ effects: [ChatEffect]) -> [RowChange] {
        effects.compactMap { if case .rows(let change) = $0 { change } else { nil } }
    }

    @Test("A message among thousands changes what it changes among 100")
    func patches() {
        func changes(among size: Int) -> Int {
            var chat = ChatModel()
            for number in 1...size { _ = chat.apply(message(number), at: 0) }
            return self.changes(chat.apply(message(size + 1), at: 0)).count
        }
        expectEqual(changes(among: 100), 2)
        expectEqual(changes(among: Strength.of(3_000, full: 10_000)), 2)
    }

    @Test("With the SDK a draft is pending, late, sent or failed as the SDK says")
    func delivered() {
        var chat = ChatModel()
        let events: [MessagingEvent] = [.connected, .messagePending(draftId: "d1", text: "Hi")]
        for event in events { _ = ChatAction(event).map { chat.apply($0, at: 0) } }
        expectEqual(chat.rows.map(\.message?.delivery), [.pending])
        expectEqual(chat.nextDeadline(after: 0), 500)
        #expect(chat.apply(.tick, at: 499).isEmpty)
        expectEqual(changes(chat.apply(.tick, at: 500)).count, 1)
        expectEqual(chat.rows[0].message?.delivery?.key, "delivery.pending")
        expectEqual(chat.nextDeadline(after: 500), nil)
        #expect(chat.apply(.tick, at: 1_000_000).isEmpty)
        _ = chat.apply(.failed(id: "d1"), at: 1_000_000)
        expectEqual(chat.rows[0].message?.delivery, .failed)
        expectEqual(chat.rows[0].message?.actions, [.retry, .delete, .copy, .details])
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 1_000_001)
        expectEqual(chat.rows[0].message?.delivery, .sent)
        expectEqual(chat.rows[0].message?.id, "u1")
        expectEqual(chat.rows[0].message?.actions, [.copy, .details])
        #expect(chat.apply(.failed(id: "d1"), at: 1_000_002).isEmpty)
        expectEqual(chat.rows[0].id, "d-d1")
    }

    @Test("A message that is confirmed before its echo arrives has the place of the echo")
    func confirmedEarly() {
        var chat = ChatModel()
        _ = chat.apply(.opened, at: 0)
        _ = chat.apply(.say(id: "d1", text: "Hello"), at: 0)
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 0)
        func event(_ number: Int, _ kind: ChatEvent.Kind) -> ChatAction {
            .event(ChatEvent(id: "e\(number)", sequence: number, at: Milliseconds(number), kind))
        }
        _ = chat.apply(event(1, .message(.init(id: "m1", text: "Welcome"), from: .agent)), at: 1)
        expectEqual(chat.rows.map(\.message?.text), ["Hello", "Welcome"])
        let echo = ChatEvent.Kind.userMessage(id: "u1", text: "Hello", draftID: "d1")
        _ = chat.apply(event(2, echo), at: 2)
        expectEqual(chat.rows.map(\.message?.text), ["Welcome", "Hello"])
        let copy = ChatEvent.Kind.userMessage(id: "u2", text: "Hello", draftID: "d1")
        _ = chat.apply(event(3, .message(.init(id: "m2", text: "Yes?"), from: .agent)), at: 3)
        _ = chat.apply(event(4, copy), at: 4)
        expectEqual(chat.rows.map(\.message?.text), ["Welcome", "Hello", "Yes?"])
    }

    @Test("A message confirmed after an echo without its draft has one row, where the echo is")
    func confirmedTwin() {
        var chat = ChatModel()
        func event(_ number: Int, _ kind: ChatEvent.Kind) -> ChatAction {
            .event(ChatEvent(id: "e\(number)", sequence: number, at: Milliseconds(number), kind))
        }
        _ = chat.apply(.say(id: "d1", text: "Hello"), at: 0)
        _ = chat.apply(event(1, .userMessage(id: "u1", text: "Hello", draftID: nil)), at: 1)
        _ = chat.apply(event(2, .message(.init(id: "m1", text: "Yes?"), from: .agent)), at: 2)
        _ = chat.apply(.confirmed(id: "d1", messageID: "u1"), at: 3)
        expectEqual(chat.rows.map(\.message?.text), ["Hello", "Yes?"])
        expectEqual(chat.rows.first?.message?.delivery, .sent)
    }

    @Test("The server's clock goes on from what was told of it")
    func serverTime() {
        var chat = ChatModel()
        _ = chat.apply(.serverTime(5_000), at: 1_000)
        expectEqual(chat.serverTime(at: 2_000), 6_000)
    }

    @Test("Events of the SDK keep what their rows show")
    func adapted() throws {
        let url = try #require(URL(string: "https://example.com/a.png"))
        let odd = try #require(URL(string: "javascript:alert(1)"))
        let payload = AgentMessagePayload(
            messageId: "m1", text: "See", agentName: "Ada", avatarUrl: url,
            attachments: [
                .init(contentType: .image, contentUrl: url), .init(contentType: .unknown, contentUrl: url),
                .init(contentType: .url, contentUrl: odd),
            ], responseSuggestions: [.init(messageText: "Yes", payload: "y")],
            chatCallActions: [.init(title: "", contactNumber: " +44 (0) 20")])
        let envelope = Envelope(id: "e1", sequence: 1, timestamp: Date(timeIntervalSince1970: 1.5))
        var chat = ChatModel()
        _ = chat.apply(try #require(ChatAction(.agentMessage(envelope, payload))), at: 0)
        let row = try #require(chat.rows.first)
        expectEqual(row.at, 1_500)
        expectEqual(row.message?.name, "Ada")
        expectEqual(row.message?.avatar, url.absoluteString)
        expectEqual(row.message?.attachments.map(\.url), [url.absoluteString])
        expectEqual(row.message?.unknownCount, 2)
        expectEqual(row.message?.calls.map(\.number), ["+44020"])
        expectEqual(row.message?.calls.map(\.title), [" +44 (0) 20"])
        expectEqual(chat.suggestions, [RowSuggestion(text: "Yes", payload: "y")])
    }

    /// extensions.md#event-ext-message-changed, extensions.md#journaled-receipts
    @Test("Changes, receipts, quotes and files of the SDK change the rows")
    func changed() {
        var chat = ChatModel()
        var number = 0
        func give(_ event: (Envelope) -> MessagingEvent, _ custom: [String: String]? = nil) {
            number += 1
            let envelope = Envelope(
                id: "e\(number)", sequence: number, timestamp: Date(timeIntervalSince1970: 0),
                metadata: EventMetadata(custom: custom))
            _ = ChatAction(event(envelope)).map { chat.apply($0, at: 0) }
        }
        func change(_ change: MessageChangedPayload.Change, by author: MessageChangedPayload.Author) {
            give { .messageChanged($0, .init(messageId: "u1", change: change, by: author)) }
        }
        give { .agentMessage($0, AgentMessagePayload(messageId: "m1", text: "At seven?")) }
        give({ .userMessage($0, .init(messageId: "u1", text: "yes")) }, ["reply_to": "m1", "files": "f"])
        change(.text("Yes!"), by: .user)
        change(.reaction("👍", isOn: true), by: .liveAgent)
        change(.file(id: "f", .ready, name: "cat.png", type: "image/png"), by: .system)
        give { .messageReceipt($0, .init(messageId: "u1", isRead: true, isByUser: false)) }
        give { .messageReceipt($0, .init(messageId: "m1", isRead: true, isByUser: true)) }
        let message = chat.rows.compactMap(\.message).last
        #expect(message?.text == "Yes!" && message?.isEdited == true && message?.quote?.text == "At seven?")
        expectEqual(message?.reactions, [RowReaction(text: "👍", speakers: [.person])])
        expectEqual(message?.attachments.map(\.title), ["cat.png"])
        expectEqual(message?.attachments.map(\.state), [.complete])
        expectEqual(message?.delivery, .read)
        change(.deleted, by: .user)
        expectEqual(chat.rows.compactMap(\.message).last?.isDeleted, true)
    }

    @Test(
        "The server's reasons say who ended a talk",
        arguments: [
            ("REASON_USER_END", .user, 0), ("user_ended", .user, 0), ("REASON_USER_ABANDONED", .idle, 1),
            ("REASON_NATURAL_END", .agent, 1), (nil, .agent, 1),
        ] as [(String?, Ending, Int)])
    func endings(_ reason: String?, _ ending: Ending, _ rows: Int) {
        var chat = ChatModel()
        let envelope = Envelope(id: "e1", sequence: 1, timestamp: Date(timeIntervalSince1970: 0))
        if let action = ChatAction(.sessionEnd(envelope, .init(reason: reason))) {
            _ = chat.apply(action, at: 0)
        }
        expectEqual(chat.ending, ending)
        expectEqual(chat.rows.count, rows)
        #expect(chat.isOver)
    }

    @Test("A draft that is there already is not shown twice, and the end of time is no trap")
    func edges() {
        var chat = ChatModel()
        _ = chat.apply(.say(id: "d", text: "Hi"), at: .min)
        _ = chat.apply(.say(id: "d", text: "Hi"), at: .max)
        expectEqual(chat.rows.count, 1)
        for number in [1, .max - 1, .max, .min, 0, -1] {
            _ = chat.apply(message(number, at: .max), at: .max)
            _ = chat.apply(message(number, at: .min), at: .min)
        }
        for index in [Int.max, .min, 0, 1] {
            let chunk = ChatEvent.Kind.chunk(.init(id: "c", text: "x"), index: index, isLast: index == 1)
            _ = chat.apply(.event(ChatEvent(id: "", sequence: index, at: 0, chunk)), at: .max)
        }
        _ = chat.apply(
            .event(
                ChatEvent(id: "", sequence: nil, at: 0, .queue(position: .max, waitSeconds: .max, text: nil))),
            at: 0)
        _ = chat.apply(.event(ChatEvent(id: "", sequence: nil, at: 0, .idleWarning)), at: .max)
        _ = chat.apply(.serverTime(.min), at: .max)
        #expect(chat.nextDeadline(after: .max) != nil)
        expectEqual(Set(chat.rows.map(\.id)).count, chat.rows.count)
    }

    @Test("A reply whose first piece comes late moves to where it began")
    func moved() {
        var chat = ChatModel()
        func chunk(_ index: Int, _ sequence: Int) -> ChatAction {
            .event(
                ChatEvent(
                    id: "c\(index)", sequence: sequence, at: 0,
                    .chunk(.init(id: "m", text: "\(index)"), index: index, isLast: false)))
        }
        _ = chat.apply(chunk(1, 9), at: 0)
        _ = chat.apply(message(5, from: .person), at: 0)
        _ = chat.apply(chunk(2, 3), at: 0)
        expectEqual(chat.rows.map(\.message?.text), ["12", "x"])
        expectEqual(chat.rows.map(\.hasTimeDivider), [true, false])
    }

    @Test("A person who comes back opens a talk that a person had ended, but not one that the server ended")
    func revived() {
        var chat = ChatModel()
        func event(_ number: Int, _ kind: ChatEvent.Kind) {
            _ = chat.apply(.event(ChatEvent(id: "e\(number)", sequence: number, at: 0, kind)), at: 0)
        }
        event(1, .personJoined(name: "Sam", avatar: nil))
        event(2, .personLeft(name: nil))
        expectEqual(chat.ending, .person)
        event(3, .personJoined(name: "Kim", avatar: nil))
        expectEqual(chat.ending, nil)
        expectEqual(chat.person, "Kim")
        event(4, .ended(by: .agent))
        event(5, .personJoined(name: "Sam", avatar: nil))
        expectEqual(chat.ending, .agent)
    }

    @Test(
        "Numbers to call keep their digits and a plus",
        arguments: [
            ("+44 20", "+4420"), ("020/7946", "0207946"), ("call us", nil), ("x+1", "1"), ("", nil),
            ("\u{0664}", nil),
        ] as [(String, String?)])
    func numbers(_ raw: String, _ number: String?) {
        expectEqual(RowCall(title: "Desk", number: raw).number, number)
    }
}
