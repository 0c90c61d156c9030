package import Clocks
package import ConversationEngine

/// Encodes one session for its clients in one protocol. Entries of the journal, events of runs, messages of
/// clients and time go in; messages go out, encoded once for all connections or for one of them. A class, so
/// that the dialect's state of a session is changed in place; an encoder without state serves all sessions.
/// Time is an argument.
///
/// All methods have a default implementation without output.
package protocol SessionEncoder: AnyObject {
    /// A connection of the session opens; the history after its cursor follows with
    /// ``replay(_:to:at:id:into:)``. `party` is the owner of the connection, if the dialect set one
    /// (``DialectContext/party``).
    func attach(
        _ connection: ConnectionID, _ outlet: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput)

    /// A connection of the session is gone.
    func detach(_ connection: ConnectionID)

    /// A live entry, for connections that will not get the entry as part of their history.
    func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput)

    /// A page of the history, for one connection. `id` draws a fresh id.
    func replay(
        _ page: JournalPage, to connection: ConnectionID, at now: Instant, id: () -> UniqueID,
        into output: inout EncoderOutput)

    /// An event of a run, for the connection that asked for the run. `log` has all runs so far. The event may
    /// be buffered until ``flush(into:)``.
    func encode(
        _ entry: RunEntry, of run: RunInfo, log: RunLog?, at now: Instant, into output: inout EncoderOutput)

    /// No more events of this moment follow; buffered events are sent.
    func flush(into output: inout EncoderOutput)

    /// A message of a client. Never fails: an invalid message becomes ``ClientInput/Word/refused(_:detail:)``
    /// or is ignored.
    func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded

    /// The encoder's state; nil if it has none, so that the output depends on the entry alone.
    var memory: EncoderMemory? { get }

    /// The time of ``EncoderMemory/nextDeadline`` has come.
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

/// The part of an encoder's state that the server needs.
package struct EncoderMemory: Equatable, Sendable {
    /// The time of the next call of ``SessionEncoder/advance(to:into:)``; may be early, never late.
    package var nextDeadline: Instant?
    /// Bytes that clients contributed to the state, kept as a running total.
    package var heldBytes: Int

    package init(nextDeadline: Instant?, heldBytes: Int = 0) {
        self.nextDeadline = nextDeadline
        self.heldBytes = heldBytes
    }
}

/// Entries of a history, in the order of the journal.
package struct JournalPage: Sendable {
    package var entries: [JournalEntry]
    /// The size of all entries on the wire, as far as known; used to reserve room.
    package var bytes: Int

    package init(_ entries: [JournalEntry], bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }
}

/// The transport of a connection.
package enum Carrier: Equatable, Sendable {
    case webSocket
    /// An event stream: the body of a response, chunked or ended by closing the connection.
    case stream(isChunked: Bool)
}

/// The output of an encoder. The server reuses one value for all calls, to avoid an allocation per message.
package struct EncoderOutput: Sendable {
    /// One step for one connection, or for the server.
    package enum Step: Equatable, Sendable {
        /// A message for one connection; on an event stream `text` is a whole event with its blank line. `type` is for
        /// rows and the log.
        case send(text: [UInt8], type: String, to: ConnectionID)
        /// Several messages for one connection, on an event stream.
        case sendAll(EncodedMessages, to: ConnectionID)
        /// Messages that take long to encode. Later ones wait for them.
        case sendLater(DeferredMessages, to: ConnectionID)
        /// The decoded meaning of a client's message.
        case receive(ClientInput, from: ConnectionID)
        /// An event from outside the script; a pushed end ends the session.
        case push(Event, by: String)
        /// An additional name of the session.
        case name(SessionName)
        /// A file for the session's clients, available without a scan.
        case shelve(id: String, name: String, type: String, bytes: [UInt8])
        /// A file that may no longer be downloaded.
        case unshelve(id: String)
        /// Closes a connection after all output queued for it.
        case close(ConnectionID, code: UInt16, reason: String)
    }

    /// The text of an entry, encoded once for its whole audience; empty if it differs between connections.
    package private(set) var shared: [UInt8] = []
    /// The type of ``shared``, for rows and the log.
    package private(set) var type = ""
    /// The remaining output, in order.
    package var steps: [Step] = []

    package init() {}

    /// Encodes an entry once for all; `write` appends its text.
    package mutating func share(_ type: String, _ write: (inout [UInt8]) -> Void) {
        self.type = type
        write(&shared)
    }

    /// Clears the output and keeps its capacity, unless that exceeds `bytes`.
    package mutating func reset(keeping bytes: Int) {
        if shared.capacity > bytes { shared = [] } else { shared.removeAll(keepingCapacity: true) }
        steps.removeAll(keepingCapacity: true)
    }
}
