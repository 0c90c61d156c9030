import Clocks
import ConversationEngine
import DialectKit
import MessagingWire
import PolyDialect
import Testing
import Texts

@Suite("Events of the server (poly-messaging 3.2, 4.2 to 4.4)")
struct EncodeTests {
    private func encode(_ entry: JournalEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        Exchange().dialect.encode(entry, into: &bytes)
        return bytes
    }

    @Test("Every event looks as its file says", arguments: WireCase.all)
    func golden(_ wireCase: WireCase) throws {
        let text = try WireFile.text(wireCase.file).replacing(WireFile.id, with: wireCase.entry.id.text)
        #expect(String(decoding: encode(wireCase.entry), as: UTF8.self) == text)
    }

    @Test("Every file has its event, and every kind of event a file")
    func complete() throws {
        #expect(try WireFile.names() == Set(WireCase.all.map(\.file)))
        #expect(Set(WireCase.all.map(\.entry.event.kind)) == Set(EventKind.allCases))
    }

    @Test("An event is appended to what stands there already")
    func appends() throws {
        var bytes = Array("[".utf8)
        Exchange().dialect.encode(WireCase.all[0].entry, into: &bytes)
        bytes.append(UInt8(ascii: "]"))
        #expect(try JSONReader.read(bytes).array?.count == 1)
    }

    @Test(
        "Every event with an id, a timestamp and an object payload is understood by a client",
        arguments: WireCase.all)
    func readByClients(_ wireCase: WireCase) throws {
        let bytes = encode(wireCase.entry)
        guard case .event(let event) = WireEventReader.read(bytes) else {
            Issue.record("dropped")
            return
        }
        #expect(event.id == wireCase.entry.id.text)
        #expect(event.sequence == wireCase.entry.sequence)
        #expect(event.nanoseconds == wireCase.entry.time.nanoseconds)
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
        ) { $0.append(contentsOf: event.id.utf8) }
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    }

    @Test("Only the last piece of a stream carries calls and the end (7, row 23)")
    func earlyChunk() throws {
        let chunk = Chunk(
            messageID: "m", index: 1, isComplete: false, text: "a",
            calls: [CallAction(title: "t", number: "1")],
            endsConversation: true)
        let bytes = encode(WireCase("", 1, .agentChunk(chunk)).entry)
        let payload = try JSONReader.read(bytes)["payload"]?.object
        #expect(
            payload?.members.map(\.name)
                == [
                    "message_id", "chunk_index", "is_complete", "text", "attachments", "response_suggestions",
                ])
    }
}
