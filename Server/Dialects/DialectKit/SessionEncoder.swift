package import Clocks
package import ConversationEngine

/// Encodes one session for its clients in the words of one protocol. Entries of the journal, events of runs, messages
/// of clients and time go in; messages go out, encoded once for all connections or for one of them. A class, so that
/// the dialect changes what it remembers of a session in place; one that remembers nothing serves all sessions. Time is
/// an argument.
///
/// All methods have a default that says nothing.
package protocol SessionEncoder: AnyObject {
    /// A connection of the session opens; the history after its cursor follows with ``replay(_:to:at:id:into:)``.
    /// `party` is the owner of the connection, where the dialect said so (``DialectContext/party``).
    func attach(
        _ connection: ConnectionID, _ outlet: Carrier, of party: Int, at now: Instant,
        into output: inout EncoderOutput)

    /// A connection of the session is gone.
    func detach(_ connection: ConnectionID)

    /// A live entry, for those who do not find it in a history that is on its way to them.
    func encode(
        _ entry: JournalEntry, for audience: Audience, at now: Instant, into output: inout EncoderOutput)

    /// A page of the history, for one connection. `id` draws a fresh id.
    func replay(
        _ page: JournalPage, to connection: ConnectionID, at now: Instant, id: () -> UniqueID,
        into output: inout EncoderOutput)

    /// An event of a run, for the connection that asked for the run. `log` has all runs so far. It may be kept until
    /// ``flush(into:)``.
    func encode(
        _ entry: RunEntry, of run: RunInfo, log: RunLog?, at now: Instant, into output: inout EncoderOutput)

    /// No more events of this moment follow: those that were kept leave.
    func flush(into output: inout EncoderOutput)

    /// A message of a client. Total: nonsense becomes ``ClientInput/Word/refused(_:detail:)`` or is ignored.
    func receive(
        _ message: [UInt8], isText: Bool, from connection: ConnectionID, at now: Instant,
        into output: inout EncoderOutput
    ) -> Decoded

    /// Nil where nothing is remembered: the output for an entry depends on the entry alone then.
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

/// The state of an encoder that the server has to know.
package struct EncoderMemory: Equatable, Sendable {
    /// The time of the next call of ``SessionEncoder/advance(to:into:)``; may be early, never late.
    package var nextDeadline: Instant?
    /// Bytes of what clients brought along, known without a count.
    package var heldBytes: Int

    package init(nextDeadline: Instant?, heldBytes: Int = 0) {
        self.nextDeadline = nextDeadline
        self.heldBytes = heldBytes
    }
}

/// Entries of a history, in the order of the journal.
package struct JournalPage: Sendable {
    package var entries: [JournalEntry]
    /// The size of all of them on the wire, as far as it is known: room that is reserved.
    package var bytes: Int

    package init(_ entries: [JournalEntry], bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }
}

/// The transport of a connection.
package enum Carrier: Equatable, Sendable {
    case webSocket
    /// An event stream: the body of a response, in chunks unless the connection's end is the body's.
    case stream(isChunked: Bool)
}

/// The output of an encoder. The server uses one after another in the same place, so that a message needs no memory of
/// its own.
package struct EncoderOutput: Sendable {
    /// One step for one connection, or for the server.
    package enum Step: Equatable, Sendable {
        /// A message for one connection; on an event stream `text` is a whole event with its blank line. `type` is for
        /// rows and the log.
        case send(text: [UInt8], type: String, to: ConnectionID)
        /// Several messages for one connection, on an event stream.
        case sendAll(EncodedMessages, to: ConnectionID)
        /// Messages that take long to put together. Later ones wait for them.
        case sendLater(DeferredMessages, to: ConnectionID)
        /// The meaning of a client's message.
        case receive(ClientInput, from: ConnectionID)
        /// An event that no script said; the end of the session ends it.
        case push(Event, by: String)
        /// A further name of the session.
        case name(SessionName)
        /// A file for the session's clients, good as it is.
        case shelve(id: String, name: String, type: String, bytes: [UInt8])
        /// A file that nobody may ask for any more.
        case unshelve(id: String)
        /// Ends a connection after all that was sent to it.
        case close(ConnectionID, code: UInt16, reason: String)
    }

    /// The text of an entry, encoded once for its whole audience; empty where it is not the same for all.
    package private(set) var shared: [UInt8] = []
    /// The type of ``shared``, for rows and the log.
    package private(set) var type = ""
    /// The rest, in order.
    package var steps: [Step] = []

    package init() {}

    /// Encodes an entry once for all; `write` appends its text.
    package mutating func share(_ type: String, _ write: (inout [UInt8]) -> Void) {
        self.type = type
        write(&shared)
    }

    /// Empties it and keeps its room, unless that is more than `bytes`.
    package mutating func reset(keeping bytes: Int) {
        if shared.capacity > bytes { shared = [] } else { shared.removeAll(keepingCapacity: true) }
        steps.removeAll(keepingCapacity: true)
    }
}
