/// Incremental parser of the requests of one HTTP/1.1 connection (RFC 9112). Its memory is bounded by ``HTTPLimits``.
/// Requests that two parsers could read differently are refused (§11.2).
package struct RequestParser: Sendable {
    package enum Output: Equatable, Sendable {
        /// The body, if any, follows, then ``end``, or ``refuse(_:)`` if the body is invalid or too large.
        case head(RequestHead)
        /// The client waits for "100 Continue" before it sends the body (RFC 9110 §10.1.1).
        case expectContinue
        /// A part of the decoded body, never empty.
        case body([UInt8])
        /// The fields after a chunked body; at least one.
        case trailers(HeaderFields)
        case end
        /// The client requests a WebSocket. `leftover` are bytes of the new protocol. No output follows.
        case upgrade(RequestHead, leftover: [UInt8])
        /// Send this response, then close the connection. No output follows.
        case refuse(Refusal)

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

    private let limits: HTTPLimits
    private var state = State.requestLine
    private var reader: HeadReader
    private var emptyLines = 0
    private var requestLine: RequestLine?
    /// Remaining bytes of a body with Content-Length.
    private var bodyLeft = 0
    private var chunks: TransferChunkDecoder?
    private var keepsAlive = true
    /// Target of the current request; nil until its request line has arrived. Truncated if too long.
    package private(set) var target: String?

    /// Bytes held of an incomplete head, chunk-size line or trailers.
    package var partialBytes: Int {
        (requestLine?.target.utf8.count ?? 0) + reader.byteCount + (chunks?.byteCount ?? 0)
    }

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        reader = HeadReader(limits: limits)
    }

    /// Whether the last request is complete and no byte of the next has arrived.
    package var isIdle: Bool { state == .requestLine && reader.isEmpty }

    /// Whether further input is ignored: after an upgrade, a refusal, the last request or the end of input.
    package var isFinished: Bool { state == .finished }

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

    /// Handles the end of input. A request that has begun is then incomplete (RFC 9112 §8).
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
            // Only the first 64 bytes of `prefix` are certain to be consecutive bytes of the line.
            let start = prefix.prefix(64).drop { $0 != ByteClass.space }.dropFirst()
            target = String(decoding: start.prefix { $0 != ByteClass.space }, as: UTF8.self)
            throw .targetTooLong(limit: limits.requestLineBytes)
        }
        try line.read { (line) throws(MessageFault) in try begin(line) }
    }

    /// Refuses other protocols at their first byte, because their clients may never send a line end.
    private func checkFirstByte(_ byte: UInt8) throws(MessageFault) {
        // A TLS handshake begins with content type 22 (RFC 8446 §5.1).
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
        // Checked after the head was emitted, so that the caller can apply a smaller limit of its own first.
        guard length <= limits.bodyBytes else { throw .bodyTooLarge(limit: limits.bodyBytes) }
        // "100 Continue" is not needed if bytes of the body have already arrived (RFC 9110 §10.1.1).
        if facts.expectsContinue, position == bytes.count { emit(.expectContinue) }
        bodyLeft = length
        chunks = framing.isChunked ? TransferChunkDecoder(limits: limits, bodyLimit: limits.bodyBytes) : nil
        state = framing.isChunked ? .chunkedBody : .fixedBody
    }
}
