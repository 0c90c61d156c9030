package import Clocks
package import Texts

/// Row of the timeline: a message on the wire, or an action of the server. Only ``facts`` parses its text.
package struct Row: Equatable, Sendable {
    package enum Direction: String, CaseIterable, Sendable {
        /// Client to server.
        case inbound = "in"
        /// Server to client.
        case outbound = "out"
        /// Not on the wire: a rule, a timer or a fault in the server.
        case inside = "int"
    }

    package enum Kind: String, CaseIterable, Sendable {
        case rest
        /// WebSocket message with one event or a batch.
        case ws
        /// Message on an event stream.
        case stream
        /// WebSocket control frame. ``Row/status`` is the code of a Close frame.
        case control
        case fault
        case rule
        case clock
        /// Violation of a protocol rule.
        case violation
    }

    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No flags. Used in place of the literal `[]`, which would create an array at each use.
        package static let none: Flags = []
        /// Sent again as part of a history.
        package static let replayed = Flags(rawValue: 1)
        /// A user message that no rule matched.
        package static let unmatched = Flags(rawValue: 2)
        /// Intercepted before it was sent.
        package static let held = Flags(rawValue: 4)
        package static let error = Flags(rawValue: 8)

        /// Names of the flags in filters and exports.
        static let names: [(name: StaticString, flag: Flags)] = [
            ("replayed", .replayed), ("unmatched", .unmatched), ("intercepted", .held), ("error", .error),
        ]
    }

    /// Number on this server, from 1. ``Timeline/append(_:)`` assigns it.
    package var number: UInt64
    /// Time by the server's clock, which tests may move.
    package var time: Instant
    package var wallTime: Instant
    package var direction: Direction
    package var kind: Kind
    /// Session id; empty if there is none.
    package var session: String
    /// Number of the connection; 0 if there is none.
    package var socket: UInt32
    /// Event type without its prefix. For a request, its method and path (`POST /api/v1/sessions`); for a control
    /// frame, its kind.
    package var type: String
    package var sequence: UInt64?
    /// Bytes of the payload. If `raw` was shortened, this is the original number.
    package var size: Int
    /// Time from the client's frame to its echo, from the user's message to the reply, or from a request to its
    /// response.
    package var latency: Interval?
    /// HTTP status or close code.
    package var status: Int?
    /// Rule that produced the message; empty if there is none.
    package var rule: String
    /// Fault that changed the message; empty if there is none.
    package var fault: String
    /// Exact bytes on the wire.
    package var raw: [UInt8]
    /// The bytes as they were before a fault or an edit changed them.
    package var original: [UInt8]?
    package var flags: Flags
    /// Part of a fixture that caused the row.
    package var place: RowPlace
    /// Number of the row that caused this one; 0 if unknown.
    package var cause: UInt64
    /// User or test that caused the row. Empty if the script, the server or a client caused it.
    package var author: String
    /// Timer that caused the row; empty if there is none.
    package var timer: String
    /// Protocol-specific reader; nil for rows of no protocol.
    package var reading: RowReading?

    /// `size` defaults to the size of `raw`.
    package init(
        number: UInt64 = 0, time: Instant, wallTime: Instant? = nil, direction: Direction, kind: Kind,
        session: String = "", socket: UInt32 = 0, type: String = "", sequence: UInt64? = nil,
        size: Int? = nil, latency: Interval? = nil, status: Int? = nil, rule: String = "", fault: String = "",
        raw: [UInt8] = [], original: [UInt8]? = nil, flags: Flags = .none, place: RowPlace = RowPlace(),
        cause: UInt64 = 0, author: String = "", timer: String = "", reading: RowReading? = nil
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

    /// Bytes that count for ``TimelineLimits/rawBytes``.
    var weight: Int { raw.count + (original?.count ?? 0) }

    /// Whether the row is marked as an error, or is a refused request.
    package var isError: Bool { flags.contains(.error) || kind == .rest && (status ?? 0) >= 400 }
    package var isFaulted: Bool { !fault.isEmpty || original != nil }

    /// Ids in the row's text, parsed at each use.
    package var facts: RowIDs { reading?.facts(raw) ?? RowIDs() }
    package var id: String? { facts.id }
    /// Id that correlates rows: the client's own id, otherwise the message id, otherwise the request id.
    package var correlation: String? { facts.correlation }
}

/// Line of a fixture.
package struct RowPlace: Equatable, Sendable {
    /// Name of the file; empty if there is none.
    package var file: String
    /// Line number; 0 for the whole file.
    package var line: UInt32

    package init(file: String = "", line: UInt32 = 0) {
        self.file = file
        self.line = line
    }

    /// Parses `booking.json5:12`. A text without a line number is a file name.
    package init(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1, let last = parts.last, let line = UInt32(last), line > 0, String(line) == last {
            self.init(file: String(text.dropLast(last.count + 1)), line: line)
        } else {
            self.init(file: text)
        }
    }

    /// `booking.json5:12`, or the file name without a line.
    package var text: String { line > 0 ? "\(file):\(line)" : file }
}

/// Protocol-specific reader of rows.
package final class RowReading: Sendable, Equatable {
    package let names: EventNames
    package let facts: @Sendable ([UInt8]) -> RowIDs
    /// Returns the messages in a row. `body` is the body of a request or response.
    package let sayings: @Sendable (_ body: [UInt8], _ row: Row) -> [RowSaying]
    /// Returns the reader for later rows of an event stream, after a message that identifies its session.
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

/// A message of a conversation, or a piece of a message, as contained in a row.
package struct RowSaying: Equatable, Sendable {
    /// Message id; empty for a message that a client sends, since only its echo has an id.
    package var id: String
    /// Id of the event, which is the same on all connections and in a replayed history. Nil if only messages have ids.
    package var event: String?
    package var sequence: UInt64?
    /// The client's own id of the message.
    package var localID: String?
    /// Attachments and similar parts, for exports.
    package var parts: [JSONValue] = []
    package var speaker: Transcript.Speaker
    package var person: Transcript.Participant
    package var text: String
    package var part: Part

    package enum Part: Equatable, Sendable {
        /// The whole message, which replaces earlier pieces.
        case whole
        /// The next piece of a message. It has a number if a connection may receive the piece twice.
        case piece(Int? = nil)
        /// A piece with a number. Numbers start at 0 or 1, and pieces may arrive in any order.
        case chunk(Int, isLast: Bool)
        case end
        /// A client's message before its echo.
        case draft
        case joining
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
    /// Returns the time since `earlier`. Imported rows may cause an overflow, for which the result is zero.
    func since(_ earlier: Instant) -> Interval {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? .zero : Interval(nanoseconds: difference)
    }
}

/// Ids in the text of a row.
package struct RowIDs: Equatable, Sendable {
    package var id: String?
    /// Event type with its prefix.
    package var type: String?
    package var sequence: UInt64?
    package var localID: String?
    package var clientEventID: String?
    package var messageID: String?
    package var callID: String?
    /// Request id of an HTTP call.
    package var requestID: String?

    package var correlation: String? { localID ?? clientEventID ?? callID ?? messageID ?? requestID }
    /// Ids that `corr:` compares.
    package var correlations: [String] {
        [localID, clientEventID, callID, messageID, requestID, id].compactMap { $0 }
    }

    package init() {}

    /// Reads the request id from the head of a request or response.
    package init(headOf raw: [UInt8]) { requestID = HTTPText(raw)?.header("x-request-id") }
}
