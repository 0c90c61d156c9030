import Texts

/// State machine of one side of an open WebSocket connection (RFC 6455 §5 to §7), without the socket or a clock. Holds
/// at most ``WebSocketLimits/messageBytes`` of an incomplete message, plus the input of a compressed one.
///
/// | state | event | outputs | next state | RFC 6455 |
/// | --- | --- | --- | --- | --- |
/// | open | data frame completes a message | text or binary | open | §5.4, §6.2 |
/// | open | a compressed message needs more steps to inflate | none: later bytes are not read | inflating | §6.2 |
/// | inflating | ``receive(_:inflater:_:)``, message incomplete | none | inflating | §6.2 |
/// | inflating | ``receive(_:inflater:_:)``, message complete | text or binary | open | §6.2 |
/// | open, closing | Ping | write (Pong), ping | same | §5.5.2, §5.5.3 |
/// | open, closing | Pong | pong | same | §5.5.3 |
/// | open, inflating | ``close(_:reason:)`` | write (Close); incomplete data is dropped | closing | §7.1.2 |
/// | open | Close | write (Close, same code), peerClosed, finished | closed | §5.5.1, §7.1.5 |
/// | open, inflating | violation | write (Close with the reason), finished | closed | §7.1.7 |
/// | closing | data frame | none: the payload is dropped | closing | §1.4, §5.5.1 |
/// | closing | Close | peerClosed, finished | closed | §7.1.3 |
/// | closing | violation | finished; our Close was already sent | closed | §7.1.7 |
/// | open, inflating, closing | ``inputClosed()`` | finished (1006) | closed | §7.1.5 |
/// | closed | anything | none | closed | §1.4 |
///
/// The inflating state is ``State/open`` with ``isInflating``. permessage-deflate (RFC 7692) is active while
/// ``receive(_:inflater:_:)`` gets an inflater. A message is inflated after its last frame has arrived.
package struct WebSocketConnection: Sendable {
    package enum Role: Sendable {
        case client
        case server
    }

    package enum State: Equatable, Sendable {
        case open
        /// We have sent our Close and wait for the peer's Close. The caller must set a deadline.
        case closing
        case closed

        /// Explicit, since other modules call a synthesized comparison through its witness.
        package static func == (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.open, .open), (.closing, .closing), (.closed, .closed): true
            default: false
            }
        }
    }

    package enum Output: Equatable, Sendable {
        case write([UInt8])
        /// A complete text message: joined, unmasked, valid UTF-8.
        case text([UInt8])
        case binary([UInt8])
        /// A Ping from the peer. The Pong is in a `write` output of the same call.
        case ping([UInt8])
        case pong([UInt8])
        /// The code is nil if the frame's body was empty.
        case peerClosed(CloseCode?, reason: String)
        /// Read nothing more. Close the socket after pending writes: a server at once, a client after the end of stream
        /// or a deadline (§7.1.1). The code is the peer's, ours after a violation, or 1006 without a Close.
        case finished(CloseCode)
    }

    package private(set) var state: State = .open
    private let role: Role
    /// Whether a compressed message is only partly inflated.
    package private(set) var isInflating = false
    /// Whether ``bufferedBytes`` can be above 0. Stored, because reading a computed property would copy the connection.
    package private(set) var isUnfinished = false
    private let limits: WebSocketLimits
    private var masks: MaskGenerator

    /// Bytes of an incomplete header.
    private var partialHeader: [UInt8] = []
    /// The frame whose payload is arriving.
    private var frame: FrameHeader?
    private var controlPayload: [UInt8] = []
    private var assembler = MessageAssembler()
    private var inflation = Inflation.none
    private var pongs: [UInt8] = []

    /// A message that is not completely inflated. Indirect, so that it takes no more space than a pointer.
    private indirect enum Inflation: Sendable {
        case none
        case message(CompressedMessage)
    }

    private var inflating: CompressedMessage? {
        get { if case .message(let message) = inflation { message } else { nil } }
        set {
            inflation = newValue.map { .message($0) } ?? .none
            isInflating = newValue != nil
        }
    }

    /// `maskSeed` determines a client's masking keys. It must be random outside tests (§10.3).
    package init(role: Role, limits: WebSocketLimits = WebSocketLimits(), maskSeed: UInt64 = 0) {
        self.role = role
        self.limits = limits
        masks = MaskGenerator(seed: maskSeed)
    }

    // MARK: Input

    /// Handles bytes from the peer. `emit` must not access this connection. `inflater` must be the same in every call,
    /// and nil unless ``DeflateTerms`` were negotiated. Returns the number of bytes read: all, unless ``isInflating``.
    @discardableResult
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer, inflater: (any MessageInflater)? = nil,
        _ emit: (consuming Output) -> Void
    ) -> Int {
        var room: [UInt8] = []
        return receive(bytes, inflater: inflater, room: &room, emit)
    }

    /// Like ``receive(_:inflater:_:)``, with a buffer for the next message: a message that arrives in one frame takes
    /// over the memory of `room`.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer, inflater: (any MessageInflater)?, room: inout [UInt8],
        _ emit: (consuming Output) -> Void
    ) -> Int {
        var offset = 0
        do throws(FrameError) {
            if isInflating { try inflateOn(inflater, emit) }
            try consume(bytes, &offset, inflater, &room, emit)
            flushPongs(emit)
        } catch {
            fail(error, emit)
        }
        isUnfinished = isInflating || frame != nil || !partialHeader.isEmpty || assembler.opcode != nil
        return isInflating ? offset : bytes.count
    }

    /// Returns the outputs as an array. The inflater must complete every message in one call.
    package mutating func receive(_ bytes: [UInt8], inflater: (any MessageInflater)? = nil) -> [Output] {
        var outputs: [Output] = []
        _ = bytes.withUnsafeBytes { receive($0, inflater: inflater) { outputs.append($0) } }
        precondition(!isInflating, "what follows the message would be lost")
        return outputs
    }

    /// Handles an end of stream or a reset.
    package mutating func inputClosed() -> [Output] {
        guard state != .closed else { return [] }
        end()
        return [.finished(.abnormal)]
    }

    /// Bytes held of incomplete messages, headers and control frames.
    package var bufferedBytes: Int {
        partialHeader.count + controlPayload.count + assembler.byteCount + (inflating?.byteCount ?? 0)
    }

    // MARK: Output

    /// Starts the closing handshake. `code` must be one that a Close may carry, or ``CloseCode/noStatus`` for a Close
    /// without a body. The reason is truncated to 123 bytes.
    package mutating func close(_ code: CloseCode, reason: String = "") -> [Output] {
        precondition(code.isValidOnTheWire || code == .noStatus, "close code \(code) must not be sent")
        guard state == .open else { return [] }
        state = .closing
        assembler = MessageAssembler()
        inflating = nil
        return [.write(closeFrame(code, reason: reason))]
    }

    /// Returns a Ping frame, with at most 125 bytes of payload. Empty unless open.
    package mutating func ping(_ payload: [UInt8] = []) -> [UInt8] {
        message(.ping, payload)
    }

    /// Returns a message as one frame. Empty unless open.
    package mutating func message(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        precondition(opcode == .text || opcode == .binary || opcode == .ping || opcode == .pong)
        var out: [UInt8] = []
        guard state == .open else { return out }
        FrameWriter.appendFrame(opcode: opcode, payload: payload, mask: nextMask(), to: &out)
        return out
    }

    // MARK: Frames

    private mutating func consume(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, _ inflater: (any MessageInflater)?,
        _ room: inout [UInt8], _ emit: (consuming Output) -> Void
    ) throws(FrameError) {
        let reservedBits = inflater == nil ? 0 : FrameHeader.compressionBit
        while state != .closed, !isInflating {
            if frame == nil {
                guard let header = try nextHeader(bytes, &offset, reservedBits) else { return }
                let available = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                if try deliverAtOnce(header, available, inflater, &room, emit) {
                    offset += header.length
                    continue
                }
                if !header.opcode.isControl, state == .open { try assembler.begin(header, limits) }
                frame = header
            }
            guard var current = frame else { return }
            let count = min(current.length, bytes.count - offset)
            try append(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]), of: current)
            offset += count
            current.length -= count
            guard current.length == 0 else {
                current.mask = Masking.rotated(current.mask, by: count)
                frame = current
                return
            }
            frame = nil
            try frameEnded(current, inflater, emit)
        }
    }

    /// Parses a header from the bytes kept earlier and `bytes`. Keeps an incomplete header and returns nil.
    private mutating func nextHeader(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, _ reservedBits: UInt8
    ) throws(FrameError) -> FrameHeader? {
        let sender: Role = role == .server ? .client : .server
        if partialHeader.isEmpty {
            guard offset < bytes.count else { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            if let header = try FrameHeader.parse(rest, from: sender, reservedBits: reservedBits) {
                offset += header.size
                return header
            }
            partialHeader = Array(rest)
            offset = bytes.count
            return nil
        }
        while offset < bytes.count {
            partialHeader.append(bytes[offset])
            offset += 1
            let parsed = partialHeader.withUnsafeBytes { kept in
                Result { () throws(FrameError) in
                    try FrameHeader.parse(kept, from: sender, reservedBits: reservedBits)
                }
            }
            guard let header = try parsed.get() else { continue }
            partialHeader = []
            return header
        }
        return nil
    }

    /// Fast path: delivers the message if it has one frame, of which all bytes have arrived. Returns false for any
    /// other frame. Allocates memory only if `room` is too small.
    private mutating func deliverAtOnce(
        _ header: FrameHeader, _ available: UnsafeRawBufferPointer, _ inflater: (any MessageInflater)?,
        _ room: inout [UInt8], _ emit: (consuming Output) -> Void
    ) throws(FrameError) -> Bool {
        guard header.fin, header.opcode == .text || header.opcode == .binary, state == .open,
            assembler.opcode == nil, header.length <= available.count
        else { return false }
        guard header.length <= limits.frameBytes(isCompressed: header.isCompressed) else {
            throw .messageTooBig(limit: limits.messageBytes)
        }
        let payload = UnsafeRawBufferPointer(rebasing: available[..<header.length])
        var message: [UInt8] = []
        if header.length <= WebSocketLimits.reusedBytes {
            swap(&message, &room)
            message.removeAll(keepingCapacity: true)
        }
        Masking.append(payload, to: &message, key: header.mask)
        if header.isCompressed {
            try inflate(message, header.opcode, inflater, emit)
            return true
        }
        if header.opcode == .text {
            guard message.withUnsafeBytes({ UTF8Validator.isValid($0) }) else { throw .notUTF8 }
        }
        deliver(header.opcode, consume message, emit)
        return true
    }

    private mutating func append(
        _ payload: UnsafeRawBufferPointer, of header: FrameHeader
    ) throws(FrameError) {
        if header.opcode.isControl {
            Masking.append(payload, to: &controlPayload, key: header.mask)
        } else if state == .open {
            try assembler.append(payload, mask: header.mask)
        }
    }

    private mutating func frameEnded(
        _ header: FrameHeader, _ inflater: (any MessageInflater)?, _ emit: (consuming Output) -> Void
    ) throws(FrameError) {
        guard header.opcode.isControl else {
            guard header.fin, state == .open else { return }
            let (opcode, message, isCompressed) = try assembler.finish()
            guard isCompressed else { return deliver(opcode, message, emit) }
            return try inflate(message, opcode, inflater, emit)
        }
        let payload = controlPayload
        controlPayload = []
        switch header.opcode {
        case .ping:
            let mask = nextMask()
            FrameWriter.appendFrame(opcode: .pong, payload: payload, mask: mask, to: &pongs)
            emit(.ping(payload))
        case .pong:
            emit(.pong(payload))
        default:
            try peerClosed(payload, emit)
        }
    }

    private mutating func inflate(
        _ packed: [UInt8], _ opcode: Opcode, _ inflater: (any MessageInflater)?,
        _ emit: (consuming Output) -> Void
    ) throws(FrameError) {
        inflating = CompressedMessage(opcode, packed, limit: limits.messageBytes)
        try inflateOn(inflater, emit)
    }

    private mutating func inflateOn(
        _ inflater: (any MessageInflater)?, _ emit: (consuming Output) -> Void
    ) throws(FrameError) {
        guard var message = inflating else { return }
        // `inflating` is set to nil first. With two references to the message, each append would copy it.
        inflating = nil
        guard let inflater else { throw .reservedBits }
        guard try inflater.inflate(&message) else {
            inflating = message
            return
        }
        deliver(message.opcode, try message.finish(), emit)
    }

    private mutating func deliver(
        _ opcode: Opcode, _ message: consuming [UInt8], _ emit: (consuming Output) -> Void
    ) {
        flushPongs(emit)
        if opcode == .text { emit(.text(consume message)) } else { emit(.binary(consume message)) }
    }

    // MARK: Closing

    private mutating func peerClosed(_ body: [UInt8], _ emit: (consuming Output) -> Void) throws(FrameError) {
        var code: CloseCode?
        guard body.count != 1 else { throw .closeBodyOfOneByte }
        if body.count >= 2 {
            let received = CloseCode(rawValue: UInt16(body[0]) << 8 | UInt16(body[1]))
            guard received.isValidOnTheWire else { throw .closeCode(received.rawValue) }
            code = received
        }
        let reason = Array(body.dropFirst(2))
        guard reason.withUnsafeBytes({ UTF8Validator.isValid($0) }) else { throw .notUTF8 }
        flushPongs(emit)
        if state == .open { emit(.write(closeFrame(code ?? .noStatus, reason: ""))) }
        end()
        emit(.peerClosed(code, reason: String(decoding: reason, as: UTF8.self)))
        emit(.finished(code ?? .noStatus))
    }

    private mutating func fail(_ error: FrameError, _ emit: (consuming Output) -> Void) {
        flushPongs(emit)
        if state == .open { emit(.write(closeFrame(error.closeCode, reason: error.description))) }
        end()
        emit(.finished(error.closeCode))
    }

    private mutating func end() {
        state = .closed
        partialHeader = []
        frame = nil
        controlPayload = []
        assembler = MessageAssembler()
        inflating = nil
    }

    private mutating func closeFrame(_ code: CloseCode, reason: String) -> [UInt8] {
        var body: [UInt8] = []
        if code != .noStatus {
            body.append(UInt8(truncatingIfNeeded: code.rawValue >> 8))
            body.append(UInt8(truncatingIfNeeded: code.rawValue))
            for character in reason {
                guard body.count + character.utf8.count <= 2 + WebSocketLimits.closeReasonBytes else { break }
                body.append(contentsOf: character.utf8)
            }
        }
        var out: [UInt8] = []
        FrameWriter.appendFrame(opcode: .close, payload: body, mask: nextMask(), to: &out)
        return out
    }

    private mutating func flushPongs(_ emit: (consuming Output) -> Void) {
        guard !pongs.isEmpty else { return }
        emit(.write(pongs))
        pongs = []
    }

    /// Returns a new key for each frame of a client; nil for a server, which does not mask (§5.1, §5.3).
    private mutating func nextMask() -> UInt32? {
        role == .client ? masks.next() : nil
    }
}
