/// Cuts what is piped in into lines, wherever the pieces begin and end.
struct LineSplitter: Sendable {
    private var rest: [UInt8] = []

    /// The lines that are complete; an empty piece is the end and gives the last one.
    mutating func add(_ bytes: [UInt8]) -> [String] {
        if bytes.isEmpty {
            defer { rest = [] }
            return rest.isEmpty ? [] : [text(rest[...])]
        }
        var lines: [String] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(bytes[start..<end])
            lines.append(text(rest[...]))
            rest = []
            start = end + 1
        }
        keep(bytes[start...])
        return lines
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        rest += bytes.prefix(max(0, Limits.scriptLine - rest.count))
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        return String(decoding: end, as: UTF8.self)
    }
}
