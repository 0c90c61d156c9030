/// Pattern for names in `type:`, `session:`, `corr:`, `rule:`, `fault:` or the value of a path.
///
/// | value | matches |
/// | --- | --- |
/// | `*_MESSAGE`, `POST*sessions` | names of that form; `*` stands for any characters, or none |
/// | `"greet"` | exactly this name |
/// | `MESSAGE` as a type | names that begin or end with these words; a complete event name matches only itself |
/// | `ab12` as an id | ids that begin with this text |
///
/// Types and unquoted ids ignore case.
struct NamePattern: Equatable, Sendable {
    enum Kind: Sendable {
        case type
        case id
        /// A value at a JSON path. The pattern always contains stars.
        case value
    }

    private enum Form: Equatable, Sendable {
        /// Parts between stars. A matching name begins with the first part and ends with the last part.
        case wild([SoughtBytes])
        case whole([UInt8])
        case words([UInt8])
        case beginning([UInt8])
    }

    let text: String
    private let form: Form
    private let ignoresCase: Bool

    init(_ text: String, kind: Kind, isQuoted: Bool, in names: EventNames? = nil) {
        self.text = text
        ignoresCase = kind == .type || kind == .id && !isQuoted
        let bytes = Array((ignoresCase ? Self.upper(text) : text).utf8)
        if isQuoted {
            form = .whole(bytes)
        } else if bytes.contains(UInt8(ascii: "*")) {
            let parts = bytes.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            form = .wild(parts.map { SoughtBytes(Array($0)) })
        } else if kind != .type {
            form = .beginning(bytes)
        } else {
            form = names?.has(text) == true ? .whole(bytes) : .words(bytes)
        }
    }

    func takes(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { takes($0) }
    }

    private func takes(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch form {
        case .whole(let text): text.count == name.count && has(text, name, at: 0)
        case .beginning(let text): has(text, name, at: 0)
        case .words(let text):
            has(text, name, at: 0) && isBorder(name, at: text.count)
                || has(text, name, at: name.count - text.count)
                    && isBorder(name, at: name.count - text.count)
        case .wild(let parts): takes(name, parts)
        }
    }

    /// Matches each middle part at its first occurrence, which leaves the longest rest for later parts.
    private func takes(_ name: UnsafeBufferPointer<UInt8>, _ parts: [SoughtBytes]) -> Bool {
        guard let first = parts.first?.bytes, let last = parts.last?.bytes, has(first, name, at: 0) else {
            return false
        }
        let end = name.count - last.count
        var place = first.count
        guard place <= end, has(last, name, at: end) else { return false }
        let middle = UnsafeBufferPointer(rebasing: name[..<end])
        for part in parts.dropFirst().dropLast() {
            guard let found = part.end(in: middle, from: place, folding: fold) else { return false }
            place = found
        }
        return true
    }

    private func fold(_ byte: UInt8) -> UInt8 { ignoresCase && 0x61...0x7A ~= byte ? byte & 0xDF : byte }

    private func has(_ part: [UInt8], _ name: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        guard start >= 0, start + part.count <= name.count else { return false }
        return part.indices.allSatisfy { index in
            fold(name[start + index]) == part[index]
        }
    }

    /// Whether a word may begin or end at `place`: at an end of the name, or next to a byte that is no letter or digit.
    private func isBorder(_ name: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        guard 0 < place, place < name.count else { return true }
        return !(Self.isWord(name[place - 1]) && Self.isWord(name[place]))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: false
        }
    }

    private static func upper(_ text: String) -> String {
        String(decoding: text.utf8.map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 }, as: UTF8.self)
    }
}
