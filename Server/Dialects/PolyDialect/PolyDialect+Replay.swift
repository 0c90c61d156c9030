package import Clocks
import ConversationEngine
package import DialectKit
import MessagingWire

extension PolyDialect {
    /// History as EVENT_BATCH messages below ``PolyLimits/batchBytes`` (poly-messaging 2.4, 4.2).
    ///
    /// The start of the session and the first joining of the agent stay in the first message: a client that
    /// saw them apart would ask the agent to join once more. No entries give one batch without events.
    package func replay(_ entries: [EncodedEntry], wrapper: UniqueID, at now: Instant) -> [[UInt8]] {
        var batch = Batch(id: wrapper, time: now)
        for entry in keptTogether(entries) {
            let element = options.batchPayloadForm == .oneof ? Self.oneof(entry.bytes) : entry.bytes
            batch.append(element)
        }
        return batch.finish()
    }

    /// Moves the first joining right behind the start when it would not fit the first message otherwise.
    /// Clients sort a batch by sequence, so the order inside it does not matter.
    private func keptTogether(_ entries: [EncodedEntry]) -> [EncodedEntry] {
        guard entries.first?.kind == .sessionStarted,
            let joined = entries.firstIndex(where: { $0.kind == .agentJoined })
        else { return entries }
        let size = entries[...joined].reduce(Batch.envelopeBytes) { $0 + $1.bytes.count + 1 }
        guard size >= PolyLimits.batchBytes else { return entries }
        var moved = entries
        moved.insert(moved.remove(at: joined), at: 1)
        return moved
    }

    /// The same event with its payload under the type's own name.
    ///
    /// Works on the text this dialect wrote: a quote inside a string is escaped, so the first `,"payload":` is
    /// the envelope's.
    static func oneof(_ event: [UInt8]) -> [UInt8] {
        guard let type = firstRange(of: Array(#""type":""#.utf8), in: event, from: 0),
            let payload = firstRange(of: Array(#","payload":"#.utf8), in: event, from: type.upperBound)
        else { return event }
        // Between the quotes of the type: everything up to the quote before the comma.
        let name = String(decoding: event[type.upperBound..<payload.lowerBound - 1], as: UTF8.self)
        var bytes = Array(event[..<payload.lowerBound])
        bytes.append(contentsOf: ",\"\(WireEventWriter.oneofKey(name))\":".utf8)
        bytes.append(contentsOf: event[payload.upperBound...])
        return bytes
    }

    private static func firstRange(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var index = start
        while index + pattern.count <= bytes.count {
            if bytes[index..<index + pattern.count].elementsEqual(pattern) {
                return index..<index + pattern.count
            }
            index += 1
        }
        return nil
    }
}

/// Batches under construction.
private struct Batch {
    /// Room for the wrapper: its own text has about 140 bytes.
    static let envelopeBytes = 256

    /// The comma before an element and the end of the message.
    private static let joiningBytes = 4

    private var id: UniqueID
    private let time: Instant
    private var frames: [[UInt8]] = []
    private var bytes: [UInt8] = []
    private var count = 0

    init(id: UniqueID, time: Instant) {
        self.id = id
        self.time = time
        open()
    }

    /// An element that fills a message alone gets one of its own.
    mutating func append(_ element: [UInt8]) {
        if count > 0, bytes.count + element.count + Self.joiningBytes >= PolyLimits.batchBytes {
            close()
            id.low &+= 1
            open()
        }
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: element)
        count += 1
    }

    consuming func finish() -> [[UInt8]] {
        close()
        return frames
    }

    private mutating func open() {
        WireEventWriter.openBatch(nanoseconds: time.nanoseconds, into: &bytes, writeID: id.write(to:))
        count = 0
    }

    private mutating func close() {
        WireEventWriter.closeBatch(into: &bytes)
        frames.append(bytes)
        bytes = []
    }
}
