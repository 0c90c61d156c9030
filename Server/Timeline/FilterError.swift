import Texts

/// Syntax error of a filter (Shared/Docs/filters.md).
package struct FilterError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case tooLong
        /// The filter is too costly. The value is its number of steps for each byte of a row.
        case tooCostly(Int)
        case unclosedQuote
        case unclosedPattern
        case missingValue(field: String)
        case unknownField(String)
        case unknownValue(String, field: String)
        case badNumber(String, field: String)
        case badTime(String, field: String)
        case badPath(String)
        /// The regular expression is invalid or not supported. The text is the end of a sentence.
        case badPattern(String)
    }

    package var position: Int
    package var reason: Reason
    package var fix: String

    package init(_ reason: Reason, at position: Int, fix: String) {
        self.position = position
        self.reason = reason
        self.fix = fix
    }

    package var description: String { "filter, character \(position): \(explanation); fix: \(fix)" }

    package var explanation: String {
        switch reason {
        case .tooLong: "it is longer than \(TimelineLimits.filterBytes) bytes"
        case .tooCostly(let steps):
            "it is too costly: \(steps) steps for each byte of a row, and \(TimelineLimits.filterSteps) are the most"
        case .unclosedQuote: "a quote is opened and never closed"
        case .unclosedPattern: "a regular expression is opened and never closed"
        case .missingValue(let field): "\"\(field)\" needs a value"
        case .unknownField(let name): "there is no field \"\(name)\""
        case .unknownValue(let value, let field): "\"\(value)\" is no value of \"\(field)\""
        case .badNumber(let value, let field): "\"\(value)\" is no number or range for \"\(field)\""
        case .badTime(let value, let field): "\"\(value)\" is no time for \"\(field)\""
        case .badPath(let path): "\"\(path)\" is no path"
        case .badPattern(let why): "the regular expression \(why)"
        }
    }
}

enum FilterExample {
    static func number(_ field: FilterTest.NumberField) -> String {
        switch field {
        case .n, .seq, .socket: "\(field.rawValue):10, \(field.rawValue):10..20 or \(field.rawValue):>10"
        case .size: "size:>1kb, size:<=64kb or size:100..200"
        case .lat: "lat:>200ms, lat:<1s or lat:100..200"
        case .status: "status:404, status:4xx or status:400..499"
        case .close: "close:4001 or close:4000..4999"
        }
    }

    private static let values = [
        "dir": "in", "kind": "rest", "is": "error", "since": "30s", "after": "12:00:00", "before": "12:00:00",
        "size": ">1kb", "lat": ">200ms", "status": "4xx", "close": "4001", "n": "10..20", "seq": "10..20",
        "socket": "10..20",
    ]

    static func term(_ name: String) -> String { "\(name):\(values[name] ?? "ab12")" }
}

enum Spelling {
    /// Returns the most similar word, ignoring case; nil if none is similar.
    static func nearest(to word: String, in known: [String]) -> String? {
        let word = word.lowercased()
        let starting = known.first { word.count >= 2 && $0.lowercased().hasPrefix(word) }
        let ranked = known.map { (name: $0, distance: distance(word, $0.lowercased())) }
            .min { $0.distance < $1.distance }
        if let ranked, ranked.distance <= max(1, ranked.name.count / 3) { return ranked.name }
        return starting
    }

    private static func distance(_ left: String, _ right: String) -> Int {
        NearestName.distance(Array(left.unicodeScalars.prefix(40)), Array(right.unicodeScalars.prefix(40)))
    }
}
