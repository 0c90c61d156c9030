import Clocks
import Expectations
import Foundation
import MockKit
import PolyMessaging
import TestSupport
import Testing

@MainActor
@Suite("The escape hatch", .timeLimit(.minutes(5)))
struct RawConnectionTests {
    /// Keeps the elements of a stream.
    private func gather<Element: Sendable>(_ stream: AsyncStream<Element>) -> Gathering<Element> {
        let gathering = Gathering<Element>()
        Task { for await element in stream { gathering.append(element) } }
        return gathering
    }

    @Test("RAW-272 send and sendRaw reach the wire unchanged and produce no delivery events")
    func unchanged() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let raw = chat.client.getConnection()
            let events = gather(chat.client.events)
            let text = #"{"type":"EVENT_TYPE_USER_MESSAGE", "payload":{"text":"by hand"}}"#
            try await raw.sendRaw(Data(text.utf8))
            await raw.send(.userMessage(text: "as an event"))
            try await stage.play("the answers", chat) { $0.agentMessages.count == 3 }
            #expect(stage.tap.sent.contains(text))
            try await expectEqual(stage.heard(in: stage.sessionID(chat)), ["by hand", "as an event"])
            #expect(!events.all.contains { $0.isDeliveryEvent })
            expectEqual(chat.userMessages.map(\.text), ["by hand", "as an event"])
        }
    }

    @Test("RAW-273 rawFrames shows every inbound text frame, including undecodable ones")
    func frames() async throws {
        try await Stage.run(
            fixture: fixture(
                #"{ hears: "odd", replies: [ { emit: { type: "EVENT_TYPE_NOBODY_KNOWS", payload: {} } } ] }"#)
        ) { stage in
            let chat = try await stage.greetedChat()
            let raw = chat.client.getConnection()
            let (frames, messages) = (gather(raw.rawFrames), gather(raw.messages))
            let before = stage.tap.receivedCount
            try await chat.send("odd")
            try await stage.pass(.seconds(1))
            let count = stage.tap.receivedCount - before
            let seen = try await frames.wait(count: count).map { String(decoding: $0, as: UTF8.self) }
            #expect(seen.contains { $0.contains("EVENT_TYPE_NOBODY_KNOWS") })
            #expect(seen.contains { $0.contains("EVENT_TYPE_USER_MESSAGE") })
            #expect(messages.all.count < count)
        }
    }

    @Test("RAW-274 sendRaw while down reports notConnected, on errors and by throwing")
    func down() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let raw = chat.client.getConnection()
            let errors = gather(raw.errors)
            stage.tap.cutAll()
            try await stage.play("the drop", chat) { !$0.isReady }
            await #expect(throws: PolyError.transport(.notConnected)) {
                try await raw.sendRaw(Data("{}".utf8))
            }
            try await expectEqual(errors.wait(count: 1), [.transport(.notConnected)])
        }
    }

    @Test("Opens, closes and the status are told; a connection closed by hand stays closed")
    func openAndClose() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let raw = chat.client.getConnection()
            let (opens, closes) = (gather(raw.openEvents), gather(raw.closeEvents))
            await expectEqual(raw.status, .open)
            stage.tap.cutAll()
            try await stage.play("the recovery", chat) { stage.tap.dialled.count == 2 && $0.isReady }
            _ = try await opens.wait(count: 1)
            try await expectEqual(closes.wait(count: 1).map(\.code), [1006])
            await raw.disconnect()
            try await stage.pass(.minutes(1))
            try await expectEqual(closes.wait(count: 2).map(\.code), [1006, 1000])
            await chat.catchUp()
            #expect(!chat.isReady && stage.tap.dialled.count == 2)
        }
    }

    @Test(
        "A connection closed by hand with 1006 or 4002 comes back with all rows",
        arguments: [1006, 4002] as [Int])
    func hangUp(_ code: Int) async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            try await stage.ask(chat, "one")
            let session = try stage.sessionID(chat)
            await chat.client.getConnection().disconnect(code: code, reason: "by hand")
            await chat.catchUp()
            #expect(chat.connection.isReconnecting)
            try await stage.play("the recovery", chat) { stage.tap.dialled.count == 2 && $0.isReady }
            expectEqual(stage.tap.dialled.last?.contains("cursor="), true)
            try await stage.ask(chat, "two")
            try expectEqual(stage.sessionID(chat), session)
            expectEqual(chat.userMessages.map(\.text), ["one", "two"])
        }
    }

    @Test("A connection closed by hand with 4001 comes back with another session")
    func hangUpForGood() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let session = try stage.sessionID(chat)
            await chat.client.getConnection().disconnect(code: 4001, reason: "")
            try await stage.play("another session", chat) { chat in
                chat.isReady && (try? stage.sessionID(chat)).map { $0 != session } ?? false
                    && chat.agentMessages.map(\.text) == ["Welcome."]
            }
        }
    }

    @Test("A batch is told as one, and its events one by one")
    func batches() async throws {
        try await Stage.run(fixture: fixture("")) { stage in
            let chat = try await stage.greetedChat()
            let raw = chat.client.getConnection()
            let (batches, messages) = (gather(raw.batchEvents), gather(raw.messages))
            // The next connection begins with SESSION_START and what was missed.
            try await chat.send("hi")
            stage.tap.cutAll()
            try await stage.play("the answer", chat) { chat in
                chat.agentMessages.count == 2 && chat.isReady && stage.tap.dialled.count == 2
            }
            let batch = try #require(try await batches.wait(count: 1).first)
            guard case .sessionStart? = batch.first else {
                Issue.record("\(batch)")
                return
            }
            #expect(messages.all.count >= batch.count)
        }
    }
}
