import RunWire
import Texts

/// Writer of delta events that caches the bytes before the delta.
struct DeltaText: Sendable {
    private var type = RunEventType.textContent
    private var id = ""
    /// Cached bytes of an event up to its delta.
    private var beginning: [UInt8] = []

    /// Appends a delta event. `timestamp` is in milliseconds since 1970.
    mutating func write(
        _ type: RunEventType, of id: String, _ delta: String, timestamp: Int64?, into text: inout [UInt8]
    ) {
        if beginning.isEmpty || type != self.type || id != self.id {
            (self.type, self.id, beginning) = (type, id, Self.beginning(type, id))
        }
        text.append(contentsOf: beginning)
        JSONWriter.string(delta, into: &text)
        if let timestamp {
            JSONWriter.literal(",\"timestamp\":", into: &text)
            JSONWriter.integer(timestamp, into: &text)
        }
        JSONWriter.literal("}\n\n", into: &text)
    }

    private static func beginning(_ type: RunEventType, _ id: String) -> [UInt8] {
        let kind: RunEvent.Kind =
            switch type {
            case .toolArguments: .toolArguments(id: id, delta: "")
            case .reasoningContent: .reasoningContent(id: id, delta: "")
            default: .textContent(id: id, delta: "")
            }
        var text: [UInt8] = []
        EventStreamWriter.event(RunEvent(kind), into: &text)
        return Array(text.dropLast("\"\"}\n\n".utf8.count))
    }
}
