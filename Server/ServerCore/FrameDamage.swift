import DialectKit
import HTTPCore
import WebSocketCore

/// Damage that needs no knowledge of a dialect.
enum FrameDamage {
    /// The text with a byte that UTF-8 has no use for, in its middle.
    static func badUTF8(_ text: [UInt8]) -> [UInt8] {
        let middle = text.count / 2
        return text[..<middle] + [0xFF] + text[middle...]
    }

    /// The first half, cut between two characters.
    static func brokenOff(_ text: [UInt8]) -> [UInt8] {
        var end = text.count / 2
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(text[..<end])
    }

    /// The first half of the bytes that carry a whole message: of its frame, or of its chunk.
    static func half(_ text: [UInt8], on outlet: Outlet) -> [UInt8] {
        var frame: [UInt8] = []
        switch outlet {
        case .webSocket:
            FrameWriter.appendHeader(opcode: .text, length: text.count, fin: true, to: &frame)
            frame += text
        case .stream(isChunked: true): TransferChunk.append(text, into: &frame)
        case .stream(isChunked: false): frame = text
        }
        // Nothing stays nothing: a text that another trouble broke off may be empty.
        return Array(frame.prefix(max(1, frame.count / 2)))
    }
}
