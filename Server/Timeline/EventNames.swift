import MessagingWire

/// The names of events as rows have them, and the parts of them that a filter may name.
enum EventNames {
    /// `USER_MESSAGE`, `HEARTBEAT` and so on.
    static let all = EventType.allCases.map { short($0.rawValue) }

    /// Without what all types begin with, in whatever case.
    static func short(_ type: String) -> String {
        type.uppercased().hasPrefix(EventType.prefix) ? String(type.dropFirst(EventType.prefix.count)) : type
    }

    private static let known = Set(all)

    /// True when `text` is the name of an event, whatever its case.
    static func areNamed(_ text: String) -> Bool { known.contains(text.uppercased()) }

    /// Every name, and the words at its end and its beginning: `USER_MESSAGE`, `MESSAGE`, `USER`.
    static let withParts: [String] = {
        var seen: Set<String> = []
        var parts = all
        for name in all {
            let words = name.split(separator: "_")
            for count in 1..<max(1, words.count) {
                parts.append(words.suffix(count).joined(separator: "_"))
                parts.append(words.prefix(count).joined(separator: "_"))
            }
        }
        return parts.filter { seen.insert($0).inserted }
    }()
}
