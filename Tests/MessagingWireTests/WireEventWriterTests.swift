import Expectations
import MessagingWire
import Testing

@Suite("Events that servers write")
struct WireEventWriterTests {
    @Test("A chunk without parts is written as every other event is")
    func chunks() {
        for words in ["", "word ", "\"a\\b\"\n\u{1F3CA} é\u{7}"] {
            for (index, sequence) in [(0, nil), (1, 7), (-3, 12_345_678_901)] as [(Int, UInt64?)] {
                for isComplete in [false, true] {
                    let chunk = WireChunk(
                        messageID: "msg_\(index)\"", index: index, isComplete: isComplete, text: words)
                    var (expected, written): ([UInt8], [UInt8]) = ([1], [1])
                    func writeID(_ room: UnsafeMutableRawBufferPointer) -> Int {
                        room.copyBytes(from: "id-1".utf8)
                        return 4
                    }
                    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
                    WireEventWriter.write(
                        .agentMessageChunk(chunk), sequence: sequence, nanoseconds: 1_700_000_000_123_456_789,
                        into: &expected, writeID: writeID)
                    WireEventWriter.writeChunk(
                        of: chunk.messageID, index: index, isComplete: isComplete, text: words,
                        sequence: sequence, nanoseconds: 1_700_000_000_123_456_789, into: &written,
                        writeID: writeID)
                    expectEqual(text(written), text(expected))
                }
            }
        }
    }
}
