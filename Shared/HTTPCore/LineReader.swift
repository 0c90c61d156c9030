/// Splitter of input into lines that end with CRLF, which keeps the last, incomplete line.
struct LineReader: Sendable {
    enum Line {
        case incomplete
        /// A line that is a part of the input, without its line end.
        case inInput(ByteView)
        /// A line without its line end, joined from several inputs.
        case joined([UInt8])
        /// `prefix` begins with the line's first bytes, which determine the error response.
        case tooLong(prefix: [UInt8])

        func read(_ use: (ByteView) throws(MessageFault) -> Void) throws(MessageFault) {
            switch self {
            case .inInput(let line): try use(line)
            case .joined(let line): try line.withView(use)
            case .incomplete, .tooLong: break
            }
        }
    }

    /// The incomplete line.
    private var partial: [UInt8] = []

    var isEmpty: Bool { partial.isEmpty }

    var count: Int { partial.count }

    mutating func reset() {
        partial = []
    }

    /// Reads a line from `position` on. `limit` is the maximum number of bytes without the line end.
    mutating func next(
        _ input: ByteView, at position: inout Int, limit: Int
    ) throws(MessageFault) -> Line {
        let start = position
        // Without a line end in the limit plus 2 bytes for CRLF, the line is too long.
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
            // RFC 9112 §2.2 allows a bare LF. It is refused, because parsers that disagree allow request smuggling.
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
    func withView<Result>(
        _ use: (ByteView) throws(MessageFault) -> Result
    ) throws(MessageFault) -> Result {
        try withUnsafeBufferPointer { (buffer) throws(MessageFault) in
            try use(ByteView(UnsafeRawBufferPointer(buffer)))
        }
    }
}
