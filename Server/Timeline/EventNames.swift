/// A protocol's names of events in rows: those that filters know, and suggest.
package final class EventNames: Sendable, Equatable {
    /// The prefix of all types on the wire.
    private let prefix: String
    /// `USER_MESSAGE`, `HEARTBEAT` and so on.
    let all: [String]
    /// One that is often asked for.
    let example: String
    private let known: Set<String>
    /// Every name, and the words at its end and its beginning: `USER_MESSAGE`, `MESSAGE`, `USER`.
    let withParts: [String]

    /// `all` are without the prefix.
    package init(_ all: [String], prefix: String = "", example: String = "NAME") {
        self.example = example
        self.prefix = prefix
        self.all = all
        known = Set(all)
        var seen: Set<String> = []
        let parts = all.flatMap { name in
            let words = name.split(separator: "_")
            return (1..<max(1, words.count)).flatMap {
                [words.suffix($0).joined(separator: "_"), words.prefix($0).joined(separator: "_")]
            }
        }
        withParts = (all + parts).filter { seen.insert($0).inserted }
    }

    /// Those of no protocol.
    package static let none = EventNames([])

    /// Without what all types begin with, in whatever case.
    func short(_ type: String) -> String {
        type.uppercased().hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
    }

    /// True when `text` is the name of an event, whatever its case.
    func has(_ text: String) -> Bool { known.contains(text.uppercased()) }

    package static func == (left: EventNames, right: EventNames) -> Bool { left === right }
}
