/// Incremental decoder of the chunked transfer coding (RFC 9112 §7.1).
struct TransferChunkDecoder: Sendable {
    private enum State: Sendable {
        case size
        case data(left: Int)
        case dataEnd(sawCarriageReturn: Bool)
        case trailers
    }

    private let limits: HTTPLimits
    private let bodyLimit: Int
    private var state = State.size
    private var lines = LineReader()
    private var bodyLeft: Int
    private var extensionLeft: Int
    private var trailers: FieldBlock

    init(limits: HTTPLimits, bodyLimit: Int) {
        self.limits = limits
        self.bodyLimit = bodyLimit
        bodyLeft = bodyLimit
        extensionLeft = limits.chunkExtensionBytes
        trailers = FieldBlock(bytes: limits.trailerBytes, count: limits.trailerFieldCount)
    }

    var byteCount: Int { lines.count + trailers.fields.byteCount }

    /// Decodes `input` from `position` on, and calls `body` with each part of the body.
    ///
    /// - Returns: the trailers when the body is complete, otherwise nil.
    mutating func decode(
        _ input: ByteView, at position: inout Int, _ body: (ByteView) -> Void
    ) throws(MessageFault) -> HeaderFields? {
        while position < input.count {
            switch state {
            case .size, .trailers:
                guard let complete = try takeLine(input, at: &position) else { return nil }
                if complete { return Self.allowed(trailers.fields) }
            case .data(let left):
                let count = min(left, input.count - position)
                body(input.part(position, position + count))
                position += count
                state = count == left ? .dataEnd(sawCarriageReturn: false) : .data(left: left - count)
            case .dataEnd(let sawCarriageReturn):
                let expected = sawCarriageReturn ? ByteClass.lineFeed : ByteClass.carriageReturn
                guard input[position] == expected else { throw .missingChunkEnd }
                position += 1
                state = sawCarriageReturn ? .size : .dataEnd(sawCarriageReturn: true)
            }
        }
        return nil
    }

    /// Returns nil while the line is incomplete, true for the body's last line, otherwise false.
    private mutating func takeLine(
        _ input: ByteView, at position: inout Int
    ) throws(MessageFault) -> Bool? {
        if case .size = state {
            // Other parsers may accept a space or a sign before the size, so these are refused.
            if lines.isEmpty, ByteClass.hexValue(input[position]) == nil { throw .invalidChunkSize }
            let limit = limits.chunkLineBytes
            switch try lines.next(input, at: &position, limit: limit) {
            case .incomplete: return nil
            case .inInput(let line): try takeSize(line)
            case .joined(let line):
                try line.withView { (line) throws(MessageFault) in try takeSize(line) }
            case .tooLong: throw .chunkLineTooLong(limit: limit)
            }
            return false
        }
        switch try lines.next(input, at: &position, limit: trailers.lineLimit) {
        case .incomplete: return nil
        case .inInput(let line): return try takeTrailer(line)
        case .joined(let line):
            return try line.withView { (line) throws(MessageFault) in try takeTrailer(line) }
        case .tooLong: throw .trailersTooLarge(limit: limits.trailerBytes)
        }
    }

    private mutating func takeTrailer(_ line: ByteView) throws(MessageFault) -> Bool {
        if line.isEmpty { return true }
        guard try trailers.add(line) else { throw .trailersTooLarge(limit: limits.trailerBytes) }
        return false
    }

    private mutating func takeSize(_ line: ByteView) throws(MessageFault) {
        var size = 0
        var index = 0
        while index < line.count, let digit = ByteClass.hexValue(line[index]) {
            guard size <= Int.max >> 5 else { throw .bodyTooLarge(limit: bodyLimit) }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > 0 else { throw .invalidChunkSize }
        if index < line.count {
            extensionLeft -= line.count - index
            guard extensionLeft >= 0 else { throw .chunkLineTooLong(limit: limits.chunkExtensionBytes) }
            try TransferChunkExtension.check(line.dropFirst(index))
        }
        guard size <= bodyLeft else { throw .bodyTooLarge(limit: bodyLimit) }
        bodyLeft -= size
        state = size == 0 ? .trailers : .data(left: size)
    }

    /// Removes fields that trailers must not contain (RFC 9110 §6.5.1).
    private static func allowed(_ trailers: HeaderFields) -> HeaderFields {
        guard !trailers.isEmpty else { return trailers }
        var rest = trailers
        for name in forbiddenTrailers { rest.remove(name) }
        return rest
    }

    private static let forbiddenTrailers = [
        "Authorization", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Range",
        "Content-Type", "Cookie", "Date", "Expect", "Host", "Keep-Alive", "Location", "Max-Forwards",
        "Origin",
        "Proxy-Authorization", "Set-Cookie", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]
}
