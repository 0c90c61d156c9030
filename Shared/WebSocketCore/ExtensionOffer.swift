/// Extension in a Sec-WebSocket-Extensions field, with its parameters (RFC 6455 §9.1).
package struct ExtensionOffer: Equatable, Sendable {
    package struct Parameter: Equatable, Sendable {
        package var name: String
        /// Without quotes. Nil if there is no equals sign.
        package var value: String?
    }

    package var name: String
    package var parameters: [Parameter] = []

    /// Reads all fields as one list (RFC 6455 §11.3.2); nil if it is malformed. Empty elements are skipped (RFC 9110
    /// §5.6.1.2).
    package static func list(_ fields: [String]) -> [ExtensionOffer]? {
        var offers: [ExtensionOffer] = []
        for field in fields {
            var reader = Reader(bytes: Array(field.utf8))
            while true {
                reader.skipBlanks()
                if !reader.isAtEnd, reader.next != UInt8(ascii: ",") {
                    guard let offer = reader.offer() else { return nil }
                    offers.append(offer)
                }
                if reader.isAtEnd { break }
                guard reader.consume(",") else { return nil }
            }
        }
        return offers
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        var isAtEnd: Bool { index == bytes.count }
        var next: UInt8 { bytes[index] }

        mutating func skipBlanks() {
            while !isAtEnd, next == 0x20 || next == 0x09 { index += 1 }
        }

        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard !isAtEnd, next == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func offer() -> ExtensionOffer? {
            guard let name = token() else { return nil }
            var offer = ExtensionOffer(name: name)
            skipBlanks()
            while consume(";") {
                skipBlanks()
                guard let name = token() else { return nil }
                skipBlanks()
                var parameter = Parameter(name: name)
                if consume("=") {
                    skipBlanks()
                    guard let value = consume("\"") ? quoted() : token() else { return nil }
                    parameter.value = value
                    skipBlanks()
                }
                offer.parameters.append(parameter)
            }
            return offer
        }

        mutating func token() -> String? {
            let start = index
            while !isAtEnd, Self.isTokenByte(next) { index += 1 }
            return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
        }

        /// Reads a value in quotes, which must contain a token (RFC 6455 §9.1).
        mutating func quoted() -> String? {
            var value: [UInt8] = []
            while !isAtEnd, !consume("\"") {
                if consume("\\"), isAtEnd { return nil }
                guard Self.isTokenByte(next) else { return nil }
                value.append(next)
                index += 1
            }
            guard !value.isEmpty, bytes[index - 1] == UInt8(ascii: "\"") else { return nil }
            return String(decoding: value, as: UTF8.self)
        }

        private static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}
