package import Clocks
package import ConversationEngine

/// Encoder of one session in one protocol. A class, so that its state changes in place.
package protocol SessionEncoder: AnyObject {
    /// Adds a connection of the participant `party`.
    func attach(
        _ connection: ConnectionID, _ outlet: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput)

    func detach(_ connection: ConnectionID)

    /// Encodes a new entry for the connections in `audience`.
    func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput)

    /// Encodes a page of the history for one connection. `id` creates a new id.
    func replay(
        _ page: JournalPage, to connection: ConnectionID, at now: Instant, id: () -> UniqueID,
        into output: inout EncoderOutput)

    /// Encodes a run's event. May buffer the result until ``flush(into:)``.
    func encode(
        _ entry: RunEntry, of run: RunInfo, log: RunLog?, at now: Instant, into output: inout EncoderOutput)

    /// Sends buffered events.
    func flush(into output: inout EncoderOutput)

    /// Decodes a client's message.
    func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded

    /// Facts about the encoder's state; nil if the encoder has none.
    var memory: EncoderMemory? { get }

    /// Performs what is due at ``EncoderMemory/nextDeadline``.
    func advance(to now: Instant, into output: inout EncoderOutput)
}

extension SessionEncoder {
    package func attach(
        _ connection: ConnectionID, _ outlet: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput
    ) {}
    package func detach(_ connection: ConnectionID) {}
    package func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput
    ) {}
    package func replay(
        _ page: JournalPage, to connection: ConnectionID, at now: Instant, id: () -> UniqueID,
        into output: inout EncoderOutput
    ) {}
    package func encode(
        _ entry: RunEntry, of run: RunInfo, log: RunLog?, at now: Instant, into output: inout EncoderOutput
    ) {}
    package func flush(into output: inout EncoderOutput) {}
    package func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded { isText ? Decoded(ClientInput(.ignored)) : .binary }
    package var memory: EncoderMemory? { nil }
    package func advance(to now: Instant, into output: inout EncoderOutput) {}
}

package struct EncoderMemory: Equatable, Sendable {
    /// Time for the next ``SessionEncoder/advance(to:into:)``. May be earlier than necessary, but never later.
    package var nextDeadline: Instant?
    /// Bytes of client data in the state.
    package var heldBytes: Int

    package init(nextDeadline: Instant?, heldBytes: Int = 0) {
        self.nextDeadline = nextDeadline
        self.heldBytes = heldBytes
    }
}

package struct JournalPage: Sendable {
    package var entries: [JournalEntry]
    /// Approximate bytes of the encoded entries, to reserve memory.
    package var bytes: Int

    package init(_ entries: [JournalEntry], bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }
}

package enum Carrier: Equatable, Sendable {
    case webSocket
    /// An event stream in a response body, chunked or ended by closing the connection.
    case stream(isChunked: Bool)
}

/// Output of an encoder, reused by the server.
package struct EncoderOutput {
    package enum Step: Equatable, Sendable {
        /// On an event stream, `text` is a complete event with its empty line. `type` is for rows and the log.
        case send(text: [UInt8], type: String, to: ConnectionID)
        case sendAll(EncodedMessages, to: ConnectionID)
        /// Messages that take long to encode.
        case sendLater(DeferredMessages, to: ConnectionID)
        case receive(ClientInput, from: ConnectionID)
        /// An event that is not in the script.
        case push(Event, by: String)
        case name(SessionName)
        /// Adds a file that clients can download without a scan.
        case shelve(id: String, name: String, type: String, bytes: [UInt8])
        case unshelve(id: String)
        /// Closes a connection after its queued output.
        case close(ConnectionID, code: UInt16, reason: String)
    }

    /// An entry's encoded text for its whole audience.
    package private(set) var shared: [UInt8] = []
    package private(set) var type = ""
    package var steps: [Step] = []
    /// A client's earlier message, which the next one fills again. Saves an allocation per message.
    package var spare: Decoded?

    package init() {}

    /// Returns a message without a fault, in ``spare`` if nothing else refers to that.
    package mutating func decoded(
        _ input: consuming ClientInput, type: String, serverField: consuming String?, hasOddMetadata: Bool,
        note: consuming String?
    ) -> Decoded {
        guard isKnownUniquelyReferenced(&spare), let decoded = spare.take() else {
            return Decoded(
                input, type: type, serverField: serverField, hasOddMetadata: hasOddMetadata, note: note)
        }
        decoded.become(
            input, type: type, serverField: serverField, hasOddMetadata: hasOddMetadata, note: note)
        return decoded
    }

    /// Sets an entry's text for its whole audience; `write` appends it.
    package mutating func share(_ type: consuming String, _ write: (inout [UInt8]) -> Void) {
        self.type = type
        write(&shared)
    }

    /// Clears the output. Keeps the buffer unless its capacity exceeds `bytes`.
    package mutating func reset(keeping bytes: Int) {
        // Clearing costs 370 of the 21,600 instructions of a streamed chunk, even if the arrays are empty.
        if shared.capacity > bytes {
            shared = []
        } else if !shared.isEmpty {
            shared.removeAll(keepingCapacity: true)
        }
        if !steps.isEmpty { steps.removeAll(keepingCapacity: true) }
    }
}
