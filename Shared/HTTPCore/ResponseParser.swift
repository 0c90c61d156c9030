/// Incremental parser of the responses of one HTTP/1.1 connection (RFC 9112). Each request must be announced with
/// ``begin(method:)``, because the end of a response depends on the method.
package struct ResponseParser: Sendable {
    package enum Output: Equatable, Sendable {
        /// The body, if any, follows, and then ``end``.
        case head(ResponseHead)
        /// A 1xx response. Another response follows.
        case informational(ResponseHead)
        /// A part of the decoded body, never empty.
        case body([UInt8])
        /// The fields after a chunked body; at least one.
        case trailers(HeaderFields)
        case end
        /// The protocol changes (status 101, or 2xx to CONNECT). `leftover` are bytes of the new protocol. No output
        /// follows.
        case upgrade(ResponseHead, leftover: [UInt8])
        /// Close the connection. No output follows.
        case failed(ResponseError)
    }

    private enum State: Sendable {
        case statusLine
        case fields
        case fixedBody
        case chunkedBody
        case bodyUntilClose
        case finished
    }

    private let limits: HTTPLimits
    private var state = State.statusLine
    /// Methods of the unanswered requests, oldest first.
    private var unanswered: [String] = []
    private var reader: HeadReader
    private var head: ResponseHead?
    private var bodyLeft = 0
    private var chunks: TransferChunkDecoder?
    private var keepsAlive = true

    package init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        reader = HeadReader(limits: limits)
    }

    /// Announces a request. Responses are expected in the order of the requests.
    package mutating func begin(method: String) {
        unanswered.append(method)
    }

    /// Whether all responses are complete and the connection stays open.
    package var isReusable: Bool { state == .statusLine && unanswered.isEmpty && reader.isEmpty }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer, _ emit: (Output) -> Void) {
        let bytes = ByteView(bytes)
        var position = 0
        do throws(MessageFault) {
            while position < bytes.count, state != .finished {
                if unanswered.isEmpty {
                    finish()
                    return emit(.failed(.unrequested))
                }
                try step(bytes, &position, emit)
            }
        } catch {
            finish()
            emit(.failed(.malformed(error)))
        }
    }

    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        var outputs: [Output] = []
        bytes.withUnsafeBytes { receive($0) { outputs.append($0) } }
        return outputs
    }

    /// Handles the end of input, which completes a body without a declared length. Otherwise, an unanswered request
    /// fails.
    package mutating func inputClosed() -> [Output] {
        let last = state
        let isBetween = last == .statusLine && reader.isEmpty
        let isExpecting = !unanswered.isEmpty
        finish()
        switch last {
        case .finished: return []
        case .bodyUntilClose: return [.end]
        case .statusLine where isBetween: return isExpecting ? [.failed(.noResponse)] : []
        case .statusLine, .fields, .fixedBody, .chunkedBody: return [.failed(.incomplete)]
        }
    }

    private mutating func finish() {
        state = .finished
        unanswered = []
        reader.reset()
        head = nil
        chunks = nil
    }

    private mutating func step(
        _ bytes: ByteView, _ position: inout Int, _ emit: (Output) -> Void
    ) throws(MessageFault) {
        switch state {
        case .statusLine: try takeStatusLine(bytes, &position)
        case .fields:
            guard let fields = try reader.nextField(bytes, at: &position) else { return }
            try completeHead(fields, rest: bytes, &position, emit)
        case .fixedBody:
            let count = min(bodyLeft, bytes.count - position)
            emit(.body(bytes.part(position, position + count).array))
            position += count
            bodyLeft -= count
            if bodyLeft == 0 { endResponse(emit) }
        case .chunkedBody:
            let trailers = try chunks?.decode(bytes, at: &position) { emit(.body($0.array)) }
            guard let trailers else { return }
            if !trailers.isEmpty { emit(.trailers(trailers)) }
            endResponse(emit)
        case .bodyUntilClose:
            emit(.body(bytes.dropFirst(position).array))
            position = bytes.count
        case .finished: break
        }
    }

    private mutating func endResponse(_ emit: (Output) -> Void) {
        chunks = nil
        unanswered.removeFirst()
        if keepsAlive { state = .statusLine } else { finish() }
        emit(.end)
    }
}

// MARK: - Head

extension ResponseParser {
    private mutating func takeStatusLine(
        _ bytes: ByteView, _ position: inout Int
    ) throws(MessageFault) {
        let line = try reader.firstLine(bytes, at: &position, limit: limits.statusLineBytes)
        if case .tooLong = line { throw .statusLineTooLong(limit: limits.statusLineBytes) }
        try line.read { (line) throws(MessageFault) in try begin(line) }
    }

    private mutating func begin(_ line: ByteView) throws(MessageFault) {
        head = try ResponseHead(statusLine: line)
        reader.beginFields()
        state = .fields
    }

    private mutating func completeHead(
        _ fields: HeaderFields, rest bytes: ByteView, _ position: inout Int, _ emit: (Output) -> Void
    ) throws(MessageFault) {
        guard var complete = head, let method = unanswered.first else { return }
        complete.headers = fields
        head = nil

        let isTunnel = method == "CONNECT" && (200..<300).contains(complete.status)
        if complete.status == 101 || isTunnel {
            finish()
            emit(.upgrade(complete, leftover: bytes.dropFirst(position).array))
            position = bytes.count
            return
        }
        guard complete.status >= 200 else {
            state = .statusLine
            return emit(.informational(complete))
        }
        keepsAlive = complete.keepsAlive
        // These responses never have a body, even if their fields announce one (RFC 9112 §6.3).
        if method == "HEAD" || complete.status == 204 || complete.status == 304 {
            emit(.head(complete))
            return endResponse(emit)
        }
        let framing = try BodyFraming(complete.headers, minorVersion: complete.minorVersion)
        emit(.head(complete))
        if framing.isChunked {
            chunks = TransferChunkDecoder(limits: limits, bodyLimit: Int.max)
            state = .chunkedBody
        } else if let length = framing.length {
            bodyLeft = length
            state = .fixedBody
            if length == 0 { endResponse(emit) }
        } else {
            state = .bodyUntilClose
        }
    }
}
