package import Clocks
package import MessagingWire

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Mapping of frames to public events and back (protocol.md#server-envelope).
package struct WireMapping: Sendable {
    package struct Inbound: Sendable, Equatable {
        /// Events in order of sequence, those without a sequence last.
        package var events: [MessagingEvent] = []
        package var isBatch = false
        /// Reasons for dropped events, for the log: types and counts, but no contents.
        package var notes: [String] = []
    }

    private var generator: SeededGenerator
    /// Whether the session has the extension for receipts.
    private var showsReceipts = false

    package init(generator: SeededGenerator) {
        self.generator = generator
    }

    /// Reads one text frame. Events without a timestamp get the time `now`.
    package mutating func read(_ frame: [UInt8], at now: Instant) -> Inbound {
        var inbound = Inbound()
        switch WireEventReader.read(frame) {
        case .event(let event): add(event, at: now, into: &inbound)
        case .batch(let events, let droppedCount, _):
            inbound.isBatch = true
            if droppedCount > 0 { inbound.notes.append("\(droppedCount) unusable events in a batch") }
            for event in events { add(event, at: now, into: &inbound) }
        case .dropped(let drop, _): inbound.notes.append(Self.note(drop))
        }
        return inbound
    }

    /// Returns the frame for an event. `greeting` is sent with `requestPolyAgentJoin`; nil means none.
    package static func frame(_ event: OutgoingEvent, greeting: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        switch event {
        case .userMessage(let text, let metadata):
            let custom = (metadata ?? [:]).sorted { $0.key < $1.key }
            ClientEvent.write(
                .message(text: text), custom: custom.map { (name: $0.key, value: $0.value) }, into: &bytes)
        case .userEndConversation, .userLeft: ClientEvent.write(.end, into: &bytes)
        case .requestPolyAgentJoin: ClientEvent.write(.join(greeting: greeting), into: &bytes)
        case .requestPolyAgentJoinWithGreeting(let greeting):
            ClientEvent.write(.join(greeting: greeting), into: &bytes)
        case .heartbeat: ClientEvent.write(.heartbeat, into: &bytes)
        case .userTyping(let state):
            ClientEvent.write(.typing(isStarted: state == .started), into: &bytes)
        }
        return bytes
    }

    private mutating func add(_ wire: WireEvent, at now: Instant, into inbound: inout Inbound) {
        if let event = event(wire, at: now) {
            inbound.events.append(event)
        } else {
            inbound.notes.append("no event for \(Self.shown(wire.payload.type))")
        }
    }

    /// Returns the public event; nil for a receipt in a session without receipts, or if no public event corresponds.
    package mutating func event(_ wire: WireEvent, at now: Instant) -> MessagingEvent? {
        let envelope = Envelope(
            id: wire.id, sequence: wire.sequence.flatMap { Int(exactly: $0) },
            timestamp: Date(nanosecondsSince1970: wire.nanoseconds ?? now.nanoseconds),
            metadata: wire.metadata.map { EventMetadata(custom: $0.custom) })
        switch wire.payload {
        case .sessionStart(let capabilities, _):
            showsReceipts = capabilities.extensions.contains(SessionExtension.receipts.rawValue)
        case .receipt where !showsReceipts: return nil
        default: break
        }
        return .session(wire.payload, envelope) ?? .agent(wire.payload, envelope, &generator)
            ?? .handoff(wire.payload, envelope) ?? .addition(wire.payload, envelope)
    }

    // MARK: Words for the log

    private static func note(_ drop: WireEventReader.Drop) -> String {
        switch drop {
        case .json: "a frame that is no JSON"
        case .notAnObject: "a frame that is no JSON object"
        case .noType: "an event without a type"
        case .incomplete(let type): "no id or no timestamp in \(shown(type))"
        }
    }

    /// Returns the name of a known type. An unknown type could be private text, so it is not logged.
    private static func shown(_ type: String) -> String {
        EventType(rawValue: type)?.rawValue ?? "an event of an unknown type"
    }
}

// MARK: Values

extension UUID {
    /// Creates a UUID of version 4 from `generator` (RFC 9562 §5.4).
    package init(from generator: inout SeededGenerator) {
        let id = UniqueID.version4(from: &generator)
        func byte(_ word: UInt64, _ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index))
        }
        self.init(
            uuid: (
                byte(id.high, 0), byte(id.high, 1), byte(id.high, 2), byte(id.high, 3), byte(id.high, 4),
                byte(id.high, 5), byte(id.high, 6), byte(id.high, 7), byte(id.low, 0), byte(id.low, 1),
                byte(id.low, 2), byte(id.low, 3), byte(id.low, 4), byte(id.low, 5), byte(id.low, 6),
                byte(id.low, 7)
            ))
    }
}

extension Date {
    package init(nanosecondsSince1970 nanoseconds: Int64) {
        self.init(timeIntervalSince1970: Double(nanoseconds) / 1_000_000_000)
    }
}

extension URL {
    init?(wire text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.init(string: text)
    }
}
