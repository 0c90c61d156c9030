import Expectations
import Foundation
import MessagingWire
import PolyMessaging
import Testing

import struct PolyMessaging.Attachment

@Suite("Streamed replies")
struct StreamTests {
    func chunk(
        _ text: String?, _ index: Int, id: String = "m", last: Bool = false, attachments: [Attachment] = [],
        suggestions: [String] = []
    ) -> AgentMessageChunkPayload {
        AgentMessageChunkPayload(
            messageId: id, chunkIndex: index, isComplete: last, text: text, attachments: attachments,
            responseSuggestions: suggestions.map { ResponseSuggestion(messageText: $0) })
    }

    /// The whole replies that come of these chunks, one after the other.
    func replies(_ chunks: [AgentMessageChunkPayload]) -> [AgentMessagePayload] {
        var stream = StreamCore()
        var replies: [AgentMessagePayload] = []
        for (index, chunk) in chunks.enumerated() {
            let envelope = Envelope(id: "\(index)", sequence: index, timestamp: Date(nanosecondsSince1970: 0))
            for event in stream.receive(envelope, chunk) {
                if case .agentMessage(_, let payload) = event { replies.append(payload) }
            }
        }
        return replies
    }

    @Test("CHAT-111, CHAT-112 Three chunks are one message; its text is the plain concatenation")
    func concatenation() {
        let found = replies([chunk("Hel", 1), chunk("lo, ", 2), chunk("Ada", 3, last: true)])
        expectEqual(found.map(\.text), ["Hello, Ada"])
    }

    @Test("CHAT-113 An empty last chunk adds nothing", arguments: [nil, ""] as [String?])
    func emptyEnd(_ text: String?) {
        expectEqual(replies([chunk("Hello", 1), chunk(text, 2, last: true)]).map(\.text), ["Hello"])
    }

    @Test("CHAT-114 A stream without content is no message")
    func emptyStream() {
        #expect(replies([chunk("", 1), chunk(nil, 2, last: true)]).isEmpty)
    }

    @Test("CHAT-133 A chunk of another reply ends the first one as a message of its own")
    func abandoned() {
        let found = replies([chunk("one", 1, id: "a"), chunk("two", 1, id: "b", last: true)])
        expectEqual(found.map(\.text), ["one", "two"])
        expectEqual(found.map(\.messageId), ["a", "b"])
    }

    @Test("CHAT-134 Late chunks find their reply among the last ones; one that goes on is not disturbed")
    func lateChunks() {
        let found = replies([
            chunk("b", 2, id: "a", last: true), chunk("d", 2, id: "b", last: true), chunk("1", 1, id: "c"),
            chunk("c", 1, id: "b"), chunk("a", 1, id: "a"), chunk("2", 2, id: "c", last: true),
        ])
        expectEqual(found.map(\.text), ["b", "d", "cd", "ab", "12"])
        expectEqual(found.map(\.messageId), ["a", "b", "b", "a", "c"])
    }

    @Test("CHAT-134 A late chunk that leaves a gap shows when something else comes, at the latest")
    func lateChunkWithGap() {
        let found = replies([
            chunk("d", 4, id: "a", last: true), chunk("b", 2, id: "a"), chunk("x", 1, id: "b", last: true),
        ])
        expectEqual(found.map(\.text), ["d", "bd", "x"])
    }

    @Test("CHAT-136 Only the last replies are kept for late chunks, by number and by bytes")
    func keptReplies() {
        let count = MessagingLimits.maxEndedStreams
        let many = (0...count).map { chunk("b", 2, id: "\($0)", last: true) }
        expectEqual(replies(many + [chunk("a", 1, id: "1")]).last?.text, "ab")
        expectEqual(replies(many + [chunk("a", 1, id: "0", last: true)]).last?.text, "a")
        let big = String(repeating: "x", count: MessagingLimits.maxStreamBytes / 2)
        let heavy = (0..<3).map { chunk(big, 2, id: "\($0)", last: true) }
        expectEqual(replies(heavy + [chunk("a", 1, id: "1")]).last?.text.utf8.count, big.utf8.count + 1)
        expectEqual(replies(heavy + [chunk("a", 1, id: "0", last: true)]).last?.text, "a")
    }

    @Test("CHAT-134 The index gives the order")
    func order() {
        expectEqual(replies([chunk("c", 3), chunk("a", 1), chunk("b", 2, last: true)]).map(\.text), ["abc"])
    }

    @Test("CHAT-135 A repeated index is ignored")
    func repeatedIndex() {
        let found = replies([chunk("a", 1), chunk("b", 2), chunk("b", 2), chunk("c", 3, last: true)])
        expectEqual(found.map(\.text), ["abc"])
    }

    @Test("CHAT-136 Text is not cut at the limit for outgoing messages", arguments: [0, 1] as [Int])
    func longText(_ extra: Int) {
        let text = String(repeating: "x", count: MessagingLimits.messageBytes + extra)
        expectEqual(replies([chunk(text, 1, last: true)]).map(\.text.utf8.count), [text.utf8.count])
    }

    @Test("CHAT-136 A stream is bounded: what is beyond is ignored, what was there stays")
    func bounded() {
        var assembly = ChunkAssembly(messageID: "m")
        let big = String(repeating: "x", count: MessagingLimits.maxStreamBytes)
        let taken = [chunk(big, 1), chunk("y", 2), chunk("", 3)].map { assembly.add($0) }
        expectEqual(taken, [true, false, true])
        expectEqual(assembly.text().utf8.count, MessagingLimits.maxStreamBytes)
        var many = ChunkAssembly(messageID: "m")
        for index in 0..<MessagingLimits.maxChunks { _ = many.add(chunk(nil, index)) }
        let isRoom = many.add(chunk("z", MessagingLimits.maxChunks))
        #expect(!isRoom)
    }

    @Test("CHAT-139 Suggestions alone make a message, and those of all chunks are kept once each")
    func suggestions() {
        let alone = replies([chunk(nil, 1, last: true, suggestions: ["yes"])])
        expectEqual(alone.map { $0.responseSuggestions.map(\.messageText) }, [["yes"]])
        let found = replies([
            chunk("Well?", 1, suggestions: ["yes"]), chunk(nil, 2, suggestions: ["no", "yes"]),
            chunk(nil, 3, last: true),
        ])
        expectEqual(found.map { $0.responseSuggestions.map(\.messageText) }, [["yes", "no"]])
    }

    @Test("CHAT-142 An attachment repeated over chunks appears once; those without URL all stay")
    func attachments() {
        let plan = Attachment(contentType: .image, contentUrl: URL(string: "https://assets.test/plan.png"))
        let bare = Attachment(contentType: .unknown, contentUrl: nil)
        let found = replies([
            chunk("x", 1, attachments: [plan, bare]), chunk(nil, 2, last: true, attachments: [plan, bare]),
        ])
        expectEqual(found.first?.attachments, [plan, bare, bare])
    }

    @Test("CHAT-140 SESSION_END ends an open stream first")
    func sessionEnd() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.chunk("half", 1))
        let outputs = bench.receive(bench.journaled(.sessionEnd(reason: nil)))
        expectEqual(outputs.agentMessages.map(\.text), ["half"])
        guard case .agentMessage? = outputs.events.first else {
            Issue.record("\(outputs.events)")
            return
        }
    }

    @Test("CHAT-133 A whole reply of another id ends an open stream first")
    func wholeReply() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.chunk("half", 1, id: "a"))
        bench.receive(bench.message("whole", id: "b"))
        expectEqual(bench.texts, ["half", "whole"])
    }

    /// protocol.md#abandoned-stream
    @Test("CHAT-133 Handoff, too, ends an abandoned stream")
    func handoff() {
        var bench = Bench()
        bench.startAndJoin()
        bench.receive(bench.chunk("One moment", 1))
        bench.receive(bench.journaled(.agentTriggeredHandoff))
        expectEqual(bench.texts, ["One moment"])
        expectEqual(bench.transcript.messages.last?.isSystem, true)
    }

    @Test("CHAT-107 An end flag on a chunk ends the chat when the reply is whole")
    func endFlag() {
        var bench = Bench()
        bench.startAndJoin()
        let last = WireChunk(
            messageID: "m", index: 1, isComplete: true, text: "Bye", parts: WireParts(endsConversation: true))
        let outputs = bench.receive(bench.journaled(.agentMessageChunk(last)))
        expectEqual(outputs.agentMessages.map(\.text), ["Bye"])
        expectEqual(outputs.ends, ["agent_ended"])
    }
}
