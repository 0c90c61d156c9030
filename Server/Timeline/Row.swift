package import Clocks
package import Texts

/// One thing that crossed the wire, or that the server did with it.
///
/// Appending must cost no parsing, so a row holds what the server knows anyway; what only the text knows is
/// read by ``facts`` when a filter or an export asks.
package struct Row: Equatable, Sendable {
    package enum Direction: String, CaseIterable, Sendable {
        /// Client to server.
        case inbound = "in"
        /// Server to client.
        case outbound = "out"
        /// Inside the server: a rule, a timer, a fault.
        case inside = "int"
    }

    package enum Kind: String, CaseIterable, Sendable {
        case rest
        /// A WebSocket message: one event, or one batch.
        case ws
        /// A message on an event stream.
        case stream
        /// A WebSocket control frame; for a close frame ``Row/status`` is its code.
        case control
        case fault
        case rule
        case clock
        /// A breach of a law.
        case law
    }

    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// What most rows have. An empty literal would be made of an array each time.
        package static let none: Flags = []
        /// Sent before; a client asked for it again with its cursor.
        package static let replayed = Flags(rawValue: 1)
        /// A user message no rule answered.
        package static let unmatched = Flags(rawValue: 2)
        /// Waited for a person to release it.
        package static let held = Flags(rawValue: 4)
        package static let error = Flags(rawValue: 8)

        /// The names in filters and exports.
        static let names: [(name: StaticString, flag: Flags)] = [
            ("replayed", .replayed), ("unmatched", .unmatched), ("held", .held), ("error", .error),
        ]
    }

    /// Server-wide, from 1; given by ``Timeline/append(_:)``.
    package var number: UInt64
    /// By the server's clock, which tests may move.
    package var time: Instant
    package var wallTime: Instant
    package var direction: Direction
    package var kind: Kind
    /// Empty: belongs to none.
    package var session: String
    /// 0: none.
    package var socket: UInt32
    /// The event type without its prefix, method and path (`POST /api/v1/sessions`), or the close code.
    package var type: String
    package var sequence: UInt64?
    /// Bytes of payload as sent, also where `raw` was shortened.
    package var size: Int
    /// Of an echo since the client's frame, of a reply since the user message, of a request its handling.
    package var latency: Interval?
    /// HTTP status or close code.
    package var status: Int?
    /// The rule that produced it; empty: none.
    package var rule: String
    /// The fault that changed it; empty: none.
    package var fault: String
    /// Exactly what crossed the wire.
    package var raw: [UInt8]
    /// What would have crossed it without the fault.
    package var original: [UInt8]?
    package var flags: Flags
    /// Where the part of a fixture begins that said it.
    package var place: RowPlace
    /// The number of the row that brought this one about; 0: none, or not known.
    package var cause: UInt64
    /// The person or test who caused it; empty: script, server or client did.
    package var author: String
    /// The timer that caused it; empty: none did.
    package var timer: String
    /// How its protocol reads it; nil for what is of no protocol.
    package var reading: RowReading?

    /// Without `size`, it is that of `raw`.
    package init(
        number: UInt64 = 0, time: Instant, wallTime: Instant? = nil, direction: Direction, kind: Kind,
        session: String = "", socket: UInt32 = 0, type: String = "", sequence: UInt64? = nil,
        size: Int? = nil,
        latency: Interval? = nil, status: Int? = nil, rule: String = "", fault: String = "",
        raw: [UInt8] = [],
        original: [UInt8]? = nil, flags: Flags = .none, place: RowPlace = RowPlace(), cause: UInt64 = 0,
        author: String = "", timer: String = "", reading: RowReading? = nil
    ) {
        self.number = number
        self.time = time
        self.wallTime = wallTime ?? time
        self.direction = direction
        self.kind = kind
        self.session = session
        self.socket = socket
        self.type = type
        self.sequence = sequence
        self.size = size ?? raw.count
        self.latency = latency
        self.status = status
        self.rule = rule
        self.fault = fault
        self.raw = raw
        self.original = original
        self.flags = flags
        self.place = place
        self.cause = cause
        self.author = author
        self.timer = timer
        self.reading = reading
    }

    /// Bytes this row counts for in ``TimelineLimits/rawBytes``.
    var weight: Int { raw.count + (original?.count ?? 0) }

    /// What `is:error` takes: marked so, or a request that was refused.
    package var isError: Bool { flags.contains(.error) || kind == .rest && (status ?? 0) >= 400 }
    package var isFaulted: Bool { !fault.isEmpty || original != nil }

    /// What only the text knows; reads it every time.
    package var facts: RowIDs { reading?.facts(raw) ?? RowIDs() }
    /// The event's id; nil where the text has none.
    package var id: String? { facts.id }
    /// What ties rows together: the client's own id, else the message's, else the request's.
    package var correlation: String? { facts.correlation }
}

/// A line of a fixture, as rows name it.
package struct RowPlace: Equatable, Sendable {
    /// Empty: none.
    package var file: String
    /// 0: the file as a whole.
    package var line: UInt32

    package init(file: String = "", line: UInt32 = 0) {
        self.file = file
        self.line = line
    }

    /// From `booking.json5:12`; a text without a line is all file.
    package init(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1, let last = parts.last, let line = UInt32(last), line > 0, String(line) == last {
            self.init(file: String(text.dropLast(last.count + 1)), line: line)
        } else {
            self.init(file: text)
        }
    }

    /// `booking.json5:12`
    package var text: String { line > 0 ? "\(file):\(line)" : file }
}

/// How a protocol reads the bytes of its rows.
package final class RowReading: Sendable, Equatable {
    /// The names of events.
    package let names: EventNames
    package let facts: @Sendable ([UInt8]) -> RowIDs
    /// What a row says, out of its body where it is a request or an answer.
    package let sayings: @Sendable (_ body: [UInt8], _ row: Row) -> [RowSaying]
    /// How what follows on the same event stream is read, where a message of this type says what all of it belongs to.
    package let following: @Sendable (_ type: String, _ raw: () -> [UInt8]) -> RowReading?

    package init(
        names: EventNames = .none, facts: @escaping @Sendable ([UInt8]) -> RowIDs,
        sayings: @escaping @Sendable (_ body: [UInt8], _ row: Row) -> [RowSaying] = { _, _ in [] },
        following: @escaping @Sendable (_ type: String, _ raw: () -> [UInt8]) -> RowReading? = { _, _ in nil }
    ) {
        self.names = names
        self.facts = facts
        self.sayings = sayings
        self.following = following
    }

    package static func == (left: RowReading, right: RowReading) -> Bool { left === right }
}

/// A message, or a piece of one, that a row tells.
package struct RowSaying: Equatable, Sendable {
    /// Empty for what a client wants to say; it is told again when it is said.
    package var id: String
    /// The event that says it, where events have ids of their own: every connection receives it, and a cursor brings it
    /// again. Nil where a message is known by its own id.
    package var event: String?
    package var sequence: UInt64?
    /// The client's own id of what it says.
    package var localID: String?
    /// Attachments and the like, as they are exported.
    package var parts: [JSONValue] = []
    package var speaker: Transcript.Speaker
    package var person: Transcript.Participant
    package var text: String
    package var part: Part

    /// How much of the message it is.
    package enum Part: Equatable, Sendable {
        /// All of it, in place of the pieces before.
        case whole
        /// The next piece, with its number where it has one: every connection is told it.
        case piece(Int? = nil)
        /// The piece of this number, from 0 or 1 upwards; pieces may come in any order.
        case chunk(Int, isLast: Bool)
        /// Nothing more comes.
        case end
        /// A client's message, until it is answered.
        case draft
        /// Somebody joins, and says nothing yet.
        case joining
        /// Words of nobody.
        case notice
    }

    package init(
        id: String = "", _ speaker: Transcript.Speaker, personID: String? = nil, name: String? = nil,
        text: String = "", _ part: Part = .whole
    ) {
        self.id = id
        self.speaker = speaker
        person = Transcript.Participant(speaker: speaker, id: personID, name: name)
        self.text = text
        self.part = part
    }
}

extension Instant {
    /// The time since `earlier`; zero where it does not fit, as between rows of two imported centuries.
    func since(_ earlier: Instant) -> Interval {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? .zero : Interval(nanoseconds: difference)
    }
}

/// The ids in the text of a row.
package struct RowIDs: Equatable, Sendable {
    package var id: String?
    /// As on the wire, with its prefix.
    package var type: String?
    package var sequence: UInt64?
    package var localID: String?
    package var clientEventID: String?
    package var messageID: String?
    /// The call of a tool that it is about.
    package var callID: String?
    /// The correlation id of a REST call.
    package var requestID: String?

    package var correlation: String? { localID ?? clientEventID ?? callID ?? messageID ?? requestID }
    /// All that `corr:` compares with.
    package var correlations: [String] {
        [localID, clientEventID, callID, messageID, requestID, id].compactMap { $0 }
    }

    /// Nothing is known.
    package init() {}

    /// Ids in the head of a request or an answer.
    package init(headOf raw: [UInt8]) {
        requestID = HTTPText(raw)?.header("x-request-id")
    }
}
