import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Messages out of a journal")
struct MessageFoldTests {
    private static func journal(_ events: [Event]) -> [JournalEntry] {
        events.enumerated().map { index, event in
            JournalEntry(
                sequence: UInt64(index + 1), id: UniqueID(high: 0, low: UInt64(index)),
                time: Instant(secondsSince1970: Int64(index)), event: event)
        }
    }

    private static func chunk(_ id: String, _ index: Int, _ text: String, last: Bool = false) -> Event {
        .agentChunk(
            Chunk(
                messageID: id, index: index, isComplete: last, text: text,
                parts: MessageParts(suggestions: last ? [Suggestion(text: "Yes")] : [])))
    }

    /// A message in chunks with the user in between, one that counts from 0, and one that is never completed.
    private static let talk = journal([
        .joinRequested, .agentMessage(Message(id: "m1", text: "Welcome.")),
        .userMessage(id: "u1", text: "Hi"), chunk("m2", 1, "Good "), .userMessage(id: "u2", text: "Well?"),
        chunk("m2", 2, "day.", last: true), chunk("m3", 0, "A"), chunk("m3", 1, "B", last: true),
        .liveAgentMessage(Message(id: "m4", text: "I am here."), SpeakerProfile(name: "Pia")),
        .receipt(.userRead, messageID: "m4"), chunk("m5", 1, "never"),
    ])

    private static let all = [
        "m1 Welcome.", "u1 Hi", "m2 Good day.", "u2 Well?", "m3 AB", "m4 I am here.", "m5 never",
    ]

    private func texts(_ messages: [TalkMessage]) -> [String] { messages.map { "\($0.id) \($0.text)" } }

    @Test("Each message is whole, in the order in which they began, with what its last chunk brings")
    func whole() {
        let messages = MessageFold.messages(in: Self.talk)
        expectEqual(texts(messages), Self.all)
        expectEqual(messages.map(\.sequence), [2, 3, 4, 5, 7, 9, 11])
        expectEqual(messages.map(\.isComplete), [true, true, true, true, true, true, false])
        expectEqual(messages[2].parts.suggestions, [Suggestion(text: "Yes")])
        expectEqual(messages[5].author, .liveAgent(SpeakerProfile(name: "Pia")))
        expectEqual(messages[5].receipts, [.userRead])
    }

    @Test("Pages in both directions meet, from every place and of every length")
    func pages() {
        let places = MessageFold.messages(in: Self.talk).map(\.sequence)
        for place in 0...UInt64(Self.talk.count + 2) {
            for limit in 0...8 {
                let ahead = places.indices.filter { places[$0] > place }.prefix(limit)
                expectEqual(
                    texts(MessageFold.messages(in: Self.talk, after: place, limit: limit)),
                    ahead.map { Self.all[$0] }, "after \(place), \(limit)")
                let behind = places.indices.filter { places[$0] < place }.suffix(limit)
                expectEqual(
                    texts(MessageFold.messages(in: Self.talk, before: place, limit: limit)),
                    behind.map { Self.all[$0] }, "before \(place), \(limit)")
            }
        }
    }

    @Test("The last chunk lends the whole text; nothing else does")
    func lending() {
        let texts = (0...12).map { MessageFold.wholeText(endingAt: $0, in: Self.talk) }
        expectEqual(texts.enumerated().filter { $0.element != nil }.map(\.offset), [6, 8])
        expectEqual(texts[6], "Good day.")
        expectEqual(texts[8], "AB")
    }
}
