import DialectKit
import HTTPCore
import WebSocketCore

/// Damage to messages that needs no knowledge of the dialect.
enum FrameDamage {
    /// Inserts a byte that is never valid in UTF-8 into the middle of a text.
    static func badUTF8(_ text: [UInt8]) -> [UInt8] {
        let middle = text.count / 2
        return text[..<middle] + [0xFF] + text[middle...]
    }

    /// Returns the first half of a text, cut between characters. An event of a stream keeps its blank line.
    static func brokenOff(_ text: [UInt8], on carrier: Carrier) -> [UInt8] {
        var end = text.count / 2
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(text[..<end]) + (carrier == .webSocket ? [] : [0x0A, 0x0A])
    }

    private static let field = Array("data: ".utf8)

    /// Returns a message that contains the text twice, as in `{…}{…}`.
    static func doubled(_ text: [UInt8], on carrier: Carrier) -> [UInt8] {
        guard carrier != .webSocket, text.starts(with: field) else { return text + text }
        let value = text.dropFirst(field.count).prefix { $0 != 0x0A }
        return field + value + value + [0x0A, 0x0A]
    }

    static func withCRLF(_ text: [UInt8], on carrier: Carrier) -> [UInt8] {
        if carrier == .webSocket { return text + [0x0D, 0x0A] }
        return text.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    }

    /// Returns `[DONE]`, which ends the event streams of other services.
    static func doneMark(on carrier: Carrier) -> [UInt8] {
        let mark = Array("[DONE]".utf8)
        return carrier == .webSocket ? mark : field + mark + [0x0A, 0x0A]
    }

    static func withoutBlank(_ text: [UInt8]) -> [UInt8] {
        guard text.starts(with: field) else { return text }
        return field.dropLast() + text.dropFirst(field.count)
    }

    static func half(_ text: [UInt8], on carrier: Carrier) -> [UInt8] {
        let frame = frame(text, in: 1, on: carrier)
        // Keeps at least one byte, because another fault may have made the text empty.
        return Array(frame.prefix(max(1, frame.count / 2)))
    }

    /// Splits a message into up to `count` frames (RFC 6455 §5.4) or chunks of similar size.
    static func frame(_ text: [UInt8], in count: Int, on carrier: Carrier) -> [UInt8] {
        let count = max(1, min(count, text.count))
        var bytes: [UInt8] = []
        for index in 0..<count {
            let piece = text[(text.count * index / count)..<(text.count * (index + 1) / count)]
            switch carrier {
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
