import Clocks
import Expectations
import Foundation
import PolyMessaging
import Testing

/// extensions.md#asking
@MainActor
@Suite("Extensions through the SDK", .timeLimit(.minutes(5)))
struct ExtensionTests {
    static let fixtureText = fixture(
        #"""
        { hears: "book", replies: [ { say: "At seven." }, { edit: "At eight." } ] },
        { hears: { reaction: "*" }, replies: [ { say: "Thanks." } ] },
        { hears: { file: "image/*" }, replies: [ { say: "A picture." } ] }
        """#)

    /// A greeted chat of a client that asks for `extensions`, and the events of the client.
    private func chat(
        _ stage: Stage, _ extensions: Set<SessionExtension>
    ) async throws -> (ChatSession, Locked<[MessagingEvent]>) {
        let client = try stage.client { $0.extensions = extensions }
        let seen = Locked<[MessagingEvent]>([])
        let events = client.events
        Task { for await event in events { seen.withLock { $0.append(event) } } }
        let chat = ChatSession(client: client)
        try await stage.play("the greeting", chat) { $0.agentMessages.first?.text == "Welcome." }
        return (chat, seen)
    }

    private func changes(_ seen: Locked<[MessagingEvent]>) -> [MessageChangedPayload] {
        seen.withLock { $0 }.compactMap { event -> MessageChangedPayload? in
            if case .messageChanged(_, let payload) = event { payload } else { nil }
        }
    }

    /// The ids of the user's last message and of the last reply.
    private func ids(_ seen: Locked<[MessagingEvent]>) -> (own: String?, reply: String?) {
        var (own, reply): (String?, String?)
        for event in seen.withLock({ $0 }) {
            if case .messageConfirmed(_, let id) = event { own = id }
            if case .agentMessage(_, let payload) = event { reply = payload.messageId }
        }
        return (own, reply)
    }

    @Test("Edits, reactions and withdrawals go both ways; a receipt reports that a message was read")
    func changes() async throws {
        try await Stage.run(fixture: Self.fixtureText) { stage in
            let (chat, seen) = try await chat(stage, [.changes, .receipts])
            try await chat.send("book")
            try await stage.play("the agent's edit", chat) { _ in changes(seen).count == 1 }
            let (own, reply) = ids(seen)
            let (mine, theirs) = (try #require(own), try #require(reply))
            expectEqual(
                changes(seen), [.init(messageId: theirs, change: .text("At eight."), by: .agent)])
            let receipts = seen.withLock { $0 }.compactMap { event -> MessageReceiptPayload? in
                if case .messageReceipt(_, let payload) = event { payload } else { nil }
            }
            expectEqual(
                receipts,
                [
                    .init(messageId: mine, isRead: false, isByUser: false),
                    .init(messageId: mine, isRead: true, isByUser: false),
                ])

            try await chat.client.react("👍", to: theirs)
            try await stage.play("the answer to the reaction", chat) {
                $0.lastAgentMessage?.text == "Thanks." && !$0.isAgentTyping
            }
            try await chat.client.edit(mine, to: "book it")
            try await chat.client.unsend(mine)
            try await chat.client.acknowledge(theirs)
            try await stage.play("the user's changes", chat) { _ in changes(seen).count == 4 }
            expectEqual(
                changes(seen).dropFirst(),
                [
                    .init(messageId: theirs, change: .reaction("👍", isOn: true), by: .user),
                    .init(messageId: mine, change: .text("book it"), by: .user),
                    .init(messageId: mine, change: .deleted, by: .user),
                ])
        }
    }

    /// extensions.md#file-upload, extensions.md#files-of-a-message
    @Test("A message takes files along: their bytes first, with progress, then their ids")
    func files() async throws {
        try await Stage.run(fixture: Self.fixtureText) { stage in
            let (chat, seen) = try await chat(stage, [.files])
            let parts = Locked<[Double]>([])
            let files = [
                OutgoingFile(name: "cat.png", type: "image/png", data: Data("meow".utf8)),
                OutgoingFile(name: "dog.txt", type: "text/plain", data: Data("woof".utf8)),
            ]
            try await stage.during {
                try await chat.send("", replyingTo: "m-1", files: files) { part in
                    parts.withLock { $0.append(part) }
                }
            }
            try await stage.play("the answer to the file", chat) {
                $0.lastAgentMessage?.text == "A picture." && !$0.isAgentTyping
            }
            expectEqual(parts.withLock { $0 }, [0, 0.5, 1])
            let ready = changes(seen).compactMap { payload -> String? in
                guard case .file(_, .ready, let name, _) = payload.change else { return nil }
                return name
            }
            expectEqual(ready, ["cat.png", "dog.txt"])
        }
    }

    /// extensions.md#not-asked
    @Test("A chat that asks for nothing is refused a change, and has no receipts")
    func notAsked() async throws {
        try await Stage.run(fixture: Self.fixtureText) { stage in
            let (chat, seen) = try await chat(stage, [])
            try await stage.ask(chat, "book")
            try await chat.client.react("👍", to: try #require(ids(seen).reply))
            try await stage.play("the notice", chat) { _ in
                seen.withLock { $0.contains { if case .systemMessage = $0 { true } else { false } } }
            }
            #expect(changes(seen).isEmpty)
            await #expect(throws: PolyError.self) {
                try await stage.during {
                    try await chat.send(
                        "x", replyingTo: nil,
                        files: [OutgoingFile(name: "a", type: "text/plain", data: Data("a".utf8))])
                }
            }
        }
    }
}
