/// Path template, such as `/rooms/{room}/notes/{n}` (similar to RFC 6570, level 1). A path is split before it is
/// decoded, so a value may contain an escaped slash.
package struct RoutePattern: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case literal(String)
        case value(name: String)
    }

    package let path: String
    private let parts: [Part]

    package init(_ path: String) {
        self.path = path
        parts = path.split(separator: "/").map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .value(name: String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// Returns the path's values by name; nil if the path does not match.
    package func values(in segments: [String]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .literal(let text): if text != segment { return nil }
            case .value(let name): values[name] = segment
            }
        }
        return values
    }
}

extension RequestTarget {
    /// Whether the path ends with a slash or contains two in a row.
    package var hasEmptySegment: Bool {
        var former: UInt8 = 0
        for byte in rawPath.utf8 {
            if byte == UInt8(ascii: "/"), former == byte { return true }
            former = byte
        }
        return former == UInt8(ascii: "/")
    }

    /// The decoded, non-empty segments. Nil if one is malformed, `.` or `..`: no template matches these.
    package var segments: [String]? {
        var found: [String] = []
        for segment in rawPath.split(separator: "/") {
            guard let decoded = PercentCoding.decode(segment), decoded != ".", decoded != ".." else {
                return nil
            }
            found.append(decoded)
        }
        return found
    }
}
