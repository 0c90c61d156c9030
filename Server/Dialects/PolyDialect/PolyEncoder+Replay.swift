package import Clocks
package import ConversationEngine
package import DialectKit
import MessagingWire

extension PolyEncoder {
    package func replay(
        _ page: JournalPage, to connection: ConnectionID, at now: Instant, id: () -> UniqueID,
        into output: inout EncoderOutput
    ) {
        let type = PolyDialect.short(.eventBatch)
        output.steps += batches(of: page, wrapper: id(), at: now).map {
            .send(text: $0, type: type, to: connection)
        }
    }

    /// Returns a page of the history as EVENT_BATCH messages (protocol.md#batch-size). `wrapper` is the first message's
    /// id; later ids count up.
    package func batches(of page: JournalPage, wrapper: UniqueID, at now: Instant) -> [[UInt8]] {
        var batch = Batch(id: wrapper, time: now, expecting: page.bytes + page.entries.count)
        for entry in keptTogether(page.entries) {
            batch.append { Self.write(entry, as: batchForm, into: &$0) }
        }
        return batch.finish()
    }

    private var batchForm: WireEventWriter.PayloadForm {
        options.connections.usesNamedPayloadsInBatches ? .oneof : .payload
    }

    /// Moves the agent's first join directly after the session start if it would not fit into the first message
    /// (protocol.md#start-and-joined-together).
    private func keptTogether(_ entries: [JournalEntry]) -> [JournalEntry] {
        guard entries.first?.kind == .sessionStarted,
            let joined = entries.firstIndex(where: { $0.kind == .agentJoined })
        else { return entries }
        var size = Batch.envelopeBytes
        var bytes: [UInt8] = []
        for entry in entries[...joined] where size < PolyLimits.batchBytes {
            bytes.removeAll(keepingCapacity: true)
            Self.write(entry, as: batchForm, into: &bytes)
            size += bytes.count + 1
        }
        guard size >= PolyLimits.batchBytes else { return entries }
        var moved = entries
        moved.insert(moved.remove(at: joined), at: 1)
        return moved
    }
}

private struct Batch {
    /// Bytes reserved for a batch's wrapper.
    static let envelopeBytes = 256

    /// Reserved bytes for the comma between elements and for the end of the message.
    private static let joiningBytes = 4

    private var id: UniqueID
    private let time: Instant
    private var frames: [[UInt8]] = []
    private var bytes: [UInt8] = []
    private var count = 0
    private var first = 0
    private var last = 0
    /// About the previous message: the range of its last element including the comma, and its number of elements.
    private var before: (last: Range<Int>, count: Int)?

    /// `bytes` is the expected size of all elements with their commas.
    init(id: UniqueID, time: Instant, expecting bytes: Int) {
        self.id = id
        self.time = time
        self.bytes.reserveCapacity(min(Self.envelopeBytes + bytes, PolyLimits.batchBytes))
        open()
    }

    /// Appends the element that `fill` writes, in a new message if it does not fit.
    mutating func append(_ fill: (inout [UInt8]) -> Void) {
        let end = bytes.count
        var place = end
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        let start = bytes.count
        fill(&bytes)
        if count > 0, end + (bytes.count - start) + Self.joiningBytes >= PolyLimits.batchBytes {
            let element = Array(bytes[start...])
            bytes.removeSubrange(end...)
            close()
            id.low &+= 1
            open()
            place = bytes.count
            bytes.append(contentsOf: element)
        }
        last = place
        count += 1
    }

    consuming func finish() -> [[UInt8]] {
        if count == 1 { joinByLastBefore() }
        close()
        return frames
    }

    /// Moves the last element of the previous message into the last message, if possible (protocol.md#no-batch-of-one).
    private mutating func joinByLastBefore() {
        guard let before, before.count > 2,
            bytes.count + before.last.count + Self.joiningBytes < PolyLimits.batchBytes
        else { return }
        let frame = frames.count - 1
        // In the previous message, a comma precedes the element. In the last message, the comma follows the element.
        let element = frames[frame][before.last].dropFirst() + [UInt8(ascii: ",")]
        bytes.insert(contentsOf: element, at: first)
        frames[frame].removeSubrange(before.last)
        count += 1
    }

    private mutating func open() {
        WireEventWriter.openBatch(nanoseconds: time.nanoseconds, into: &bytes, writeID: id.write(to:))
        (count, first) = (0, bytes.count)
    }

    private mutating func close() {
        before = (last..<bytes.count, count)
        WireEventWriter.closeBatch(into: &bytes)
        frames.append(bytes)
        bytes = []
    }
}
