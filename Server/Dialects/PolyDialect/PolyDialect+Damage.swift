package import DialectKit
import Texts

extension PolyDialect {
    package func garbled(_ text: [UInt8], as damage: Damage, messageBytes: Int) -> [[UInt8]] {
        switch damage {
        case .unknownEvent:
            let stranger: JSONObject = [
                "type": .string("EVENT_TYPE_NOBODY_KNOWS"),
                "payload": .object(["reason": .string("a fault")]),
            ]
            return [JSONWriter.bytes(.object(stranger)), text]
        case .oversized:
            // One byte more than the announced message size (protocol.md#message-size).
            let short = padded(text, by: 0).count
            return [padded(text, by: max(1, messageBytes + 1 - short))]
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

    private static let sequenceLeap: Int64 = 1_000

    private func padded(_ text: [UInt8], by count: Int) -> [UInt8] {
        let padding = String(repeating: "x", count: count)
        return changed(text) { $0.append(JSONObject.Member("padding", .string(padding))) }
    }

    private func changed(_ text: [UInt8], _ change: (inout [JSONObject.Member]) -> Void) -> [UInt8] {
        guard case .object(var event)? = try? JSONReader.read(text) else { return text }
        change(&event.members)
        return JSONWriter.bytes(.object(event))
    }
}
