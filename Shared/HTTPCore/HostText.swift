/// Syntax check of host and port (RFC 9110 §7.2, RFC 3986 §3.2).
enum HostText {
    /// Whether the bytes are empty, or a host name or IP address with or without a port.
    static func isValid(_ bytes: ByteView) -> Bool {
        var index = 0
        let end = bytes.count
        if index < end, bytes[index] == UInt8(ascii: "[") {
            index += 1
            let start = index
            while index < end, isAddress(bytes[index]) { index += 1 }
            guard index > start + 1, index < end, bytes[index] == UInt8(ascii: "]") else { return false }
            index += 1
        } else {
            while index < end, isName(bytes[index]) { index += 1 }
        }
        guard index < end else { return true }
        guard bytes[index] == UInt8(ascii: ":"), index > 0 else { return false }
        return isPort(bytes.dropFirst(index + 1))
    }

    private static func isPort(_ bytes: ByteView) -> Bool {
        var port = 0
        var index = 0
        while index < bytes.count {
            guard ByteClass.isDigit(bytes[index]) else { return false }
            port = port * 10 + Int(bytes[index] &- 0x30)
            guard port <= 65535 else { return false }
            index += 1
        }
        return true
    }

    private static func isAddress(_ byte: UInt8) -> Bool {
        ByteClass.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Whether `byte` is allowed in a host name. The comma is not allowed: it could join two Host fields.
    private static func isName(_ byte: UInt8) -> Bool {
        if ByteClass.isLetter(byte) || ByteClass.isDigit(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: "="):
            return true
        default: return false
        }
    }
}
