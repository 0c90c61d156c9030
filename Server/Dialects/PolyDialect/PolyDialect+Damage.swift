package import DialectKit
import Texts

extension PolyDialect {
    package func garbled(_ text: [UInt8], as damage: Damage) -> [[UInt8]] {
        switch damage {
        case .unknownEvent:
            let stranger: JSONObject = [
                "type": .string("EVENT_TYPE_NOBODY_KNOWS"),
                "payload": .object(["reason": .string("a fault")]),
            ]
            return [JSONWriter.bytes(.object(stranger)), text]
        case .oversized:
            return [changed(text) { $0.append(JSONObject.Member("padding", .string(Self.padding))) }]
        case .wrongSequence:
            return [
                changed(text) { members in
                    for index in members.indices where members[index].name == "sequence" {
                        guard let sequence = members[index].value.integer else { continue }
                        members[index].value = .integer(sequence + Self.sequenceLeap)
                    }
                }
            ]
        }
    }

    /// Padding that makes an event larger than the default announced message size, 128 KiB (protocol.md#message-size).
    private static let padding = String(repeating: "x", count: 131_072)
    private static let sequenceLeap: Int64 = 1_000

    private func changed(_ text: [UInt8], _ change: (inout [JSONObject.Member]) -> Void) -> [UInt8] {
        guard case .object(var event)? = try? JSONReader.read(text) else { return text }
        change(&event.members)
        return JSONWriter.bytes(.object(event))
    }
}
