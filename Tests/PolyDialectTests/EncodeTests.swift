import Clocks
import ConversationEngine
import DialectKit
import Expectations
import MessagingWire
import PolyDialect
import Testing
import Texts

/// protocol.md#server-envelope
@Suite("Events of the server")
struct EncodeTests {
    private func encode(_ entry: JournalEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        Exchange().dialect.encoder.encode(entry, into: &bytes)
        return bytes
    }

    /// protocol.md#event-session-start, protocol.md#event-session-end,
    /// protocol.md#event-session-idle-warning, protocol.md#event-poly-agent-joined,
    /// protocol.md#event-poly-agent-thinking, protocol.md#event-poly-agent-message,
    /// protocol.md#event-poly-agent-message-chunk, protocol.md#event-poly-agent-left,
    /// protocol.md#event-poly-agent-triggered-handoff, protocol.md#event-client-handoff-required,
    /// protocol.md#event-handoff-accepted, protocol.md#event-handoff-queue-status,
    /// protocol.md#event-handoff-failed, protocol.md#event-handoff-timeout,
    /// protocol.md#event-live-agent-joined, protocol.md#event-live-agent-typing,
    /// protocol.md#event-live-agent-message, protocol.md#event-live-agent-left,
    /// protocol.md#event-system-message, protocol.md#event-language-changed,
    /// protocol.md#event-user-received-message, protocol.md#event-user-read-message,
    /// protocol.md#event-poly-agent-received-message, protocol.md#event-poly-agent-read-message,
    /// protocol.md#event-live-agent-received-message, protocol.md#event-live-agent-read-message,
    /// protocol.md#event-show-csat-request, protocol.md#attachments, protocol.md#suggestions,
    /// protocol.md#call-actions
    @Test("Every event looks as its file says", arguments: WireCase.all)
    func golden(_ wireCase: WireCase) throws {
        let text = try WireFile.text(wireCase.file).replacing(WireFile.id, with: wireCase.entry.id.text)
        expectEqual(String(decoding: encode(wireCase.entry), as: UTF8.self), text)
    }

    @Test("Every file has its event, and every kind of event a file")
    func complete() throws {
        try expectEqual(WireFile.names(), Set(WireCase.all.map(\.file)))
        let told = Set(EventKind.allCases).subtracting([.liveAgentStatus, .userFile])
        expectEqual(Set(WireCase.all.map(\.entry.event.kind)), told)
    }

    @Test("What the Messaging API has no event for becomes nothing")
    func withoutEvent() {
        var entry = WireCase.all[0].entry
        entry = JournalEntry(
            sequence: nil, id: entry.id, time: entry.time,
            event: .liveAgentStatus(.idle, SpeakerProfile(name: "Ida")))
        #expect(encode(entry).isEmpty)
    }

    @Test("An event is appended to what stands there already")
    func appends() throws {
        var bytes = Array("[".utf8)
        Exchange().dialect.encoder.encode(WireCase.all[0].entry, into: &bytes)
        bytes.append(UInt8(ascii: "]"))
        try expectEqual(JSONReader.read(bytes).array?.count, 1)
    }

    /// protocol.md#needed-fields
    @Test(
        "Every event with an id, a timestamp and an object payload is understood by a client",
        arguments: WireCase.all)
    func readByClients(_ wireCase: WireCase) throws {
        let bytes = encode(wireCase.entry)
        guard case .event(let event) = WireEventReader.read(bytes) else {
            Issue.record("dropped")
            return
        }
        expectEqual(event.id, wireCase.entry.id.text)
        expectEqual(event.sequence, wireCase.entry.sequence)
        expectEqual(event.nanoseconds, wireCase.entry.time.nanoseconds)
        #expect(try JSONReader.read(bytes)["payload"]?.object != nil)
    }

    @Test(
        "What a client read and wrote again is the same text",
        arguments: WireCase.all.filter { $0.entry.event.kind != .raw })
    func roundTrip(_ wireCase: WireCase) throws {
        let bytes = encode(wireCase.entry)
        guard case .event(let event) = WireEventReader.read(bytes) else {
            Issue.record("dropped")
            return
        }
        var again: [UInt8] = []
        WireEventWriter.write(
            event.payload, sequence: event.sequence, nanoseconds: event.nanoseconds ?? 0,
            customMetadata: wireCase.entry.metadata, into: &again
        ) {
            $0.copyBytes(from: event.id.utf8)
            return event.id.utf8.count
        }
        expectEqual(String(decoding: again, as: UTF8.self), String(decoding: bytes, as: UTF8.self))
    }

    /// protocol.md#undocumented-reply-fields
    @Test("Only the last piece of a stream carries calls and the end")
    func earlyChunk() throws {
        let chunk = Chunk(
            messageID: "m", index: 1, isComplete: false, text: "a",
            parts: MessageParts(calls: [CallAction(title: "t", number: "1")], endsConversation: true))
        let bytes = encode(WireCase("", 1, .agentChunk(chunk)).entry)
        let payload = try JSONReader.read(bytes)["payload"]?.object
        expectEqual(
            payload?.members.map(\.name),
            [
                "message_id", "chunk_index", "is_complete", "text", "attachments", "response_suggestions",
            ])
    }
}
