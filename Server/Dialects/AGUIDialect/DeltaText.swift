import RunWire
import Texts

/// Writes delta events, the most frequent events of a run. Caches the bytes of an event before the delta text.
struct DeltaText: Sendable {
    private var type = RunEventType.textContent
    private var id = ""
    /// The bytes before the delta; empty before the first event.
    private var beginning: [UInt8] = []

    /// Appends one event. `timestamp` is in milliseconds.
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
        // Removes the empty delta and the end of the event. The bytes before the delta remain.
        return Array(text.dropLast("\"\"}\n\n".utf8.count))
    }
}
