/// Event names of a protocol, for filters and their hints.
package final class EventNames: Sendable, Equatable {
    private let prefix: String
    /// Names without the prefix, such as `USER_MESSAGE`.
    let all: [String]
    let example: String
    /// Names, and their parts at underscores: `USER_MESSAGE`, `USER`, `MESSAGE`.
    var withParts: [String] {
        var seen: Set<String> = []
        let parts = all.flatMap { name in
            let words = name.split(separator: "_")
            return (1..<max(1, words.count)).flatMap {
                [words.suffix($0).joined(separator: "_"), words.prefix($0).joined(separator: "_")]
            }
        }
        return (all + parts).filter { seen.insert($0).inserted }
    }

    package init(_ all: [String], prefix: String = "", example: String = "NAME") {
        self.example = example
        self.prefix = prefix
        self.all = all
    }

    package static let none = EventNames([])

    /// Removes the prefix, in upper or lower case, from a type.
    func short(_ type: String) -> String {
        type.uppercased().hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
    }

    func has(_ text: String) -> Bool { all.contains(text.uppercased()) }

    package static func == (left: EventNames, right: EventNames) -> Bool { left === right }
}
