/// Compares what a client presents in `X-Host` with what a connector has registered (protocol.md#host-match).
enum HostName {
    /// True when both name one host, or the presented one lies below the registered one.
    static func matches(presented: String, registered: String) -> Bool {
        let (presented, registered) = (normalised(presented), normalised(registered))
        guard !presented.isEmpty, !registered.isEmpty else { return false }
        return presented == registered || presented.hasSuffix("." + registered)
    }

    /// The bare lower-case name: no scheme, path, query, fragment, port or trailing dot.
    static func normalised(_ text: String) -> String {
        var name = Substring(text.lowercased())
        while let first = name.first, first.isWhitespace { name.removeFirst() }
        while let last = name.last, last.isWhitespace { name.removeLast() }
        if let scheme = schemeEnd(name) { name = name[scheme...] }
        if let end = name.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) { name = name[..<end] }
        if name.first == "[", let bracket = name.firstIndex(of: "]") {
            name = name[...bracket]  // an IPv6 literal has colons of its own (RFC 3986 §3.2.2)
        } else if let colon = name.firstIndex(of: ":") {
            name = name[..<colon]
        }
        if name.last == "." { name.removeLast() }
        return String(name)
    }

    private static func schemeEnd(_ name: Substring) -> Substring.Index? {
        guard let colon = name.firstIndex(of: ":"), name[colon...].hasPrefix("://"), colon > name.startIndex,
            name[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == "." })
        else { return nil }
        return name.index(colon, offsetBy: 3)
    }
}
