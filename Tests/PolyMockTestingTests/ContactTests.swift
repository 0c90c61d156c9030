import ConnectChat
import Expectations
import MockServer
import PolyMockTesting
import Testing

@Suite("A contact of the test kit", .mock("booking"), .timeLimit(.minutes(5)))
struct ContactTests {
    @Test(
        "It says something and hears the answer once, streamed or whole", arguments: [true, false] as [Bool])
    func talk(isStreaming: Bool) async throws {
        let mock = Mock.current
        let contact = try await mock.contact(streaming: isStreaming)
        try await contact.say("a table, please")
        try await mock.expect(.reply("For how many"))
        try await mock.clock.untilIdle()
        let replies = try await contact.replies
        expectEqual(replies.count { $0.contains("For how many") }, 1)
        let plain = try await contact.rows.filter {
            $0.direction == .Incoming && $0.kind == .message
                && $0.contentType != ContentType.interactiveText.rawValue
        }
        #expect(plain.isEmpty, "\(replies)")
        let own = try await contact.rows.filter { $0.direction == .Outgoing && $0.kind == .message }
        expectEqual(own.map(\.text), ["a table, please"])
        #expect(try await contact.rows.allSatisfy { $0.isComplete })
    }

    @Test("A reply grows in its row; a whole one does not", arguments: [true, false] as [Bool])
    func growth(isStreaming: Bool) async throws {
        let mock = Mock.current
        let contact = try await mock.contact(streaming: isStreaming)
        try await contact.say("a table, please")
        var sizes: Set<Int> = []
        for _ in 0..<200 where try await contact.replies.last?.contains("For how many") != true {
            try await mock.clock.runNextTimer()
            if let row = try await contact.rows.last(where: { $0.kind == .message }),
                row.direction == .Incoming, !row.isComplete
            {
                sizes.insert(row.text.count)
            }
        }
        #expect(sizes.isEmpty != isStreaming)
    }

    @Test(
        "A connection that breaks costs no message, and none comes twice", arguments: [true, false] as [Bool])
    func drop(isStreaming: Bool) async throws {
        let mock = Mock.current
        let contact = try await mock.contact(streaming: isStreaming)
        try await mock.inject(at: "user message 1", do: "drop: 'connection'")
        try await contact.say("a table, please")
        try await mock.expect(.reconnect, within: .minutes(1))
        try await mock.clock.untilIdle()
        mock.clock.advance(by: .seconds(30))
        try await contact.say("four of us")
        try await mock.expect(.userMessage, exactly: 2)
        try await mock.clock.untilIdle()
        mock.clock.advance(by: .seconds(30))
        let rows = try await contact.rows.filter { $0.kind == .message }
        expectEqual(Set(rows.map(\.id)).count, rows.count)
        expectEqual(
            rows.filter { $0.direction == .Outgoing }.map(\.text), ["a table, please", "four of us"])
        expectEqual(rows.count { $0.text.contains("For how many") }, 1)
    }

    @Test("Items of a page have the shape of frames, with contact and participant")
    func serialized() async throws {
        let mock = Mock.current
        let contact = try await mock.contact()
        try await contact.say("a table, please")
        try await mock.expect(.reply("For how many"))
        let session = contact.session
        let frames = try await mock.letTimePass { @MainActor in
            try await session.getTranscript().transcript.map { item in
                (item.serializedContent ?? [:]).mapValues { "\($0)" }
            }
        }
        #expect(frames.count > 3)
        for frame in frames {
            #expect(frame["topic"] == "aws/chat" && frame["contentType"] == "application/json")
            let names = ["ContactId", "ParticipantId"]
            #expect(names.allSatisfy { frame["content"]?.contains("\"\($0)\":") == true }, "\(frame)")
        }
    }

    @Test("Leaving ends the contact")
    func leaving() async throws {
        let mock = Mock.current
        let contact = try await mock.contact()
        try await contact.end()
        try await mock.expect(.sessionEnded(.user))
        #expect(!contact.session.isChatSessionActive())
    }

    @Test("A refused contact says why", .configuration { $0.connect.isOn = false }, .unmatched(.pass))
    func refusal() async throws {
        let mock = Mock.current
        await #expect(throws: (any Error).self) { _ = try await mock.contact() }
    }
}
