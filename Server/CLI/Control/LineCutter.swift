/// Cuts what is typed or piped into lines, wherever the pieces begin and end.
struct LineCutter: Sendable {
    private var rest: [UInt8] = []

    /// The lines that are complete; an empty piece is the end and gives the last one. Bytes of a line beyond
    /// ``VerbLimits/line`` are left out.
    mutating func add(_ bytes: [UInt8]) -> [String] {
        guard !bytes.isEmpty else {
            defer { rest = [] }
            return rest.isEmpty ? [] : [text]
        }
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(text)
                rest = []
            } else if rest.count < VerbLimits.line {
                rest.append(byte)
            }
        }
        return lines
    }

    private var text: String {
        String(decoding: rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest[...], as: UTF8.self)
    }
}
