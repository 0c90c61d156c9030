package import HTTPClient
import Texts

/// Where a server's control API is, made of what people type.
package struct ControlAddress: Equatable, Sendable {
    package let endpoint: Endpoint

    /// `http`, a host and a port; the scheme may be left out, and so may the port (80).
    package init(_ text: String) throws(ControlError) {
        var rest = text[...]
        if let end = text.firstPlace(of: "://")?.lowerBound {
            guard text[..<end].lowercased() == "http" else { throw .badAddress(text) }
            rest = text[end...].dropFirst(3)
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        let (host, port) = Self.split(rest)
        guard !host.isEmpty, host.utf8.allSatisfy(Self.belongsToHost),
            let port = port.isEmpty ? 80 : UInt16(port), port > 0
        else { throw .badAddress(text) }
        endpoint = Endpoint(host: String(host), port: port)
    }

    /// Without a slash at the end.
    package var url: String { "http://" + endpoint.authority }

    private static func split(_ text: Substring) -> (host: Substring, port: Substring) {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let behind = text[text.index(after: end)...]
            let host = text[text.index(after: text.startIndex)..<end]
            if behind.isEmpty { return (host, "") }
            // Anything but a port behind the bracket is no address.
            return behind.hasPrefix(":") && behind.count > 1 ? (host, behind.dropFirst()) : ("", "")
        }
        guard let colon = text.lastIndex(of: ":") else { return (text, "") }
        let port = text[text.index(after: colon)...]
        // A name has no colon, and a colon without a port is a slip.
        guard !text[..<colon].contains(":"), !port.isEmpty else { return ("", "") }
        return (text[..<colon], port)
    }

    /// Letters, digits, "-", ".", "_", ":" and "%"; what else could stand there would be a path or a slip.
    private static func belongsToHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
