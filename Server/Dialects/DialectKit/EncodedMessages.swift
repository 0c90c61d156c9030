/// Messages for one connection in a single buffer, which saves an allocation per message.
package struct EncodedMessages: Equatable, Sendable {
    private struct Part: Equatable {
        let type: String
        let end: Int
    }

    private static let usualBytes = 448
    private static let usualCount = 4

    package private(set) var bytes: [UInt8] = []
    private var parts: [Part] = []

    package init() {}

    package var count: Int { parts.count }
    package var isEmpty: Bool { parts.isEmpty }

    /// Appends a message. `write` appends the message's text and must not change the bytes before it.
    package mutating func append(_ type: String, _ write: (inout [UInt8]) -> Void) {
        // Room for a short answer's events, without growing for each.
        if parts.isEmpty {
            bytes.reserveCapacity(Self.usualBytes)
            parts.reserveCapacity(Self.usualCount)
        }
        write(&bytes)
        parts.append(Part(type: type, end: bytes.count))
    }

    /// Calls `body` for each message. The text's memory is valid only during the call.
    package func forEach(_ body: (_ type: String, _ text: UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for part in parts {
                body(part.type, UnsafeRawBufferPointer(rebasing: bytes[start..<part.end]))
                start = part.end
            }
        }
    }
}
