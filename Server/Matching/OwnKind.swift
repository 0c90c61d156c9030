/// Entity type of a fixture with a closed list of values: `size: { small: ["little"], large: ["big"] }`.
package final class OwnKind: Sendable {
    package struct Value: Equatable, Sendable {
        /// Name of the value, which also counts as a spelling.
        package var name: String
        package var spellings: [String]

        package init(name: String, spellings: [String] = []) {
            self.name = name
            self.spellings = spellings
        }
    }

    private struct Spelling: Sendable {
        var words: [[UInt32]]
        var value: Int
    }

    /// Name in placeholders: `size` in `{size:size}`.
    package let name: String
    package let values: [Value]
    /// Spellings by the hash of their first word, longest first, then in the fixture's order.
    private let spellings: [UInt64: [Spelling]]

    package init(name: String, values: [Value]) {
        self.name = name
        self.values = values
        var spellings: [UInt64: [Spelling]] = [:]
        for (number, value) in values.enumerated() {
            for text in [value.name] + value.spellings {
                let heard = PreparedMessage(text)
                guard let first = heard.atoms.first else { continue }
                let words = heard.atoms.map { Array(heard.spelling(of: $0)) }
                spellings[first.hash, default: []].append(Spelling(words: words, value: number))
            }
        }
        self.spellings = spellings.mapValues { list in
            list.enumerated().sorted { left, right in
                (right.element.words.count, left.offset) < (left.element.words.count, right.offset)
            }.map(\.element)
        }
    }

    package var words: [String] { values.flatMap { [$0.name] + $0.spellings } }

    /// Returns the values that begin at atom `start`, longest first.
    func readings(at start: Int, in heard: PreparedMessage) -> [Reading] {
        guard start < heard.atoms.count, let candidates = spellings[heard.atoms[start].hash] else {
            return []
        }
        var readings: [Reading] = []
        for spelling in candidates {
            let end = start + spelling.words.count
            guard end <= heard.atoms.count, heard.endsToken(end),
                !readings.contains(where: { $0.end == end }),
                zip(heard.atoms[start..<end], spelling.words).allSatisfy({
                    heard.spelling(of: $0).elementsEqual($1)
                })
            else { continue }
            readings.append(Reading(end: end, value: values[spelling.value].name))
        }
        return readings
    }
}

extension OwnKind: Equatable {
    package static func == (left: OwnKind, right: OwnKind) -> Bool {
        left === right || left.name == right.name && left.values == right.values
    }
}
