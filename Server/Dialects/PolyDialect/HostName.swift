/// Compares a client's `X-Host` with a host registered for a connector (protocol.md#host-match).
enum HostName {
    /// Whether both texts name the same host, or `presented` is a sub-domain of `registered`.
    static func matches(presented: String, registered: String) -> Bool {
        let (presented, registered) = (normalised(presented), normalised(registered))
        guard !presented.isEmpty, !registered.isEmpty else { return false }
        return presented == registered || presented.hasSuffix("." + registered)
    }

    /// Returns the host in lower case without scheme, path, query, fragment, port or trailing dot.
    static func normalised(_ text: String) -> String {
        var name = Substring(text.lowercased())
        while let first = name.first, first.isWhitespace { name.removeFirst() }
        while let last = name.last, last.isWhitespace { name.removeLast() }
        if let scheme = schemeEnd(name) { name = name[scheme...] }
        if let end = name.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) { name = name[..<end] }
        if name.first == "[", let bracket = name.firstIndex(of: "]") {
            name = name[...bracket]  // an IPv6 literal contains colons (RFC 3986 §3.2.2)
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
