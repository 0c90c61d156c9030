import DialectKit
import HTTPCore
import WebSocketCore

/// Damage that needs no knowledge of a dialect, and the bytes on the wire that some of it needs.
enum FrameDamage {
    /// The text with a byte that UTF-8 has no use for, in its middle.
    static func badUTF8(_ text: [UInt8]) -> [UInt8] {
        let middle = text.count / 2
        return text[..<middle] + [0xFF] + text[middle...]
    }

    /// The first half, cut between two characters. An event of a stream keeps the blank line behind it.
    static func brokenOff(_ text: [UInt8], on outlet: Carrier) -> [UInt8] {
        var end = text.count / 2
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(text[..<end]) + (outlet == .webSocket ? [] : [0x0A, 0x0A])
    }

    private static let field = Array("data: ".utf8)

    /// The same value twice in one message.
    static func doubled(_ text: [UInt8], on outlet: Carrier) -> [UInt8] {
        guard outlet != .webSocket, text.starts(with: field) else { return text + text }
        let value = text.dropFirst(field.count).prefix { $0 != 0x0A }
        return field + value + value + [0x0A, 0x0A]
    }

    static func withCRLF(_ text: [UInt8], on outlet: Carrier) -> [UInt8] {
        if outlet == .webSocket { return text + [0x0D, 0x0A] }
        return text.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    }

    /// What event streams of other services end with.
    static func doneMark(on outlet: Carrier) -> [UInt8] {
        let mark = Array("[DONE]".utf8)
        return outlet == .webSocket ? mark : field + mark + [0x0A, 0x0A]
    }

    static func withoutBlank(_ text: [UInt8]) -> [UInt8] {
        guard text.starts(with: field) else { return text }
        return field.dropLast() + text.dropFirst(field.count)
    }

    /// The first half of the bytes that carry a whole message: of its frame, or of its chunk.
    static func half(_ text: [UInt8], on outlet: Carrier) -> [UInt8] {
        let frame = frame(text, in: 1, on: outlet)
        // Nothing stays nothing: a text that another trouble broke off may be empty.
        return Array(frame.prefix(max(1, frame.count / 2)))
    }

    /// The bytes that carry a message: `count` frames of about the same size (RFC 6455 §5.4), or chunks. Fewer where the
    /// message has fewer bytes.
    static func frame(_ text: [UInt8], in count: Int, on outlet: Carrier) -> [UInt8] {
        let count = max(1, min(count, text.count))
        var bytes: [UInt8] = []
        for index in 0..<count {
            let piece = text[(text.count * index / count)..<(text.count * (index + 1) / count)]
            switch outlet {
            case .webSocket:
                FrameWriter.appendHeader(
                    opcode: index == 0 ? .text : .continuation, length: piece.count, fin: index == count - 1,
                    to: &bytes)
                bytes += piece
            case .stream(isChunked: true): TransferChunk.append(Array(piece), into: &bytes)
            case .stream(isChunked: false): bytes += piece
            }
        }
        return bytes
    }
}
