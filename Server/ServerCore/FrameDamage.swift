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

    /// The first half of the bytes of a whole text frame.
    static func halfFrame(_ text: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        FrameWriter.appendHeader(opcode: .text, length: text.count, fin: true, to: &frame)
        frame += text
        return Array(frame[..<max(1, frame.count / 2)])
    }
}
