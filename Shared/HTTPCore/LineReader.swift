/// Cuts the input into lines that end with CRLF and keeps the unfinished one.
struct LineReader: Sendable {
    enum Line {
        /// More bytes are needed; those given are kept.
        case incomplete
        /// The line without its end, as a part of the input.
        case inInput(Range<Int>)
        /// The line without its end, when it came in pieces.
        case joined([UInt8])
        /// Longer than allowed; the first bytes tell what it was going to be.
        case tooLong(prefix: [UInt8])
    }

    /// Bytes of an unfinished line; at most the limit and its CRLF.
    private var partial: [UInt8] = []

    var isEmpty: Bool { partial.isEmpty }

    mutating func reset() {
        partial = []
    }

    /// Takes the rest of a line from `input` at `position`; `limit` counts bytes without the line end.
    mutating func next(
        _ input: UnsafeRawBufferPointer, at position: inout Int, limit: Int
    ) throws(MessageFault) -> Line {
        let start = position
        // One byte beyond limit and CRLF is enough to know that the line is too long.
        let furthest = min(input.count, start + limit + 2 - partial.count)
        var end = start
        while end < furthest, input[end] != ByteClass.lineFeed { end += 1 }
        guard end < furthest else {
            guard furthest == input.count, partial.count + end - start < limit + 2 else {
                let prefix = partial.prefix(64) + input[start..<end].prefix(64)
                return .tooLong(prefix: Array(prefix))
            }
            partial.append(contentsOf: input[start..<end])
            position = end
            return .incomplete
        }
        position = end + 1
        if partial.isEmpty {
            // RFC 9112 §2.2 allows a bare LF to end a line; readers that disagree make it dangerous.
            guard end > start, input[end - 1] == ByteClass.carriageReturn else { throw .bareLineFeed }
            return .inInput(start..<end - 1)
        }
        partial.append(contentsOf: input[start..<end])
        guard partial.popLast() == ByteClass.carriageReturn else { throw .bareLineFeed }
        let line = partial
        partial = []
        return .joined(line)
    }
}

extension [UInt8] {
    /// `withUnsafeBytes` that keeps the type of the error.
    func withRawBytes<Result>(
        _ use: (UnsafeRawBufferPointer) throws(MessageFault) -> Result
    ) throws(MessageFault) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(MessageFault) in try use(UnsafeRawBufferPointer(buffer))
        }
    }
}
