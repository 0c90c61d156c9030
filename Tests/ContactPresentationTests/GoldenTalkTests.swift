import ChatPresentation
import Clocks
import ContactPresentation
import Expectations
import Foundation
import MockServer
import PolyMessaging
import Testing
import Texts

@testable import ConnectCore
@testable import MockKit

@Suite("One screen for both protocols", .timeLimit(.minutes(5)))
struct GoldenTalkTests {
    /// Markdown, suggestions, lines of the user, a pause, and an end. The agent has the name that
    /// every automatic agent of a contact has.
    private static func golden(_ suggestions: String) -> String {
        """
        {
          fixture: 1, name: "Golden", agent: { name: "BOT" },
          pace: "p", paces: { p: { think: "100ms", chunk: "1 word", every: "50ms" } },
          greeting: [ { say: "Welcome to **our** shop." } ],
          stages: { start: [
            { name: "tea", hears: "tea", replies: [ { say: "Which kind?"\(suggestions) } ] },
            { name: "green", hears: "green", replies: [ { say: "One moment, one *green* tea comes." } ] },
            { name: "bye", hears: "bye", replies: [ { say: "Good bye." }, { end: "natural" } ] },
          ] },
          otherwise: [ { replies: [ { say: "You said {message}." } ] } ],
        }
        """
    }

    private static let says = ["tea please", "green", "and a cake", "bye"]

    @Test("A golden talk read through both clients gives equal rows", arguments: [true, false] as [Bool])
    func golden(isStreaming: Bool) async throws {
        let text = Self.golden(#", suggest: ["Green", "Black"]"#)
        let messaging = try await Self.messaging(text, isStreaming: isStreaming)
        let contact = try await Self.contact(text, isStreaming: isStreaming)
        expectEqual(messaging.rows.map(Self.shown), contact.rows.map(Self.shown))
        #expect(messaging.rows.count == 10 && messaging.ending == .agent && contact.ending == .agent)
        expectEqual(messaging.suggestionsSeen, contact.suggestionsSeen)
        expectEqual(contact.suggestionsSeen, [["Green", "Black"]])
        #expect(contact.hasGrown == isStreaming && messaging.hasGrown == isStreaming)
    }

    @Test(
        "Times and menus are choices: of a time its date is said, which the server knows",
        arguments: [
            (
                #"{ text: "Now", time: "2026-01-30T18:00+00:00" }, { text: "Later", time: "2026-01-30T20:00+00:00" }"#,
                ["2026-01-30T18:00+00:00", "2026-01-30T20:00+00:00"]
            ),
            (
                #"{ text: "Green", under: "Light" }, { text: "White", under: "Light" }, { text: "Black", under: "Dark" }"#,
                ["Green", "White", "Black"]
            ),
        ] as [(String, [String])])
    func templates(_ choices: String, _ suggested: [String]) async throws {
        let text = Self.golden(", suggest: [\(choices)]")
        let messaging = try await Self.messaging(text, isStreaming: false)
        let contact = try await Self.contact(text, isStreaming: false)
        expectEqual(messaging.rows.map(Self.shown), contact.rows.map(Self.shown))
        expectEqual(contact.suggestionsSeen, [suggested])
    }

    @Test("A form shows nothing of its JSON")
    func form() async throws {
        let text = Self.golden(#", attach: [{ form: "checkout" }]"#)
        let rows = try await Self.contact(text, isStreaming: false).rows.compactMap(\.message)
        #expect(!rows.isEmpty && !rows.contains { $0.text.contains("{") })
    }

    /// A row without ids, times and receipts, which only contacts have.
    private static func shown(_ row: ChatRow) -> ChatRow.Content {
        guard var message = row.message else { return row.content }
        message.id = ""
        if message.delivery?.hasArrived == true { message.delivery = .sent }
        return .message(message)
    }

    /// What a screen has shown in the end, and on its way there.
    private struct Screen {
        var chat = ChatModel()
        var suggestionsSeen: [[String]] = []
        var hasGrown = false

        var rows: [ChatRow] { chat.rows }
        var ending: Ending? { chat.ending }

        mutating func take(_ action: ChatAction, _ number: Int) {
            _ = chat.apply(action, at: Int64(number))
            if rows.contains(where: { $0.message?.isStreaming == true }) { hasGrown = true }
            let texts = chat.suggestions.map(\.text)
            if !texts.isEmpty, suggestionsSeen.last != texts { suggestionsSeen.append(texts) }
        }
    }

    private static func messaging(_ text: String, isStreaming: Bool) async throws -> Screen {
        var plan = MockPlan(text)
        // Nothing comes before the first listener: the connection opens when time passes.
        plan.changes.append { $0.connections.handshakeDelay = .seconds(1) }
        let mock = try await Mock.start(plan)
        let client = try mock.client(store: MemorySessionStore()) { $0.streamingEnabled = isStreaming }
        let events = client.events
        _ = try await mock.play(within: .seconds(30)) { client.sessionID != nil }
        try await mock.untilIdle()
        for said in says {
            try await client.send(said)
            try await mock.untilIdle()
        }
        await client.shutdown()
        await mock.stop()
        var screen = Screen()
        var number = 0
        for await event in events {
            number += 1
            if let action = ChatAction(event) { screen.take(action, number) }
        }
        return screen
    }

    private static func contact(_ text: String, isStreaming: Bool) async throws -> Screen {
        let mock = try await Mock.start(MockPlan(text))
        let contact = try await mock.contact(streaming: isStreaming)
        let events = contact.session.events
        var reader = ContactReader()
        var actions = reader.read(contact.session.latestTranscript)
        try await mock.untilIdle()
        for said in says {
            try await contact.say(said)
            try await mock.untilIdle()
        }
        await mock.stop()
        for await event in events {
            actions += reader.read(event)
            if event == .chatEnded { break }
        }
        var screen = Screen()
        for (number, action) in actions.enumerated() { screen.take(action, number) }
        return screen
    }

    @Test("A message that fails can be sent again, in the row of its draft")
    func failure() async throws {
        let mock = try await Mock.start(MockPlan(Self.golden("")))
        let contact = try await mock.contact()
        let events = contact.session.events
        try await mock.inject(at: "request SendMessage 1", do: "refuse: 500", times: 3)
        await #expect(throws: ConnectChatError.self) { try await contact.say("tea please") }
        var reader = ContactReader()
        var screen = Screen()
        for action in reader.read(contact.session.latestTranscript) { screen.take(action, 1) }
        expectEqual(screen.rows.compactMap { $0.message?.delivery }, [.failed], "also to those who come late")
        let failed = try #require(try await contact.rows.last { $0.status == .Failed })
        try await mock.during {
            try await contact.session.resendFailedMessage(messageId: failed.persistentId)
        }
        try await mock.untilIdle()
        await mock.stop()
        var live = ContactReader()
        var steps: [RowMessage.Delivery] = []
        screen = Screen()
        for await event in events {
            for action in live.read(event) {
                screen.take(action, steps.count)
                let delivery = screen.rows.compactMap { $0.message?.delivery }.last
                if let delivery, steps.last != delivery { steps.append(delivery) }
            }
            if steps.last == .sent { break }
        }
        expectEqual(steps, [.pending, .failed, .pending, .sent])
        expectEqual(screen.rows.count { $0.message?.speaker == .user }, 1)
    }

    @Test("Receipts of both kinds and files of both sides are on the rows, also for a screen that opens late")
    func receiptsAndFiles() async throws {
        let text = Self.golden("").replacing(
            #"{ name: "bye","#,
            with: #"""
                { name: "read", hears: "read", replies: [ { receipt: "read" } ] },
                { name: "got", hears: "got", replies: [ { receipt: "delivered" } ] },
                { name: "rules", hears: "rules", replies: [ {
                  say: "Here.", attach: [{ title: "rules.txt", file: "data:text/plain,Quiet" }] } ] },
                { name: "file", hears: { file: "text/*" }, replies: [ { say: "Thanks for {message}." } ] },
                { name: "bye",
                """#)
        let mock = try await Mock.start(MockPlan(text))
        let contact = try await mock.contact()
        let events = contact.session.events
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("menu.txt")
        try Data("Soup".utf8).write(to: file)
        for said in ["read this", "got this", "the rules", "bye"] {
            if said == "bye" {
                try await mock.during {
                    try await contact.session.sendAttachment(file: file)
                }
            }
            try await contact.say(said)
            try await mock.untilIdle()
        }
        await mock.stop()
        var (live, late) = (Screen(), Screen())
        var reader = ContactReader()
        for await event in events {
            for action in reader.read(event) { live.take(action, 1) }
            if event == .chatEnded { break }
        }
        var fresh = ContactReader()
        for action in fresh.read(contact.session.latestTranscript) { late.take(action, 1) }
        for screen in [live, late] {
            let messages = screen.rows.compactMap(\.message)
            expectEqual(messages.first { $0.text == "read this" }?.delivery, .read)
            expectEqual(messages.first { $0.text == "got this" }?.delivery, .delivered)
            let files = messages.flatMap(\.attachments)
            expectEqual(files.map(\.title), ["rules.txt", "menu.txt"])
            #expect(files.allSatisfy { $0.kind == .file && $0.type == "text/plain" && $0.state == .complete })
            #expect(messages.allSatisfy { $0.unknownCount == 0 })
            #expect(messages.contains { $0.text == "Thanks for menu.txt." })
        }
        expectEqual(live.rows.map(Self.shown), late.rows.map(Self.shown))
    }

    @Test(
        "The scan's result comes after a file", arguments: [true, false] as [Bool],
        [("APPROVED", RowAttachment.State.complete), ("REJECTED", .failed)]
            as [(status: String, state: RowAttachment.State)])
    func scanned(isOwn: Bool, _ verdict: (status: String, state: RowAttachment.State)) throws {
        var core = TranscriptCore()
        core.ownID = "me"
        var reader = ContactReader()
        var chat = ChatModel()
        func state(_ status: String) throws -> RowAttachment.State? {
            let file: JSONObject = [
                "AttachmentId": .string("f"), "AttachmentName": .string("a.txt"), "Status": .string(status),
                "ContentType": .string("text/plain"),
            ]
            let item = try #require(
                WireItem(
                    .object([
                        "Id": .string("i"), "Type": .string("ATTACHMENT"), "ContactId": .string("c"),
                        "AbsoluteTime": .string("2026-01-15T09:30:00.000Z"),
                        "ParticipantId": .string(isOwn ? "me" : "them"),
                        "ParticipantRole": .string(isOwn ? "CUSTOMER" : "AGENT"),
                        "Attachments": .array([.object(file)]),
                    ])))
            let merged = core.merge(item, from: .live, at: Instant(secondsSince1970: 0)) { "made" }
            let row = try #require(merged?.row)
            for action in reader.read(.messageReceived(row)) { _ = chat.apply(action, at: 0) }
            return chat.rows.last?.message?.attachments.first?.state
        }
        try expectEqual(state("IN_PROGRESS"), .uploading(percent: nil))
        try expectEqual(state(verdict.status), verdict.state)
        expectEqual(chat.rows.count, 1)
    }

    @Test("Drafts name their rows")
    func drafts() {
        expectEqual(ContactReader.persistentID(ofDraft: "a-b"), "a-b")
        expectEqual(ContactReader.persistentID(ofDraft: "a-b#2"), "a-b")
    }
}
