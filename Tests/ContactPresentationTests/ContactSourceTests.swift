import ChatPresentation
import ConnectCore
import ContactPresentation
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
                #expect(screen.rows == always.rows, "at \(said ?? "lost")")
                #expect(screen.patched == screen.chat.rows)
            }
        }
        #expect(always.chat.ending == .agent && always.following?.status == SourceStatus(.closed))
        let messages = always.chat.rows.compactMap(\.message)
        #expect(messages.first { $0.text == "one" }?.delivery == .read)
        #expect(messages.first { $0.text == "lost" }?.delivery == .failed)
        #expect(messages.flatMap(\.attachments).map(\.title) == ["rules.txt"])
        await mock.stop()
    }
}
