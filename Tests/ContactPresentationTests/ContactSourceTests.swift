import ChatPresentation
import ConnectCore
import ContactPresentation
import Expectations
import Foundation
import Testing

@testable import MockKit

@Suite("ContactSource: screens over a contact", .timeLimit(.minutes(5)))
struct ContactSourceTests {
    private static let fixture = """
        {
          fixture: 1, name: "Shop", agent: { name: "BOT" },
          pace: "p", paces: { p: { think: "100ms", chunk: "1 word", every: "50ms" } },
          greeting: [ { say: "Welcome." } ],
          stages: { start: [
            { name: "one", hears: "one", replies: [ { receipt: "read" }, { say: "The first of two." } ] },
            { name: "file", hears: "file", replies: [ {
              say: "Here.", attach: [{ title: "rules.txt", file: "data:text/plain,Quiet" }] } ] },
            { name: "bye", hears: "bye", replies: [ { say: "Good bye." }, { end: "natural" } ] },
          ] },
          otherwise: [ { replies: [ { say: "You said {message}." } ] } ],
        }
        """

    /// A screen: the model of its rows, and the rows as the changes alone make them.
    private final class Screen {
        var chat = ChatModel()
        var patched: [ChatRow] = []
        var following: ScreenFollowing?

        func take() {
            for action in following?.take() ?? [] {
                for case .rows(let change) in chat.apply(action, at: 0) {
                    switch change {
                    case .inserted(let row, let index): patched.insert(row, at: index)
                    case .updated(let row, let index): patched[index] = row
                    case .removed(let index): patched.remove(at: index)
                    }
                }
            }
        }

        /// A transcript has no ids of drafts, and the time of a draft is the client's.
        var rows: [ChatRow.Content] {
            chat.rows.map { row in
                guard var message = row.message else { return row.content }
                message.id = ""
                return .message(message)
            }
        }
    }

    @Test("Screens opened, closed and opened again at any step show what one shows that was always open")
    func anyStep() async throws {
        let mock = try await Mock.start(MockPlan(Self.fixture))
        let contact = try await mock.contact()
        let source = ContactSource(contact.session)
        #expect(source.takesFiles && source.offers.isEmpty)
        let always = Screen()
        always.following = source.follow()
        always.take()
        var screens: [Screen] = []
        for said in ["one", "file", "and", nil, "bye"] {
            for isEarly in [true, false] {
                let new = Screen()
                new.following = source.follow()
                if isEarly { new.take() }
                screens.append(new)
            }
            // One in two was closed at the step before.
            for (index, screen) in screens.enumerated()
            where screen.following == nil || index.isMultiple(of: 2) {
                screen.following?.stop()
                screen.following = screen.following == nil ? source.follow() : nil
            }
            if let said {
                try await mock.during { try await source.execute(.send(text: said)) }
            } else {
                try await mock.inject(at: "request SendMessage 1", do: "refuse: 500", times: 3)
                await #expect(throws: (any Error).self) {
                    try await mock.during { try await source.execute(.send(text: "lost")) }
                }
            }
            try await mock.untilIdle()
            always.take()
            for screen in screens where screen.following != nil {
                screen.take()
                expectEqual(screen.rows, always.rows, "at \(said ?? "lost")")
                expectEqual(screen.patched, screen.chat.rows)
            }
        }
        #expect(always.chat.ending == .agent && always.following?.status == SourceStatus(.closed))
        let messages = always.chat.rows.compactMap(\.message)
        expectEqual(messages.first { $0.text == "one" }?.delivery, .read)
        expectEqual(messages.first { $0.text == "lost" }?.delivery, .failed)
        expectEqual(messages.flatMap(\.attachments).map(\.title), ["rules.txt"])
        await mock.stop()
    }

    @Test(
        "Another contact on the same session empties each screen, and a failure is there for a late one, too")
    func another() async throws {
        let mock = try await Mock.start(MockPlan(Self.fixture))
        let contact = try await mock.contact()
        let other = try await mock.contact()
        let source = ContactSource(contact.session)
        let always = Screen()
        always.following = source.follow()
        try await mock.during { try await source.execute(.send(text: "bye")) }
        try await mock.untilIdle()
        always.take()
        #expect(always.chat.ending == .agent && always.following?.status == SourceStatus(.closed))
        let over = Screen()
        over.following = source.follow()
        over.take()
        #expect(over.rows == always.rows && over.chat.ending == .agent)
        expectEqual(over.following?.status, SourceStatus(.closed))

        // The service refuses the token: the first connection of the next contact fails for good.
        await #expect(throws: (any Error).self) {
            try await mock.during {
                try await contact.session.connect(chatDetails: ChatDetails(participantToken: "unknown"))
            }
        }
        try await mock.untilIdle()
        always.take()
        let late = Screen()
        late.following = source.follow()
        late.take()
        for screen in [always, late] {
            #expect(screen.chat.rows.isEmpty && screen.chat.ending == nil && screen.patched.isEmpty)
            let status = screen.following?.status
            #expect(status?.connection == .connecting && status?.failure?.canResume == true)
        }

        try await mock.during { try await contact.session.connect(chatDetails: other.details) }
        try await mock.during { try await source.execute(.send(text: "one")) }
        try await mock.untilIdle()
        for screen in [always, late] {
            screen.take()
            expectEqual(screen.chat.rows.compactMap(\.message?.text).first, "Welcome.")
            #expect(screen.rows == always.rows && screen.patched == screen.chat.rows)
            expectEqual(screen.following?.status, SourceStatus(.open))
        }
        await mock.stop()
    }

    @Test(
        "Older pages come in on demand, in order, none twice, as if the screen had been open from the beginning"
    )
    func pages() async throws {
        let steps = (0..<4).map { "{ say: \"{message} \($0)\" }" }.joined(separator: ", ")
        let mock = try await Mock.start(
            MockPlan(
                "{ fixture: 1, name: \"Long\", agent: { name: \"BOT\" }, paces: { p: { think: \"1ms\" } }, pace: \"p\","
                    + " otherwise: [ { replies: [ \(steps) ] } ] }"))
        let contact = try await mock.contact(streaming: false)
        let always = Screen()
        always.following = ContactSource(contact.session).follow()
        always.take()
        for number in 0..<100 {
            try await mock.during {
                try await contact.session.sendMessage(contentType: .plainText, message: "part \(number)")
            }
            try await mock.untilIdle()
            // The socket is read only as fast as its screens look.
            always.take()
        }
        #expect(always.chat.rows.count >= 500 && !always.chat.hasEarlier)

        let endpoint = try #require(URL(string: mock.url))
        let again = try await mock.join(contact.details, at: endpoint, through: mock.tap)
        try await mock.untilIdle()
        let source = ContactSource(again.session)
        let (screen, other) = (Screen(), Screen())
        screen.following = source.follow()
        screen.take()
        var pages = EarlierPages()
        var count = screen.chat.rows.count
        #expect(count < 100)
        var asked = 0
        while pages.reachedBeginning(of: screen.chat) {
            if asked == 3 { other.following = source.follow() }
            try await mock.during { try await source.execute(.loadEarlier) }
            try await mock.untilIdle()
            screen.take()
            other.take()
            pages.ended(isLoaded: true)
            asked += 1
            #expect(screen.chat.rows.count > count && screen.patched == screen.chat.rows)
            count = screen.chat.rows.count
        }
        other.take()
        #expect(asked > 10 && screen.chat.unread == 0 && screen.chat.below == 0)
        for screen in [screen, other] {
            #expect(screen.rows == always.rows && screen.patched == screen.chat.rows)
        }
        try await mock.during { try await source.execute(.loadEarlier) }
        screen.take()
        expectEqual(screen.rows, always.rows)
        await mock.stop()
    }

    @Test("A file's percentage and its cancellation are on each screen, and the file can be sent again")
    func upload() async throws {
        let mock = try await Mock.start(MockPlan(Self.fixture))
        let contact = try await mock.contact()
        let source = ContactSource(contact.session)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("film.txt").path
        try Data(repeating: 0x41, count: 3 << 20).write(to: URL(fileURLWithPath: path))

        var reader = ContactReader()
        var chat = ChatModel()
        func take(_ events: [ChatSessionEvent]) {
            for action in events.flatMap({ reader.read($0) }) { _ = chat.apply(action, at: 0) }
        }
        func state() -> RowAttachment.State? { chat.rows.last?.message?.attachments.first?.state }
        let listener = contact.session.listen {}
        try await mock.during { try await source.execute(.sendFile(path: path)) }
        try await mock.untilIdle()
        let events = listener.takeAll()
        var states: [RowAttachment.State] = []
        for event in events {
            take([event])
            if let state = state(), state != states.last { states.append(state) }
        }
        #expect(states.first == .uploading(percent: nil) && states.last == .complete)
        let percents = states.compactMap { state -> Int? in
            if case .uploading(let percent) = state { percent } else { nil }
        }
        #expect(!percents.isEmpty && percents == percents.sorted() && percents.allSatisfy { 0...100 ~= $0 })

        // Nothing lets time pass until the service answers.
        try await mock.inject(at: "request StartAttachmentUpload 1", do: "delay: \"10s\"")
        contact.session.sendAttachment(file: URL(fileURLWithPath: path)) { _ in }
        _ = contact.session.settleHere()
        take(listener.takeAll())
        let message = try #require(chat.rows.last?.message)
        #expect(state() == .uploading(percent: nil) && message.actions.first == .cancel)
        try await source.execute(.cancelFile(messageID: message.id))
        _ = contact.session.settleHere()
        take(listener.takeAll())
        #expect(state() == .cancelled && chat.rows.last?.message?.delivery == .failed)
        let late = Screen()
        late.following = source.follow()
        late.take()
        expectEqual(
            late.rows,
            chat.rows.map { row in
                guard var message = row.message else { return row.content }
                message.id = ""
                return .message(message)
            })
        try await mock.during { try await source.execute(.retry(id: message.id)) }
        try await mock.untilIdle()
        take(listener.takeAll())
        #expect(state() == .complete && chat.rows.last?.message?.delivery?.hasArrived == true)
        listener.stop()
        await mock.stop()
    }

    @Test("A screen that is opened a hundred times patches nothing that it shows already")
    func hundredTimes() async throws {
        let mock = try await Mock.start(MockPlan(Self.fixture))
        let contact = try await mock.contact()
        let source = ContactSource(contact.session)
        for text in ["one", "file", "and"] {
            try await mock.during { try await source.execute(.send(text: text)) }
        }
        try await mock.untilIdle()
        var chat = ChatModel()
        for time in 0..<100 {
            let following = source.follow()
            let effects = following.take().flatMap { chat.apply($0, at: 0) }
            // Half of them are released without a stop.
            if time.isMultiple(of: 2) { following.stop() }
            expectEqual(effects.isEmpty, time > 0)
        }
        #expect(!contact.session.owesMain && chat.rows.count >= 6)
        await mock.stop()
    }
}
