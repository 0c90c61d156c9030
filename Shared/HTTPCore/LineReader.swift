/// Splits input into lines that end with CRLF. It keeps the last line while that line is incomplete.
struct LineReader: Sendable {
    enum Line {
        /// More input is needed.
        case incomplete
        /// A whole line without its line end. The bytes are a part of the input.
        case inInput(ByteView)
        /// A whole line without its line end, joined from pieces of several inputs.
        case joined([UInt8])
        /// The line is longer than the limit. `prefix` has its first bytes, which determine the error response.
        case tooLong(prefix: [UInt8])

        /// Passes a complete line to `use`.
        func read(_ use: (ByteView) throws(MessageFault) -> Void) throws(MessageFault) {
            switch self {
            case .inInput(let line): try use(line)
            case .joined(let line): try line.withView(use)
            case .incomplete, .tooLong: break
            }
        }
    }

    /// Bytes of an incomplete line: at most the line limit plus 2 bytes for CRLF.
    private var partial: [UInt8] = []

    var isEmpty: Bool { partial.isEmpty }

    /// Length of the incomplete line.
    var count: Int { partial.count }

    mutating func reset() {
        partial = []
    }

    /// Reads a line from `input`, beginning at `position`. `limit` is the maximum number of bytes without the line end.
    mutating func next(
        _ input: ByteView, at position: inout Int, limit: Int
    ) throws(MessageFault) -> Line {
        let start = position
        // The search ends after the limit plus 2 bytes for CRLF. If there is no line end up to there, the line is too
        // long.
        let furthest = min(input.count, start + limit + 2 - partial.count)
        let end = input.index(of: ByteClass.lineFeed, from: start, to: furthest)
        guard end < furthest else {
            guard furthest == input.count, partial.count + end - start < limit + 2 else {
                return .tooLong(prefix: partial.prefix(64) + input.part(start, min(end, start + 64)).array)
            }
            input.part(start, end).appended(to: &partial)
            position = end
            return .incomplete
        }
        position = end + 1
        if partial.isEmpty {
            // RFC 9112 §2.2 allows a bare LF as a line end. It is refused here, because parsers that disagree on line
            // ends allow request smuggling.
            guard end > start, input[end - 1] == ByteClass.carriageReturn else { throw .bareLineFeed }
            return .inInput(input.part(start, end - 1))
        }
        input.part(start, end).appended(to: &partial)
        guard partial.popLast() == ByteClass.carriageReturn else { throw .bareLineFeed }
        let line = partial
        partial = []
        return .joined(line)
    }
}

extension [UInt8] {
    /// Calls `use` with the bytes. An error of `use` keeps its type.
    func withView<Result>(
        _ use: (ByteView) throws(MessageFault) -> Result
    ) throws(MessageFault) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(MessageFault) in
            try use(ByteView(UnsafeRawBufferPointer(buffer)))
        }
    }
}
