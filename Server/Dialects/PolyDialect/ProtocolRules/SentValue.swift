import Texts

/// Excerpts of a client's message for violations, on one line of at most ``ProtocolRuleLimits/quotedCharacters``.
enum SentValue {
    static func beginning(of message: [UInt8]) -> String {
        String(decoding: message.prefix(4 * ProtocolRuleLimits.quotedCharacters), as: UTF8.self).shortened
    }

    /// Returns the value at `path` as text.
    static func member(_ path: [String], of message: [UInt8]) -> String {
        guard var value = try? JSONReader.read(message) else { return "" }
        for name in path {
            guard let inner = value[name] else { return "no \(name.quoted)" }
            value = inner
        }
        return text(value)
    }

    /// Returns the first member of `metadata.custom` that is no string.
    static func oddMetadata(of message: [UInt8]) -> String {
        guard let custom = (try? JSONReader.read(message))?["metadata"]?["custom"] else { return "" }
        guard let members = custom.object?.members else { return text(custom) }
        return members.first { $0.value.string == nil }.map { $0.name.quoted + ": " + text($0.value) } ?? ""
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(value), as: UTF8.self).shortened
    }
}
