package import Clocks
package import Texts

/// A message on the wire, or an action of the server. Appending costs no parsing: ids that are only in the text are read by
/// ``facts`` when a filter or an export needs them.
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
        /// A violation of a protocol rule.
        case violation
    }

    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// An empty literal would be made of an array each time.
        package static let none: Flags = []
        /// Sent again by the cursor of a client.
        package static let replayed = Flags(rawValue: 1)
        /// A user message no rule answered.
        package static let unmatched = Flags(rawValue: 2)
        /// Waited for a person to release it.
        package static let held = Flags(rawValue: 4)
        package static let error = Flags(rawValue: 8)

        /// The names in filters and exports.
        static let names: [(name: StaticString, flag: Flags)] = [
            ("replayed", .replayed), ("unmatched", .unmatched), ("intercepted", .held), ("error", .error),
        ]
    }

    /// Server-wide, from 1; given by ``Timeline/append(_:)``.
    package var number: UInt64
    /// By the server's clock, which tests may move.
    package var time: Instant
    package var wallTime: Instant
    package var direction: Direction
    package var kind: Kind
    /// Empty: none.
    package var session: String
    /// 0: none.
    package var socket: UInt32
    /// Event type without its prefix, method and path (`POST /api/v1/sessions`), or close code.
    package var type: String
    package var sequence: UInt64?
    /// Bytes of the payload, also where `raw` was shortened.
    package var size: Int
    /// Of an echo since the client's frame, of a reply since the user message, of a request until its answer.
    package var latency: Interval?
    /// HTTP status or close code.
    package var status: Int?
    /// The rule that produced it; empty: none.
    package var rule: String
    /// The fault that changed it; empty: none.
    package var fault: String
    /// The exact bytes on the wire.
    package var raw: [UInt8]
    /// The bytes without the fault.
    package var original: [UInt8]?
    package var flags: Flags
    /// The part of a fixture that caused it.
    package var place: RowPlace
    /// The number of the row that caused it; 0: none, or not known.
    package var cause: UInt64
    /// The person or test who caused it; empty: script, server or client.
    package var author: String
    /// The timer that caused it; empty: none.
    package var timer: String
    /// Nil for rows of no protocol.
    package var reading: RowReading?

    /// `size` defaults to that of `raw`.
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

    /// Bytes counted for ``TimelineLimits/rawBytes``.
    var weight: Int { raw.count + (original?.count ?? 0) }

    /// Marked as an error, or a refused request.
    package var isError: Bool { flags.contains(.error) || kind == .rest && (status ?? 0) >= 400 }
    package var isFaulted: Bool { !fault.isEmpty || original != nil }

    /// The ids in the text, parsed each time.
    package var facts: RowIDs { reading?.facts(raw) ?? RowIDs() }
    package var id: String? { facts.id }
    /// The id that correlates rows: the client's own, else the message's, else the request's.
    package var correlation: String? { facts.correlation }
}

/// A line of a fixture.
package struct RowPlace: Equatable, Sendable {
    /// Empty: none.
    package var file: String
    /// 0: the file as a whole.
    package var line: UInt32

    package init(file: String = "", line: UInt32 = 0) {
        self.file = file
        self.line = line
    }

    /// Parses `booking.json5:12`; a text without a line is a file name.
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

/// Reader of a protocol's rows.
package final class RowReading: Sendable, Equatable {
    package let names: EventNames
    package let facts: @Sendable ([UInt8]) -> RowIDs
    /// The messages in a row; `body` is that of a request or response.
    package let sayings: @Sendable (_ body: [UInt8], _ row: Row) -> [RowSaying]
    /// The reader for later rows of an event stream, where a message of this type identifies its session.
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

/// A message in a row, or a piece of one.
package struct RowSaying: Equatable, Sendable {
    /// Empty for a message that a client sends; its echo has an id.
    package var id: String
    /// The id of its event, which every connection receives, and a cursor repeats. Nil where messages have only their own id.
    package var event: String?
    package var sequence: UInt64?
    /// The client's own id.
    package var localID: String?
    /// Attachments and the like, for exports.
    package var parts: [JSONValue] = []
    package var speaker: Transcript.Speaker
    package var person: Transcript.Participant
    package var text: String
    package var part: Part

    package enum Part: Equatable, Sendable {
        /// The whole message, in place of earlier pieces.
        case whole
        /// The next piece, with its number where connections may receive it twice.
        case piece(Int? = nil)
        /// The piece of this number, from 0 or 1 upwards, in any order.
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
    /// The time since `earlier`; zero on overflow, as between imported rows of two centuries.
    func since(_ earlier: Instant) -> Interval {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? .zero : Interval(nanoseconds: difference)
    }
}

/// The ids in the text of a row.
package struct RowIDs: Equatable, Sendable {
    package var id: String?
    /// With its prefix.
    package var type: String?
    package var sequence: UInt64?
    package var localID: String?
    package var clientEventID: String?
    package var messageID: String?
    package var callID: String?
    /// Correlation id of a REST call.
    package var requestID: String?

    package var correlation: String? { localID ?? clientEventID ?? callID ?? messageID ?? requestID }
    /// The ids compared by `corr:`.
    package var correlations: [String] {
        [localID, clientEventID, callID, messageID, requestID, id].compactMap { $0 }
    }

    package init() {}

    /// The ids in the head of a request or response.
    package init(headOf raw: [UInt8]) { requestID = HTTPText(raw)?.header("x-request-id") }
}
