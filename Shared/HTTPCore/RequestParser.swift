/// Incremental parser of the requests of one HTTP/1.1 connection (RFC 9112).
///
/// Feed it the bytes that arrived and act on the outputs in order. It holds at most one unfinished line and
/// the head it belongs to, within ``Limits``; bodies are handed over as they arrive. A request that two
/// parsers could interpret differently is refused (RFC 9112 §11.2).
package struct RequestParser: Sendable {
    package enum Output: Equatable, Sendable {
        /// The request is complete up to the blank line; its body follows, then ``end``, or ``refuse(_:)`` where the
        /// body is too large or badly framed.
        case head(RequestHead)
        /// The client waits for "100 Continue" before it sends the body (RFC 9110 §10.1.1).
        case expectContinue
        /// Part of the body, transfer coding already removed; never empty.
        case body([UInt8])
        /// Fields after a chunked body; never empty.
        case trailers(HeaderFields)
        case end
        /// The client asks for WebSocket; bytes that came with the head belong to the new protocol. The last
        /// output.
        case upgrade(RequestHead, leftover: [UInt8])
        /// Answer with this and close. The last output, possibly in the middle of a request.
        case refuse(Refusal)

        /// Bytes held of a request.
        package var byteCount: Int {
            switch self {
            case .head(let head): head.byteCount
            case .body(let bytes): bytes.count
            case .trailers(let fields): fields.byteCount
            case .upgrade(let head, let leftover): head.byteCount + leftover.count
            case .expectContinue, .end, .refuse: 0
            }
        }
    }

    private enum State: Sendable {
        case requestLine
        case fields
        case fixedBody
        case chunkedBody
        case finished
    }

    private let limits: Limits
    private var state = State.requestLine
    private var reader: HeadReader
    private var emptyLines = 0
    private var requestLine: RequestLine?
    /// Bytes of a body with Content-Length that are still to come.
    private var bodyLeft = 0
    private var chunks: TransferChunkDecoder?
    private var keepsAlive = true
    /// Method and target of the current request, known from its first line on, also of a refused one. A target that
    /// is too long is truncated.
    package private(set) var target: String?

    /// Bytes held of a head, or of the fields after a chunked body, that have not come whole.
    package var partialBytes: Int {
        (requestLine?.target.utf8.count ?? 0) + reader.byteCount + (chunks?.byteCount ?? 0)
    }

    package init(limits: Limits = Limits()) {
        self.limits = limits
        reader = HeadReader(limits: limits)
    }

    /// Between two requests, with nothing of the next one received.
    package var isIdle: Bool { state == .requestLine && reader.isEmpty }

    /// After ``Output/upgrade(_:leftover:)``, ``Output/refuse(_:)`` or the last request of the connection:
    /// what still arrives is ignored.
    package var isFinished: Bool { state == .finished }

    /// Takes the bytes that arrived; `emit` receives the outputs in order.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, _ emit: (Output) -> Void) {
        let bytes = ByteView(bytes)
        var position = 0
        do throws(MessageFault) {
            while position < bytes.count, state != .finished {
                try step(bytes, &position, emit)
            }
        } catch {
            finish()
            emit(.refuse(Refusal(error)))
        }
    }

    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        var outputs: [Output] = []
        bytes.withUnsafeBytes { receive($0) { outputs.append($0) } }
        return outputs
    }

    /// The peer sends nothing more: harmless between requests, otherwise the request is incomplete
    /// (RFC 9112 §8).
    package mutating func inputClosed() -> [Output] {
        let isHarmless = isIdle || isFinished
        finish()
        return isHarmless ? [] : [.refuse(Refusal(MessageFault.incomplete))]
    }

    private mutating func finish() {
        state = .finished
        reader.reset()
        requestLine = nil
        chunks = nil
    }

    private mutating func step(
        _ bytes: ByteView, _ position: inout Int, _ emit: (Output) -> Void
    ) throws(MessageFault) {
        switch state {
        case .requestLine: try takeRequestLine(bytes, &position)
        case .fields:
            guard let fields = try reader.nextField(bytes, at: &position) else { return }
            try completeHead(fields, rest: bytes, &position, emit)
        case .fixedBody:
            let count = min(bodyLeft, bytes.count - position)
            emit(.body(bytes.part(position, position + count).array))
            position += count
            bodyLeft -= count
            if bodyLeft == 0 { endRequest(emit) }
        case .chunkedBody:
            let trailers = try chunks?.decode(bytes, at: &position) { emit(.body($0.array)) }
            guard let trailers else { return }
            if !trailers.isEmpty { emit(.trailers(trailers)) }
            endRequest(emit)
        case .finished: break
        }
    }

    private mutating func endRequest(_ emit: (Output) -> Void) {
        chunks = nil
        emptyLines = 0
        target = nil
        if keepsAlive { state = .requestLine } else { finish() }
        emit(.end)
    }
}

// MARK: - Head

extension RequestParser {
    private mutating func takeRequestLine(
        _ bytes: ByteView, _ position: inout Int
    ) throws(MessageFault) {
        if reader.isEmpty { try checkFirstByte(bytes[position]) }
        let line = try reader.firstLine(bytes, at: &position, limit: limits.requestLineBytes)
        if case .tooLong(let prefix) = line {
            guard prefix.prefix(limits.methodBytes + 1).contains(ByteClass.space) else {
                throw .methodTooLong(limit: limits.methodBytes)
            }
            // Of what follows the first 64 bytes, some may be missing.
            let start = prefix.prefix(64).drop { $0 != ByteClass.space }.dropFirst()
            target = String(decoding: start.prefix { $0 != ByteClass.space }, as: UTF8.self)
            throw .targetTooLong(limit: limits.requestLineBytes)
        }
        try line.read { (line) throws(MessageFault) in try begin(line) }
    }

    /// Answers other protocols at once instead of waiting for a line end that never comes.
    private func checkFirstByte(_ byte: UInt8) throws(MessageFault) {
        // RFC 8446 §5.1: 22 is the content type of a TLS handshake.
        if byte == 22 { throw .tlsHandshake }
        let isLineEnd = byte == ByteClass.carriageReturn || byte == ByteClass.lineFeed
        guard isLineEnd || ByteClass.isToken(byte) else { throw .malformedRequestLine }
    }

    private mutating func begin(_ line: ByteView) throws(MessageFault) {
        guard !line.isEmpty else {
            emptyLines += 1
            guard emptyLines <= limits.leadingEmptyLines else {
                throw .tooManyEmptyLines(limit: limits.leadingEmptyLines)
            }
            return
        }
        let line = try RequestLine(line, limits: limits)
        target = line.target
        requestLine = line
        reader.beginFields()
        state = .fields
    }

    private mutating func completeHead(
        _ fields: HeaderFields, rest bytes: ByteView, _ position: inout Int, _ emit: (Output) -> Void
    ) throws(MessageFault) {
        guard let line = requestLine else { return }
        let head = RequestHead(
            method: line.method, target: line.target, minorVersion: line.minorVersion, headers: fields)
        requestLine = nil

        let facts = try ConnectionFields(head)
        let framing = try BodyFraming(head.headers, minorVersion: head.minorVersion)
        let length = framing.length ?? 0
        let hasBody = framing.isChunked || length > 0
        keepsAlive = facts.keepsAlive
        if facts.wantsWebSocket, !hasBody {
            finish()
            emit(.upgrade(head, leftover: bytes.dropFirst(position).array))
            position = bytes.count
            return
        }
        emit(.head(head))
        guard hasBody else { return endRequest(emit) }
        // Checked after the head was emitted, so that the caller can set a smaller limit for this request.
        guard length <= limits.bodyBytes else { throw .bodyTooLarge(limit: limits.bodyBytes) }
        // RFC 9110 §10.1.1: no need to ask for a body that is already on its way.
        if facts.expectsContinue, position == bytes.count { emit(.expectContinue) }
        bodyLeft = length
        chunks = framing.isChunked ? TransferChunkDecoder(limits: limits, bodyLimit: limits.bodyBytes) : nil
        state = framing.isChunked ? .chunkedBody : .fixedBody
    }
}
