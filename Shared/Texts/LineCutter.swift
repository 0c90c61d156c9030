/// Incremental splitter of input into lines.
package struct LineCutter: Sendable {
    /// Maximum bytes of a line. A longer line is truncated.
    private let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns the lines that `bytes` complete. Empty `bytes` mean the end of input: returns the rest, if any, as a
    /// line.
    package mutating func add(_ bytes: [UInt8]) -> [String] {
        guard !bytes.isEmpty else {
            defer { rest = [] }
            return rest.isEmpty ? [] : [text]
        }
        var lines: [String] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[start..<end])
            lines.append(text)
            rest = []
            start = end + 1
        }
        keep(bytes[start...])
        return lines
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        rest += bytes.prefix(max(0, limit - rest.count))
    }

    private var text: String {
        String(decoding: rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest[...], as: UTF8.self)
    }
}
