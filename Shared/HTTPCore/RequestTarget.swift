/// A decoded request target, split into path and query (RFC 9112 §3.2).
package struct RequestTarget: Equatable, Sendable {
    package enum Form: Equatable, Sendable {
        /// `/path?query`
        case origin
        /// `http://host/path?query`
        case absolute
        /// `host:port`, for CONNECT
        case authority
        /// `*`, for OPTIONS
        case asterisk
    }

    package struct QueryItem: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    package let form: Form
    /// Host and port of an absolute target or a target in authority form.
    package let authority: String?
    /// The encoded path. `/` if an absolute target has none.
    package let rawPath: String
    /// The decoded path, without dot segments. An escaped slash counts as a slash.
    package let path: String
    package let query: [QueryItem]

    /// Nil for a malformed target.
    package init?(parsing text: String) {
        let found: (Parts, authority: String, path: String, query: String)? = text.withBytes { bytes in
            guard let parts = Parts(bytes) else { return nil }
            let part = { (range: Range<Int>) in bytes.part(range).text }
            return (parts, part(parts.authority), part(parts.path), part(parts.query))
        }
        guard let found else { return nil }
        form = found.0.form
        let hasAuthority = form == .absolute || form == .authority
        authority = hasAuthority ? found.authority : nil
        rawPath = form == .absolute && found.path.isEmpty ? "/" : found.path
        guard let decoded = PercentCoding.decode(rawPath), let items = Self.items(found.query) else {
            return nil
        }
        path = form == .asterisk ? decoded : Self.withoutDotSegments(decoded)
        query = items
    }

    package func value(of name: String) -> String? {
        for item in query where item.name == name { return item.value }
        return nil
    }

    private static func items(_ query: String) -> [QueryItem]? {
        var items: [QueryItem] = []
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = pair[equals...].dropFirst()
            guard let name = PercentCoding.decode(Substring(pair[..<equals]), plusIsSpace: true),
                let value = PercentCoding.decode(Substring(value), plusIsSpace: true)
            else { return nil }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    private static func hasSegmentWithDot(_ path: String) -> Bool {
        var former: UInt8 = 0
        for byte in path.utf8 {
            if byte == UInt8(ascii: "."), former == UInt8(ascii: "/") { return true }
            former = byte
        }
        return false
    }

    /// Removes dot segments (RFC 3986 §5.2.4). At the root, `..` has no effect.
    private static func withoutDotSegments(_ path: String) -> String {
        guard hasSegmentWithDot(path) else { return path }
        var kept: [Substring.UTF8View] = []
        let segments = path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let dots =
                segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") } ? segment.count : 0
            if dots == 0 {
                kept.append(segment)
                continue
            }
            if dots == 2 { _ = kept.popLast() }
            // A dot segment at the end means a folder, so the path keeps a slash at its end.
            if index == segments.count - 1 { kept.append(segment.prefix(0)) }
        }
        return "/" + kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}

extension RequestTarget {
    struct Parts {
        var form: Form
        var authority = 0..<0
        var path = 0..<0
        var query = 0..<0

        init?(_ bytes: ByteView) {
            guard !bytes.isEmpty, Self.hasOnlyURLBytes(bytes) else { return nil }
            let first = bytes[0]
            var start = 0
            if first == UInt8(ascii: "/") {
                form = .origin
            } else if first == UInt8(ascii: "*"), bytes.count == 1 {
                form = .asterisk
                path = 0..<1
                return
            } else if let end = Self.schemeEnd(bytes) {
                form = .absolute
                start = end
                while start < bytes.count, bytes[start] != UInt8(ascii: "/"),
                    bytes[start] != UInt8(ascii: "?")
                {
                    start += 1
                }
                authority = end..<start
                guard !authority.isEmpty, HostText.isValid(bytes.part(authority)) else { return nil }
            } else {
                form = .authority
                authority = 0..<bytes.count
                guard HostText.isValid(bytes.part(authority)), Self.endsWithPort(bytes) else { return nil }
                return
            }
            let end = bytes.index(of: UInt8(ascii: "?"), from: start, to: bytes.count)
            path = start..<end
            query = min(end + 1, bytes.count)..<bytes.count
        }

        /// Whether all bytes are visible ASCII other than `#`, which would begin a fragment.
        private static func hasOnlyURLBytes(_ bytes: ByteView) -> Bool {
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") { return false }
                index += 1
            }
            return true
        }

        private static func schemeEnd(_ bytes: ByteView) -> Int? {
            if bytes.starts(with: "http://") { return 7 }
            if bytes.starts(with: "https://") { return 8 }
            return nil
        }

        private static func endsWithPort(_ bytes: ByteView) -> Bool {
            var index = bytes.count
            while index > 0, ByteClass.isDigit(bytes[index - 1]) { index -= 1 }
            return index < bytes.count && index > 1 && bytes[index - 1] == UInt8(ascii: ":")
        }
    }
}
