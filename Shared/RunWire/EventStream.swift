/// Writer of event-stream text (server-sent events): LF line ends, a space after each colon, one data line per event.
package enum EventStreamWriter {
    /// Appends an event. `json` appends its data, which must be one line.
    package static func event(into bytes: inout [UInt8], json: (inout [UInt8]) -> Void) {
        bytes.append(contentsOf: [0x64, 0x61, 0x74, 0x61, 0x3A, 0x20])  // "data: "
        json(&bytes)
        bytes.append(0x0A)
        bytes.append(0x0A)
    }

    package static func event(_ event: RunEvent, into bytes: inout [UInt8]) {
        self.event(into: &bytes) { RunEventWriter.write(event, into: &$0) }
    }

    /// Appends a comment, which keeps the connection alive. Line ends become spaces.
    package static func comment(_ text: String, into bytes: inout [UInt8]) {
        bytes += [0x3A, 0x20]
        for byte in text.utf8 { bytes.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
        bytes += [0x0A, 0x0A]
    }
}

/// Incremental reader of event-stream text (server-sent events, HTML standard). It accepts LF, CRLF and CR, a byte
/// order mark and several data lines. Comments, fields other than `data`, and the data `[DONE]` are skipped.
package struct EventStreamReader: Sendable {
    package enum Item: Equatable, Sendable {
        case data([UInt8])
        /// The event exceeds the limit. Reading stops.
        case tooLong(limitBytes: Int)
    }

    private let limitBytes: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var isAfterCR = false
    private var isFirstLine = true
    private var isBroken = false

    /// `limitBytes` is the maximum number of bytes that an event's data and its current line have together.
    package init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Whether an event or line is incomplete. At the end of the stream, both are discarded (HTML standard).
    package var isInsideEvent: Bool { hasData || !line.isEmpty }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer, _ report: (Item) -> Void) {
        var start = 0
        if isAfterCR, let first = bytes.first {
            if first == 0x0A { start = 1 }
            isAfterCR = false
        }
        var index = start
        while !isBroken, index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else {
                index += 1
                continue
            }
            end(UnsafeRawBufferPointer(rebasing: bytes[start..<index]), report)
            index += 1
            if byte == 0x0D {
                if index == bytes.count {
                    isAfterCR = true
                } else if bytes[index] == 0x0A {
                    index += 1
                }
            }
            start = index
        }
        guard !isBroken, start < bytes.count else { return }
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        if line.count + data.count > limitBytes { breakOff(report) }
    }

    package mutating func receive(_ bytes: [UInt8]) -> [Item] {
        var items: [Item] = []
        bytes.withUnsafeBytes { receive($0) { items.append($0) } }
        return items
    }

    /// Handles a complete line. `rest` is its last part; earlier parts are in `line`.
    private mutating func end(_ rest: UnsafeRawBufferPointer, _ report: (Item) -> Void) {
        // Checked here too, so that the limit does not depend on how the bytes are split.
        guard line.count + rest.count + data.count <= limitBytes else { return breakOff(report) }
        if line.isEmpty, !isFirstLine { return decode(rest, report) }
        line.append(contentsOf: rest)
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        let whole = line
        line.removeAll(keepingCapacity: true)
        whole.withUnsafeBytes { decode($0, report) }
    }

    private mutating func decode(_ line: UnsafeRawBufferPointer, _ report: (Item) -> Void) {
        guard !line.isEmpty else { return dispatch(report) }
        guard let value = Self.data(of: line) else { return }
        if hasData { data.append(0x0A) }
        hasData = true
        data.append(contentsOf: value)
    }

    private mutating func dispatch(_ report: (Item) -> Void) {
        guard hasData else { return }
        let whole = data
        data = []
        hasData = false
        if whole != Self.done { report(.data(whole)) }
    }

    private mutating func breakOff(_ report: (Item) -> Void) {
        (line, data, hasData, isBroken) = ([], [], false, true)
        report(.tooLong(limitBytes: limitBytes))
    }

    private static let done = Array("[DONE]".utf8)

    /// Returns the value of a `data` field; nil for any other line.
    private static func data(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard line.count >= 4, line[0] == 0x64, line[1] == 0x61, line[2] == 0x74, line[3] == 0x61 else {
            return nil
        }
        guard line.count > 4 else { return UnsafeRawBufferPointer(rebasing: line[4...]) }
        guard line[4] == 0x3A else { return nil }
        let start = line.count > 5 && line[5] == 0x20 ? 6 : 5
        return UnsafeRawBufferPointer(rebasing: line[start...])
    }
}
