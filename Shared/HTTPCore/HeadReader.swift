/// Parser of the lines of a head (RFC 9112 §2.1).
struct HeadReader: Sendable {
    private let limits: HTTPLimits
    private var lines = LineReader()
    private var fields: FieldBlock

    init(limits: HTTPLimits) {
        self.limits = limits
        fields = FieldBlock(bytes: limits.headerBytes, count: limits.headerFieldCount)
    }

    var byteCount: Int { fields.fields.byteCount + lines.count }

    var isEmpty: Bool { lines.isEmpty }

    mutating func reset() {
        lines.reset()
        fields = FieldBlock(bytes: 0, count: 0)
    }

    mutating func firstLine(
        _ bytes: ByteView, at position: inout Int, limit: Int
    ) throws(MessageFault) -> LineReader.Line {
        try lines.next(bytes, at: &position, limit: limit)
    }

    mutating func beginFields() {
        fields = FieldBlock(bytes: limits.headerBytes, count: limits.headerFieldCount)
    }

    /// Reads one line. Returns all fields at the blank line that ends the head; otherwise nil.
    mutating func nextField(
        _ bytes: ByteView, at position: inout Int
    ) throws(MessageFault) -> HeaderFields? {
        let line = try lines.next(bytes, at: &position, limit: fields.lineLimit)
        if case .tooLong = line { throw .headerTooLarge(limit: limits.headerBytes) }
        var isComplete = false
        try line.read { (line) throws(MessageFault) in
            isComplete = line.isEmpty
            if !isComplete { try add(line) }
        }
        guard isComplete else { return nil }
        let complete = fields.fields
        fields = FieldBlock(bytes: 0, count: 0)
        return complete
    }

    private mutating func add(_ line: ByteView) throws(MessageFault) {
        guard try fields.add(line) else {
            throw fields.fields.fields.count >= limits.headerFieldCount
                ? .tooManyFields(limit: limits.headerFieldCount) : .headerTooLarge(limit: limits.headerBytes)
        }
    }
}
