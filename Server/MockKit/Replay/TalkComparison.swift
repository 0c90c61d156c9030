import Clocks
import ConversationEngine
import DialectKit
import HTTPClient
import MockServer
import SocketTransport
import Texts
import Timeline

/// Differences between the events and answers of a recorded server and those of another server for the same client.
struct TalkComparison: Sendable {
    struct Difference: Equatable, Sendable {
        /// Number of the recorded row. An event that was not recorded has the number of a neighbouring recorded row.
        var row: UInt64
        var event: String
        /// Path of the member that differs, such as `payload.text`. Empty if the whole event is missing or was added.
        var field: String
        /// The texts of the recording and of the mock. Each is nil if its side lacks the event or the member.
        var recorded: String?
        var mock: String?
        var count = 1

        /// Link to the event's section in protocol.md. Nil if ``event`` is not an event type in capitals.
        var statement: String? {
            event.allSatisfy { $0.isUppercase || $0 == "_" }
                ? "protocol.md"
                    + "#event-\(event.lowercased().map { $0 == "_" ? "-" : $0 }.map(String.init).joined())"
                : nil
        }

        var line: String {
            let place = "row \(row)  \(event)" + (field.isEmpty ? "" : "  \(field)")
            let what: String =
                switch (recorded, mock) {
                case (let recorded?, let mock?): "recorded \(recorded), mock \(mock)"
                case (let recorded?, nil):
                    field.isEmpty ? "does not come" : "recorded \(recorded), mock nothing"
                case (nil, let mock?): field.isEmpty ? "comes in addition" : "recorded nothing, mock \(mock)"
                case (nil, nil): "differs"
                }
            return "\(place): \(what)" + (count > 1 ? ", \(count) times" : "")
                + (statement.map { "  [\($0)]" } ?? "")
        }

        var json: String {
            JSONWriter.line([
                ("row", .integer(Int64(clamping: row))), ("event", .string(event)),
                ("field", field.isEmpty ? nil : .string(field)), ("recorded", recorded.map { .string($0) }),
                ("mock", mock.map { .string($0) }), ("statement", statement.map { .string($0) }),
                ("count", .integer(Int64(count))),
            ])
        }
    }

    private(set) var differences: [Difference] = []
    /// Number of compared events and answers.
    private(set) var count = 0
    private var ids: [String: String] = [:]
    private var owners: [String: String] = [:]

    init(_ recording: TalkRecording, _ player: TalkPlayer) {
        let (events, answers) = (Server.recorded(player.rows.map(\.withoutSecrets)), player.answers)
        let (recorded, mock) = (SentEvent.all(recording.events), SentEvent.all(events))
        // Stored events are compared first, so that they determine which ids of the two sides correspond.
        compare(recorded.filter { !$0.isTransient }, mock.filter { !$0.isTransient })
        let stored = differences
        compare(SentEvent.collapsed(recorded), SentEvent.collapsed(mock))
        // Nothing says which transient events a client missed before it came back.
        if !recording.reopenings.isEmpty {
            differences.removeAll { $0.field.isEmpty && !stored.contains($0) }
        }
        for (number, act) in recording.acts.enumerated() {
            guard case .call(let call) = act.content, let status = call.status, let answer = answers[number]
            else {
                continue
            }
            compare(call, status, answer, at: act.row)
        }
        differences.sort { $0.row < $1.row }
    }

    private mutating func compare(
        _ call: TalkRecording.Call, _ status: Int, _ answer: TalkPlayer.Answer, at row: UInt64
    ) {
        count += 1
        let name = "\(call.method) \(call.path)"
        if status != answer.status {
            note(row, name, "status", recorded: "\(status)", mock: "\(answer.status)")
        }
        // Some recordings contain only the status of an answer. Its body is then not compared.
        guard !call.answer.isEmpty else { return }
        let own = Secrets.masked.applied(to: answer.body)
        switch (try? JSONReader.read(call.answer), try? JSONReader.read(own)) {
        case (let recorded?, let mock?): compare(recorded, mock, "", "", row, name)
        case (nil, nil): break
        default: note(row, name, "body", recorded: "JSON", mock: "no JSON")
        }
    }

    private mutating func compare(_ recorded: [SentEvent], _ mock: [SentEvent]) {
        count += recorded.count
        let changes = mock.map(\.key).difference(from: recorded.map(\.key))
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for case .remove(let offset, _, _) in changes { removed.insert(offset) }
        for case .insert(let offset, _, _) in changes { inserted.insert(offset) }
        var (left, right) = (0, 0)
        var row: UInt64 = 0
        while left < recorded.count || right < mock.count {
            var lost: [SentEvent] = []
            while removed.contains(left) {
                lost.append(recorded[left])
                left += 1
            }
            while inserted.contains(right) {
                let more = mock[right]
                right += 1
                // Two events of the same type at the same place count as one changed event.
                if let place = lost.firstIndex(where: { $0.type == more.type }) {
                    for missing in lost[..<place] { noteMissing(missing) }
                    row = lost[place].row
                    compare(.object(lost[place].json), .object(more.json), "", "", row, more.type)
                    lost.removeFirst(place + 1)
                } else {
                    note(lost.first?.row ?? row, more.type, "", recorded: nil, mock: more.shown)
                }
            }
            for missing in lost { noteMissing(missing) }
            guard left < recorded.count, right < mock.count else { continue }
            row = recorded[left].row
            compare(.object(recorded[left].json), .object(mock[right].json), "", "", row, mock[right].type)
            left += 1
            right += 1
        }
    }

    /// Compares two JSON values recursively.
    private mutating func compare(
        _ recorded: JSONValue, _ mock: JSONValue, _ name: String, _ path: String, _ row: UInt64,
        _ event: String
    ) {
        switch (recorded, mock) {
        case (.object(let left), .object(let right)):
            var names = left.members.map(\.name)
            names += right.members.map(\.name).filter { !names.contains($0) }
            for name in names {
                let inner = path.isEmpty ? name : "\(path).\(name)"
                switch (left[name], right[name]) {
                case (let left?, let right?): compare(left, right, name, inner, row, event)
                case (let value, let other):
                    note(row, event, inner, recorded: value.map(Self.shown), mock: other.map(Self.shown))
                }
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            for (number, pair) in zip(left, right).enumerated() {
                compare(pair.0, pair.1, name, "\(path)[\(number)]", row, event)
            }
        case (.integer, .integer) where name == "sequence": break
        default:
            guard !isSame(recorded, mock, Kind(name)) else { return }
            note(row, event, path, recorded: Self.shown(recorded), mock: Self.shown(mock))
        }
    }

    private mutating func isSame(_ left: JSONValue, _ right: JSONValue, _ kind: Kind) -> Bool {
        guard let left = left.string, let right = right.string else { return left == right }
        switch kind {
        case .id:
            if ids[left] == nil, owners[right] == nil { (ids[left], owners[right]) = (right, left) }
            return ids[left] == right && owners[right] == left
        case .stamp:
            func form(_ text: String) -> String { text.map { $0.isNumber ? "0" : String($0) }.joined() }
            return form(left) == form(right)
        case .token: return left.isEmpty == right.isEmpty
        case .plain: return left == right
        }
    }

    private mutating func noteMissing(_ event: SentEvent) {
        note(event.row, event.type, "", recorded: event.shown, mock: nil)
    }

    private mutating func note(
        _ row: UInt64, _ event: String, _ field: String, recorded: String?, mock: String?
    ) {
        let difference = Difference(row: row, event: event, field: field, recorded: recorded, mock: mock)
        let same = differences.firstIndex { known in
            var known = known
            (known.row, known.count) = (difference.row, difference.count)
            return known == difference
        }
        if let same { differences[same].count += 1 } else { differences.append(difference) }
    }

    fileprivate static func shown(_ value: JSONValue) -> String {
        let text = String(decoding: JSONWriter.bytes(value), as: UTF8.self)
        return text.count > KitLimits.quotedCharacters ? text.prefix(KitLimits.quotedCharacters) + "…" : text
    }

    // MARK: - Members

    /// Kind of a member's text, derived from the name of the member.
    enum Kind {
        case id
        case stamp
        case token
        case plain

        init(_ name: String) {
            let plain = name.lowercased().filter { $0 != "_" }
            if plain == "id" || plain.hasSuffix("id"), plain != "localid" {
                self = .id
            } else if ["timestamp", "absolutetime", "expiry", "connectionexpiry"].contains(plain)
                || plain.hasSuffix("timestamp")
            {
                self = .stamp
            } else if plain.hasSuffix("token") || name == "Url" {
                self = .token
            } else {
                self = .plain
            }
        }
    }

    /// For each place where both values contain a text, calls `body` with the member's name and the two texts.
    static func pairs(
        _ left: JSONValue, _ right: JSONValue, name: String = "", _ body: (String, String, String) -> Void
    ) {
        switch (left, right) {
        case (.string(let left), .string(let right)): body(name, left, right)
        case (.object(let left), .object(let right)):
            for member in left.members {
                if let other = right[member.name] { pairs(member.value, other, name: member.name, body) }
            }
        case (.array(let left), .array(let right)):
            for (left, right) in zip(left, right) { pairs(left, right, name: name, body) }
        default: break
        }
    }
}

/// An event of a server, with the chunks of one message joined.
private struct SentEvent {
    var row: UInt64
    var type: String
    var json: JSONObject
    var text: String
    var isTransient: Bool

    var key: String { type + "\u{0}" + text }
    var shown: String { TalkComparison.shown(.string(text)) }

    static func all(_ events: [RecordedEvent]) -> [SentEvent] {
        var mock: [SentEvent] = []
        var places: [String: Int] = [:]
        for event in events {
            guard case .agentChunk(let chunk)? = event.meanings.first else {
                mock.append(SentEvent(event, text: event.words))
                continue
            }
            let place = places[chunk.messageID] ?? mock.count
            if place == mock.count { mock.append(SentEvent(event, text: "")) }
            places[chunk.messageID] = place
            let (row, text, first) = (mock[place].row, mock[place].text + chunk.text, mock[place].json)
            mock[place] = SentEvent(event, text: text)
            mock[place].row = row
            mock[place].json = mock[place].json.withMissing(from: first)
            // An item of Amazon Connect has its text in `Content`. Other chunks get the joined text as a member to
            // compare.
            if event.json["Content"] == nil { mock[place].json.members.append(.init("text", .string(text))) }
        }
        return mock
    }

    private init(_ event: RecordedEvent, text: String) {
        (row, type, json, isTransient) = (event.row, event.type, event.json, event.isTransient)
        self.text = text
    }

    /// Returns the transient events, without repetitions in direct succession.
    static func collapsed(_ mock: [SentEvent]) -> [SentEvent] {
        var last: String?
        return mock.filter { mock in
            let sender = mock.json["ParticipantId"] ?? mock.json["payload"]?["agent_id"]
            let key = mock.type + (sender?.string ?? "")
            defer { last = mock.isTransient ? key : nil }
            return mock.isTransient && key != last
        }
    }
}

extension JSONObject {
    /// Adds the members that only the other object has, also in objects.
    fileprivate func withMissing(from other: JSONObject) -> JSONObject {
        var result = self
        for member in other.members {
            if let place = members.firstIndex(where: { $0.name == member.name }) {
                if let own = members[place].value.object, let others = member.value.object {
                    result.members[place].value = .object(own.withMissing(from: others))
                }
            } else if member.name != "text" || member.value.string == nil {
                result.members.append(member)
            }
        }
        return result
    }
}

extension RecordedEvent {
    /// Text that distinguishes this event from other events of its type; empty if there is none.
    var words: String {
        switch meanings.first {
        case .userMessage(_, let text)?, .notice(_, .words(let text))?: text
        case .agentMessage(let message)?, .liveAgentMessage(let message, _)?: message.text
        case .agentChunk?: json["Content"]?.string ?? ""
        case .queueStatus(let status)?: "\(status.position ?? 0)"
        case .liveAgentTyping(_, let person)?: person.name
        default: json["ParticipantRole"]?.string ?? ""
        }
    }
}

extension TalkRecording {
    /// Plays the recorded client on a mock with this fixture, in mock time.
    func comparison(with fixture: String) async throws -> TalkComparison {
        var found: TalkComparison?
        let failure = await Mock.failure(of: .played(fixture)) { mock in
            let (endpoint, _) = try RunRecorder.place(of: mock.url)
            let player = TalkPlayer(
                self, over: mock.http, at: endpoint, scenario: mock.line, clock: mock.base)
            try await player.play { patience, condition in
                _ = try await mock.play(within: patience ?? KitLimits.quietTime) {
                    if condition() { return true }
                    return await mock.server.inspect { $0.isQuiet }
                }
            }
            found = TalkComparison(self, player)
        }
        if let failure { throw MockError(failure) }
        guard let found else { throw MockError("nothing could be compared") }
        return found
    }

    /// Sends the recorded client's requests and frames to a server.
    func comparison(
        with endpoint: Endpoint, token: String?, clock: any EventClock = SystemClock()
    ) async throws -> TalkComparison {
        let client = HTTPClient(
            label: "polymock.compare", clock: SystemClock(), seed: UInt64.random(in: .min ... .max),
            unsentBytes: KitLimits.answerBytes)
        let player = TalkPlayer(
            self, over: client, at: endpoint, scenario: token, clock: clock, keepsPace: true)
        let signal = ChangeSignal()
        do {
            try await player.play { patience, condition in
                let end = clock.now + (patience ?? KitLimits.patience)
                while !condition(), clock.now < end {
                    await signal.wait(
                        after: 0, until: min(end, clock.now + KitLimits.lookInterval), on: clock)
                }
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        return TalkComparison(self, player)
    }
}
