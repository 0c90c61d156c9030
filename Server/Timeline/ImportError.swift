package import Texts

package struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case tooLarge
        case tooManyRows
        case json(JSONError.Reason)
        case notAnObject

        case newerVersion(Int64)
        case missing(member: String)
        case badValue(member: String)
    }

    package var line: Int
    package var reason: Reason

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }

    package var description: String { "line \(line): \(explanation); fix: \(fix)" }

    private var explanation: String {
        switch reason {
        case .tooLarge: "the file has too many bytes (\(TimelineLimits.importBytes) are allowed)"
        case .tooManyRows: "the file has too many rows (\(TimelineLimits.importRows) are allowed)"
        case .json(let reason): "not JSON: \(reason.rawValue)"
        case .notAnObject: "not a JSON object"
        case .newerVersion(let version): "version \(version) of the format, which this server does not read"
        case .missing(let member): "\"\(member)\" is missing"
        case .badValue(let member): "\"\(member)\" has a value it cannot have"
        }
    }

    private var fix: String {
        switch reason {
        case .tooLarge, .tooManyRows: "export less, for example one session"
        case .json, .notAnObject: "import JSON lines or HAR as they were exported"
        case .newerVersion: "use the server that wrote it, or export HAR"
        case .missing(let member), .badValue(let member): Self.example(member)
        }
    }

    private static func example(_ member: String) -> String {
        switch member.split(separator: ".").last.map(String.init) ?? member {
        case "t", "mt", "startedDateTime": "write a time such as \"2026-01-15T09:30:00.000Z\""
        case "dir": "use \"in\", \"out\" or \"int\""
        case "kind": "use \(Row.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
        case "rawBase64", "modBase64": "write Base64 with its padding"
        case "entries": "import a HAR file with log.entries"
        default: "leave it as it was exported"
        }
    }
}
