import Texts

/// HTTP message in a row, parsed leniently, because the server has accepted or written it.
package struct HTTPText {
    let startLine: String
    package let headers: [(name: String, value: String)]
    package let bodyStart: Int

    /// Parses a message; nil if the bytes do not begin with a request or status line.
    package init?(_ raw: [UInt8]) {
        // An event begins with a brace, so most rows need no search for a line end.
        guard let first = raw.first, 0x41...0x5A ~= first else { return nil }
        guard let end = raw.firstIndex(of: 0x0A), let text = Self.line(raw[..<end]),
            text.hasPrefix("HTTP/1.") || text.hasSuffix(" HTTP/1.1") || text.hasSuffix(" HTTP/1.0")
        else { return nil }
        var headers: [(name: String, value: String)] = []
        var start = end + 1
        while start < raw.count {
            let end = raw[start...].firstIndex(of: 0x0A) ?? raw.count
            guard let line = Self.line(raw[start..<end]) else { return nil }
            start = min(end + 1, raw.count)
            if line.isEmpty { break }
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append((String(line[..<colon]), String(value)))
        }
        startLine = text
        self.headers = headers
        bodyStart = start
    }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// The words of the start line: `["GET", "/ws", "HTTP/1.1"]` or `["HTTP/1.1", "200", "OK"]`.
    package var words: [String] {
        startLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> String? {
        UTF8Validator.text(bytes.last == 0x0D ? bytes.dropLast() : bytes)
    }
}
