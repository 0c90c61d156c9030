/// Captured values of a phrase's placeholders or a pattern's named groups, in their order.
package struct Captures: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    package var isEmpty: Bool { entries.isEmpty }

    package subscript(name: String) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            if let index = entries.firstIndex(where: { $0.name == name }) {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
            } else if let newValue {
                entries.append(Entry(name: name, value: newValue))
            }
        }
    }

    /// Takes over the entries of `other`; where both have a name, the later one counts.
    mutating func merge(_ other: Captures) {
        for entry in other.entries { self[entry.name] = entry.value }
    }
}
