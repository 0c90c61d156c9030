package import Clocks
package import Texts

/// Row of the timeline: a message on the wire, or an action of the server.
package struct Row: Equatable, Sendable {
    package enum Direction: String, CaseIterable, Sendable {
        /// Client to server.
        case inbound = "in"
        /// Server to client.
        case outbound = "out"
        /// An event in the server, not on the wire.
        case inside = "int"
    }

    package enum Kind: String, CaseIterable, Sendable {
        case rest
        /// WebSocket message.
        case ws
        /// Message on an event stream.
        case stream
        /// WebSocket control frame. ``Row/status`` is the code of a Close frame.
        case control
        case fault
        case rule
        case clock
        case violation
    }

    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// No flags. The literal `[]` would create an array at each use.
        package static let none: Flags = []
        /// Sent again as part of a history, or imported.
        package static let replayed = Flags(rawValue: 1)
        /// A user message without a matching rule, or a missed expectation.
        package static let unmatched = Flags(rawValue: 2)
        /// Intercepted before it was sent.
        package static let held = Flags(rawValue: 4)
        package static let error = Flags(rawValue: 8)

        static let names: [(name: StaticString, flag: Flags)] = [
            ("replayed", .replayed), ("unmatched", .unmatched), ("intercepted", .held), ("error", .error),
        ]
    }

    /// Number on this server, from 1, assigned by ``Timeline/append(_:)``.
    package var number: UInt64
    /// Time by the server's clock, which can be moved.
    package var time: Instant
    package var wallTime: Instant
    package var direction: Direction
    package var kind: Kind
    package var session: String
    /// Number of the connection; 0 for none.
    package var socket: UInt32
    package var type: String
    package var sequence: UInt64?
    /// Bytes of `raw` when the row was recorded.
    package var size: Int
    /// Time from a client's message to its echo or reply. In rows imported from HAR, from a request to its response.
    package var latency: Interval?
    /// HTTP status or close code.
    package var status: Int?
    package var rule: String
    package var fault: String
    /// Text of the WebSocket message or stream event, the whole HTTP message (a long body is shortened), or the detail
    /// of an internal row.
    package var raw: [UInt8]
    /// `raw` before a fault or an edit changed it.
    package var original: [UInt8]?
    package var flags: Flags
    /// Part of a fixture that caused the row.
    package var place: RowPlace
    /// Number of the row that caused this one; 0 if unknown.
    package var cause: UInt64
    /// Name of the operator or test that caused the row; empty for the script, the server or a client.
    package var author: String
    package var timer: String
    /// Reader of the row's protocol, if any.
    package var reading: RowReading?

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

    var weight: Int { raw.count + (original?.count ?? 0) }

    /// Whether the row is marked as an error or is an HTTP response with status 400 or higher.
    package var isError: Bool { flags.contains(.error) || kind == .rest && (status ?? 0) >= 400 }
    package var isFaulted: Bool { !fault.isEmpty || original != nil }

    /// Ids in the row's text, parsed at each use.
    package var facts: RowIDs { reading?.facts(raw) ?? RowIDs() }
    package var id: String? { facts.id }
    /// Correlating id: the first that exists of the client's own id, client event id, call id, message id and request
    /// id.
    package var correlation: String? { facts.correlation }
}

package struct RowPlace: Equatable, Sendable {
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
    package let sayings: @Sendable (_ body: [UInt8], _ row: Row) -> [RowSaying]
    /// Returns a reader for the later rows of an event stream, or nil to keep the present one.
    package let following: @Sendable (_ type: String, _ raw: () -> [UInt8]) -> RowReading?
    /// Encodes a message again from the object that its row keeps in place of the text. Nil if rows keep the text.
    package let text: (@Sendable (_ source: AnyObject) -> [UInt8])?

    package init(
        names: EventNames = .none, facts: @escaping @Sendable ([UInt8]) -> RowIDs,
        sayings: @escaping @Sendable (_ body: [UInt8], _ row: Row) -> [RowSaying] = { _, _ in [] },
        following: @escaping @Sendable (_ type: String, _ raw: () -> [UInt8]) -> RowReading? = { _, _ in nil
        },
        text: (@Sendable (_ source: AnyObject) -> [UInt8])? = nil
    ) {
        self.names = names
        self.facts = facts
        self.sayings = sayings
        self.following = following
        self.text = text
    }

    package static func == (left: RowReading, right: RowReading) -> Bool { left === right }
}

/// Message of a conversation, or a piece of one, in a row.
package struct RowSaying: Equatable, Sendable {
    /// Message id; empty for a client's message that gets its id only with the echo.
    package var id: String
    /// Event id, equal on all connections and in histories. Nil if only messages have ids.
    package var event: String?
    package var sequence: UInt64?
    package var localID: String?
    package var parts: [JSONValue] = []
    package var speaker: Transcript.Speaker
    package var person: Transcript.Participant
    package var text: String
    package var part: Part

    package enum Part: Equatable, Sendable {
        /// The whole message, which replaces earlier pieces.
        case whole
        /// The next piece of a message, numbered if a connection may receive it twice.
        case piece(Int? = nil)
        /// A numbered piece, from 0 or 1. Pieces may arrive in any order.
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
    /// Returns the time since `earlier`; zero on overflow, which imported rows may cause.
    func since(_ earlier: Instant) -> Interval {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? .zero : Interval(nanoseconds: difference)
    }
}

package struct RowIDs: Equatable, Sendable {
    package var id: String?
    /// Event type with its prefix.
    package var type: String?
    package var sequence: UInt64?
    package var localID: String?
    package var clientEventID: String?
    package var messageID: String?
    package var callID: String?
    package var requestID: String?

    package var correlation: String? { localID ?? clientEventID ?? callID ?? messageID ?? requestID }
    /// Ids with which the filter `corr:` is compared.
    package var correlations: [String] {
        [localID, clientEventID, callID, messageID, requestID, id].compactMap { $0 }
    }

    package init() {}

    /// Reads the request id from the head of a request or response.
    package init(headOf raw: [UInt8]) { requestID = HTTPText(raw)?.header("x-request-id") }
}

extension Row {
    /// The row with masked secrets in `raw`. `size` remains the original size.
    package var withoutSecrets: Row {
        var row = self
        row.raw = Secrets.masked.applied(to: raw)
        return row
    }

    /// Whether `raw` lacks a part of the WebSocket message; false if secrets are masked.
    package var isCut: Bool {
        guard kind == .ws, raw.count < size else { return false }
        return !raw.indices.dropLast(2).contains { raw[$0...].starts(with: [0x2A, 0x2A, 0x2A]) }
    }
}
