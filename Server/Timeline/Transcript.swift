package import Clocks
package import Texts

/// Transcript of one session, or of all: each message once, in order, with the chunks of streamed replies joined.
package struct Transcript: Equatable, Sendable {
    package enum Speaker: String, Sendable {
        case user
        case agent
        case liveAgent = "live agent"
        case system
        case tool
    }

    package enum Delivery: String, Sendable {
        /// The user's message has no echo.
        case unconfirmed
        /// A streamed reply lacks chunks.
        case partial
        case complete
    }

    package struct Participant: Equatable, Sendable {
        package var speaker: Speaker
        package var id: String?
        package var name: String?
    }

    package struct Message: Equatable, Sendable {
        /// Message id; empty if the server assigned none.
        package var id: String
        package var sequence: UInt64?
        package var speaker: Speaker
        package var name: String?
        package var text: String
        /// Attachments, suggestions and call actions, in the format of exports.
        package var parts: [JSONValue] = []
        package var delivery: Delivery
        /// Time at which the user's message arrived or the reply began, on the server's clock.
        package var time: Instant
        package var wallTime: Instant
        package var session: String
    }

    package var session: String
    /// Time of the first row; nil if there are no rows.
    package var start: Instant?
    package var participants: [Participant]
    package var messages: [Message]

    private var hasSeveral: Bool { messages.contains { $0.session != messages[0].session } }

    /// Creates the transcript of `session`. Without a session, the transcript covers all rows and is named after the
    /// first session.
    package init(_ rows: [Row], session: String? = nil, secrets: Secrets = .masked) {
        var builder = TranscriptBuilder()
        let name = session ?? rows.first { !$0.session.isEmpty }?.session ?? ""
        for row in rows where session == nil || row.session == session {
            builder.read(row, secrets: secrets)
        }
        builder.finish()
        self.session = name
        start = builder.start
        participants = builder.participants
        messages = builder.messages
    }

    /// Returns one line per message: `00:00.021  user: Hello`, with the time since the first row. With several
    /// sessions, each line also has the first eight characters of the session id.
    package func text() -> [UInt8] {
        let hasSeveral = hasSeveral
        var bytes: [UInt8] = []
        for message in messages {
            Self.append(message.time.since(start ?? message.time), into: &bytes)
            JSONWriter.literal("  ", into: &bytes)
            if hasSeveral { JSONWriter.verbatim("\(message.session.prefix(8))  ", into: &bytes) }
            JSONWriter.verbatim(message.speaker.rawValue, into: &bytes)
            if message.speaker != .user, let name = message.name {
                JSONWriter.verbatim(" \(name)", into: &bytes)
            }
            switch message.delivery {
            case .complete: break
            case .partial, .unconfirmed: JSONWriter.verbatim(" (\(message.delivery.rawValue))", into: &bytes)
            }
            JSONWriter.literal(": ", into: &bytes)
            let lines = message.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            JSONWriter.verbatim(lines.joined(separator: " "), into: &bytes)
            bytes.append(0x0A)
        }
        return bytes
    }

    private static func append(_ length: Interval, into bytes: inout [UInt8]) {
        let milliseconds = max(0, length.milliseconds)
        let hours = milliseconds / 3_600_000
        if hours > 0 {
            if hours < 10 { bytes.append(UInt8(ascii: "0")) }
            JSONWriter.integer(hours, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
        }
        TimelineExport.appendDigits(milliseconds / 60_000 % 60, count: 2, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        TimelineExport.appendDigits(milliseconds / 1_000 % 60, count: 2, into: &bytes)
        bytes.append(UInt8(ascii: "."))
        TimelineExport.appendDigits(milliseconds % 1_000, count: 3, into: &bytes)
    }

    /// Returns `{version, exportedAt, session, participants, messages}`. If there are several sessions, each message
    /// has a member `session`.
    package func json(exportedAt: Instant) -> [UInt8] {
        let hasSeveral = hasSeveral
        return JSONWriter.bytes(
            .object([
                "version": .integer(Int64(TimelineExport.version)), "exportedAt": Self.time(exportedAt),
                "session": .string(session), "participants": .array(participants.map(Self.json)),
                "messages": .array(messages.map { Self.json($0, hasSession: hasSeveral) }),
            ])) + [0x0A]
    }

    private static func time(_ instant: Instant) -> JSONValue {
        .string(TimeStamp.text(nanoseconds: instant.nanoseconds))
    }

    private static func json(_ participant: Participant) -> JSONValue {
        .object(
            JSONObject(present: [
                ("speaker", .string(participant.speaker.rawValue)),
                ("id", participant.id.map { .string($0) }), ("name", participant.name.map { .string($0) }),
            ]))
    }

    private static func json(_ message: Message, hasSession: Bool) -> JSONValue {
        .object(
            JSONObject(present: [
                ("session", hasSession ? .string(message.session) : nil), ("id", .string(message.id)),
                ("sequence", message.sequence.map { .integer(Int64(clamping: $0)) }),
                ("speaker", .string(message.speaker.rawValue)), ("name", message.name.map { .string($0) }),
                ("text", .string(message.text)), ("parts", .array(message.parts)),
                ("delivery", .string(message.delivery.rawValue)), ("time", time(message.time)),
                ("wallTime", time(message.wallTime)),
            ]))
    }
}
