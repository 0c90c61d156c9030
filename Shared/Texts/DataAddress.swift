/// Data URL (RFC 2397): `data:text/plain,Soup` or `data:application/pdf;base64,JVBERg==`.
package struct DataAddress: Equatable, Sendable {
    package let type: String
    package let bytes: [UInt8]

    /// Nil if the text is not a data URL, or has no valid media type or bytes.
    package init?(_ address: String) {
        guard address.prefix(5).lowercased() == "data:", let comma = address.firstIndex(of: ",") else {
            return nil
        }
        let head = address[..<comma].dropFirst(5)
        let type = head.prefix { $0 != ";" }
        let names = type.split(separator: "/", omittingEmptySubsequences: false)
        let isType = names.count == 2 && names.allSatisfy { !$0.isEmpty }
        let rest = address[comma...].dropFirst().utf8
        guard isType, type.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let bytes = head.hasSuffix(";base64") ? Base64.standard.decode(rest) : Self.unescaped(rest)
        else { return nil }
        self.type = String(type)
        self.bytes = bytes
    }

    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var text = text
        while let byte = text.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: text.prefix(2), as: UTF8.self)
            guard text.count >= 2, digits.first?.isHexDigit == true, let plain = UInt8(digits, radix: 16)
            else {
                return nil
            }
            bytes.append(plain)
            text = text.dropFirst(2)
        }
        return bytes
    }
}
