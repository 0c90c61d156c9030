import Texts
import WebSocketCore

/// Frames as they arrive (RFC 6455 §5).
enum WebSocketEntries {
    static let frames: [[UInt8]] = [
        [0x81, 0x00], [0x82, 0x00], [0x80, 0x00], [0x00, 0x00], [0x01, 0x01, 0x61], [0x80, 0x01, 0x62],
        [0x89, 0x00], [0x8A, 0x00], [0x88, 0x00], [0x88, 0x02, 0x03, 0xE8], [0x88, 0x02, 0x03, 0xED],
        [0x89, 0x02, 0x68, 0x69], [0x81, 0x7E], [0x81, 0x7E, 0x00, 0x7E], [0x81, 0x7F],
        [0x81, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0], [0x81, 0x85, 0, 0, 0, 0, 0x48, 0x65, 0x6C, 0x6C, 0x6F],
        [0x01, 0x82, 0, 0, 0, 0, 0xC3, 0xA9], [0x80, 0x80, 0, 0, 0, 0], [0x89, 0x80, 0, 0, 0, 0],
        [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8], [0x82, 0x80, 0x12, 0x34, 0x56, 0x78], [0xC1, 0x80, 0, 0, 0, 0],
        [0xF0, 0x9F, 0x98, 0x80], [0xF0, 0x9F], [0x98, 0x80], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF],
    ]

    // MARK: What a peer sends

    /// Control bytes: bit 0 server or client, bit 1 small limits, bit 2 our side has begun to close; then where
    /// to cut.
    static func parser(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let control = input.control()
        let cuts = input.control()
        let role: WebSocketConnection.Role = control & 1 == 0 ? .server : .client
        let limits =
            control & 2 == 0
            ? WebSocketLimits() : WebSocketLimits(messageBytes: 48, framesPerMessage: 4)
        let closes = control & 4 != 0
        let whole = try read(CollectionOfOne(input.rest), role, limits, closes)
        let pieces = try read(Pieces(input.rest, seed: cuts), role, limits, closes)
        try require(whole.outputs == pieces.outputs, "fed in pieces, the messages differ")
        try require(whole.written == pieces.written, "fed in pieces, the answers differ")
        try checkWritten(whole.written, by: role)

        var trait = Trait()
        trait.add(control & 7)
        for output in whole.outputs {
            switch output {
            case .text(let text):
                try require(text.withUnsafeBytes { UTF8Validator.isValid($0) }, "a text is not UTF-8")
                try require(
                    String(decoding: text, as: UTF8.self).utf8.elementsEqual(text),
                    "a text is not UTF-8 for Swift")
                try require(text.count <= limits.messageBytes, "a text is longer than the limit")
            case .binary(let message):
                try require(message.count <= limits.messageBytes, "a message is longer than the limit")
            case .write, .ping, .pong, .peerClosed, .finished: break
            }
        }
        for output in whole.outputs.suffix(3) { trait.add(kind(of: output)) }
        return trait
    }

    private static func kind(of output: WebSocketConnection.Output) -> Int {
        switch output {
        case .write: 0
        case .text: 1
        case .binary: 2
        case .ping: 3
        case .pong: 4
        case .peerClosed(let code, _): 5 + Int(code?.rawValue ?? 0)
        case .finished(let code): 5 + Int(code.rawValue)
        }
    }

    private static func read(
        _ pieces: some Sequence<[UInt8]>, _ role: WebSocketConnection.Role, _ limits: WebSocketLimits,
        _ closes: Bool
    ) throws(BrokenRule) -> (outputs: [WebSocketConnection.Output], written: [UInt8]) {
        var connection = WebSocketConnection(role: role, limits: limits, maskSeed: 7)
        var outputs: [WebSocketConnection.Output] = []
        var written: [UInt8] = []
        func note(_ new: [WebSocketConnection.Output]) {
            for output in new {
                if case .write(let bytes) = output { written += bytes } else { outputs.append(output) }
            }
        }
        if closes { note(connection.close(.normal, reason: "enough")) }
        for piece in pieces {
            note(connection.receive(piece))
            // 14 bytes are the longest header.
            try require(
                connection.bufferedBytes <= limits.messageBytes + WebSocketLimits.controlPayloadBytes
                    + 14,
                "\(connection.bufferedBytes) bytes are kept of unfinished frames")
        }
        let wasClosed = connection.state == .closed
        note(connection.inputClosed())
        try require(connection.state == .closed, "still open behind the end of the input")
        let ends = outputs.filter { if case .finished = $0 { true } else { false } }
        try require(ends.count == 1, "finished \(ends.count) times")
        if case .finished = outputs.last {} else { throw BrokenRule("something follows the end") }
        try require(wasClosed || outputs.last == .finished(.abnormal), "an end of input is a proper end")
        return (outputs, written)
    }

    /// Our own other side has nothing to object to what we answered.
    private static func checkWritten(
        _ written: [UInt8], by role: WebSocketConnection.Role
    ) throws(BrokenRule) {
        var peer = WebSocketConnection(role: role == .server ? .client : .server)
        var sawClose = false
        for output in peer.receive(written) {
            switch output {
            case .peerClosed: sawClose = true
            case .finished(let code):
                try require(sawClose, "our other side refuses what we wrote with \(code.description)")
            case .text, .binary: throw BrokenRule("a message was written that nobody sent")
            case .write, .ping, .pong: break
            }
        }
    }

    // MARK: What both sides say to each other

    /// Messages that the input describes go from one side to the other, in fragments, cut anywhere.
    static func exchange(_ bytes: [UInt8]) throws(BrokenRule) -> Trait {
        var input = FuzzInput(bytes)
        let control = input.control()
        let role: WebSocketConnection.Role = control & 1 == 0 ? .client : .server
        var sender = WebSocketConnection(role: role, maskSeed: 11)
        var receiver = WebSocketConnection(role: role == .client ? .server : .client)
        var wire: [UInt8] = []
        var expected: [WebSocketConnection.Output] = []
        while !input.isAtEnd, expected.count < 64 {
            let kind = input.control()
            let length = input.control()
            let payload = input.take(kind & 8 == 0 ? length : length * 7)
            switch kind & 3 {
            case 0:
                let text = Array(String(decoding: payload, as: UTF8.self).utf8)
                wire += fragments(.text, text, kind, role)
                expected.append(.text(text))
            case 1:
                wire += fragments(.binary, payload, kind, role)
                expected.append(.binary(payload))
            case 2:
                wire += sender.ping(Array(payload.prefix(125)))
                expected.append(.ping(Array(payload.prefix(125))))
            default:
                wire += sender.message(.binary, payload)
                expected.append(.binary(payload))
            }
        }
        var heard: [WebSocketConnection.Output] = []
        for piece in Pieces(wire, seed: control >> 1) {
            for output in receiver.receive(piece) {
                if case .write(let answer) = output {
                    for back in sender.receive(answer) {
                        if case .pong = back { continue }
                        throw BrokenRule("the answer is \(back), not a Pong")
                    }
                } else {
                    heard.append(output)
                }
            }
        }
        try require(heard == expected, "what arrives is not what was sent")
        var trait = Trait()
        trait.add(control & 1)
        trait.add(roughly: expected.count)
        trait.add(roughly: wire.count)
        return trait
    }

    private static func fragments(
        _ opcode: Opcode, _ payload: [UInt8], _ kind: Int, _ role: WebSocketConnection.Role
    ) -> [UInt8] {
        let mask: UInt32? = role == .client ? UInt32(truncatingIfNeeded: kind &* 0x9E37_79B1) : nil
        var parts = kind & 4 == 0 ? [payload] : Array(Pieces(payload, seed: kind >> 2))
        if parts.isEmpty { parts = [[]] }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            FrameWriter.appendFrame(
                opcode: index == 0 ? opcode : .continuation, payload: part, fin: index == parts.count - 1,
                mask: mask, to: &bytes)
        }
        return bytes
    }
}
