import SocketTransport

/// The report file of `--junit`, in the form that Jenkins publishes and other CI systems read.
package struct JUnitReport: Sendable {
    private struct Case {
        var name: String
        var failure: [String]
    }

    private let suite: String
    private var cases: [Case] = []

    /// - Parameter suite: the verb, such as `check`.
    package init(_ suite: String) { self.suite = suite }

    /// Adds a case to the report. The case counts as failed if `failure` has lines.
    package mutating func add(_ name: String, failure: [String]) {
        cases.append(Case(name: name, failure: failure))
    }

    /// Adds a case to the report. The case counts as failed if the answer's code is not 0.
    package mutating func add(_ name: String, _ answer: ToolAnswer) {
        let lines = answer.lines + answer.talk
        add(name, failure: answer.code == 0 ? [] : lines.isEmpty ? ["exit code \(answer.code)"] : lines)
    }

    /// Writes the file. Returns a sentence if it cannot be written.
    package func write(to file: String) -> String? {
        Files.replace(file, with: Array(xml.utf8)).map { "\(file) cannot be written: \($0)" }
    }

    var xml: String {
        let failures = cases.count { !$0.failure.isEmpty }
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\""
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        text += "  <testsuite name=\"polymock \(suite)\" \(counts) skipped=\"0\">\n"
        for item in cases {
            text += "    <testcase classname=\"polymock.\(suite)\" name=\"\(Self.escaped(item.name))\""
            guard let first = item.failure.first else {
                text += "/>\n"
                continue
            }
            let lines = item.failure.joined(separator: "\n")
            text += ">\n      <failure message=\"\(Self.escaped(first))\">\(Self.escaped(lines))</failure>\n"
            text += "    </testcase>\n"
        }
        return text + "  </testsuite>\n</testsuites>\n"
    }

    /// Returns the text escaped for XML 1.0. Replaces characters that XML does not allow (XML 1.0, section 2.2).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                let isTaken = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.unicodeScalars.append(isTaken ? scalar : "\u{FFFD}")
            }
        }
        return result
    }
}
