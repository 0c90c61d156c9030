import Texts
import Timeline

/// Reads the ids in a row's event without a JSON tree. Stops at the first syntax error: rows also record damaged
/// frames.
extension RowIDs {
    init(event raw: [UInt8]) {
        self.init()
        let body: Int
        if let text = HTTPText(raw) {
            requestID = text.header("x-polyai-correlation-id") ?? text.header("x-request-id")
            body = text.bodyStart
        } else {
            body = 0
        }
        raw.withUnsafeBufferPointer { bytes in
            var scan = Scan(bytes: bytes, index: body)
            _ = scan.value(.root, depth: 0, facts: &self)
        }
    }

    private enum Place {
        case root
        case payload
        case metadata
        case custom
        case elsewhere
    }

    private enum Field {
        case id
        case type
        case localID
        case clientEventID
        case messageID
        case requestID
    }

    private mutating func set(_ field: Field, _ text: String?) {
        switch field {
        case .id: id = text
        case .type: type = text
        case .localID: localID = text
        case .clientEventID: clientEventID = text
        case .messageID: messageID = text
        case .requestID: requestID = text
        }
    }

    private struct Scan {
        let bytes: UnsafeBufferPointer<UInt8>
        var index: Int

        mutating func value(_ place: Place, depth: Int, facts: inout RowIDs) -> Bool {
            switch next() {
            case UInt8(ascii: "{"): return object(place, depth: depth, facts: &facts)
            case UInt8(ascii: "["):
                guard depth < PolyLimits.factsDepth else { return false }
                index += 1
                if next() == UInt8(ascii: "]") {
                    index += 1
                    return true
                }
                repeat {
                    guard value(.elsewhere, depth: depth + 1, facts: &facts) else { return false }
                } while consume(UInt8(ascii: ","))
                return consume(UInt8(ascii: "]"))
            case UInt8(ascii: "\""): return text() != nil
            case nil: return false
            default:
                let start = index
                while index < bytes.count, !Self.endsScalar(bytes[index]) { index += 1 }
                return index > start
            }
        }

        private mutating func object(_ place: Place, depth: Int, facts: inout RowIDs) -> Bool {
            guard depth < PolyLimits.factsDepth else { return false }
            index += 1
            if next() == UInt8(ascii: "}") {
                index += 1
                return true
            }
            repeat {
                guard next() == UInt8(ascii: "\""), let name = text(), consume(UInt8(ascii: ":")) else {
                    return false
                }
                guard member(name, of: place, depth: depth, facts: &facts) else { return false }
            } while consume(UInt8(ascii: ","))
            return consume(UInt8(ascii: "}"))
        }

        private mutating func member(
            _ name: Range<Int>, of place: Place, depth: Int, facts: inout RowIDs
        ) -> Bool {
            var inner = Place.elsewhere
            var field: Field?
            switch place {
            case .root:
                if has(name, "id") { field = .id }
                if has(name, "type") { field = .type }
                if has(name, "payload") { inner = .payload }
                if has(name, "metadata") { inner = .metadata }
                if has(name, "sequence") { facts.sequence = unsigned() }
                if has(name, "correlation_id") || has(name, "request_id") { field = .requestID }
            case .payload: if has(name, "message_id") { field = .messageID }
            case .metadata: if has(name, "custom") { inner = .custom }
            case .custom:
                if has(name, "local_id") { field = .localID }
                if has(name, "client_event_id") { field = .clientEventID }
            case .elsewhere: break
            }
            guard let field, next() == UInt8(ascii: "\"") else {
                return value(inner, depth: depth + 1, facts: &facts)
            }
            guard let found = text() else { return false }
            facts.set(field, string(found))
            return true
        }

        private mutating func next() -> UInt8? {
            while index < bytes.count {
                let byte = bytes[index]
                guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
                index += 1
            }
            return nil
        }

        private mutating func consume(_ byte: UInt8) -> Bool {
            guard next() == byte else { return false }
            index += 1
            return true
        }

        private static func endsScalar(_ byte: UInt8) -> Bool {
            byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
                || byte == UInt8(ascii: "]")
        }

        private mutating func text() -> Range<Int>? {
            index += 1
            let start = index
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    index += 1
                    return start..<index - 1
                case UInt8(ascii: "\\"): index += 2
                default: index += 1
                }
            }
            return nil
        }

        private func has(_ name: Range<Int>, _ word: StaticString) -> Bool {
            guard name.count == word.utf8CodeUnitCount else { return false }
            return zip(name, 0..<name.count).allSatisfy { bytes[$0] == word.utf8Start[$1] }
        }

        /// Reads a number without consuming it.
        private mutating func unsigned() -> UInt64? {
            _ = next()
            let end = bytes[index...].firstIndex(where: Self.endsScalar) ?? bytes.count
            return UInt64(String(decoding: bytes[index..<end], as: UTF8.self))
        }

        private func string(_ range: Range<Int>) -> String? {
            let contents = UnsafeBufferPointer(rebasing: bytes[range])
            guard contents.contains(UInt8(ascii: "\\")) else {
                return String(decoding: contents, as: UTF8.self)
            }
            let quoted = [UInt8(ascii: "\"")] + contents + [UInt8(ascii: "\"")]
            return (try? JSONReader.read(quoted))?.string
        }
    }
}
