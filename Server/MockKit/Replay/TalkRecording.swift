import Clocks
import ConversationEngine
import DialectKit
import Fixtures
import MockServer
import SocketTransport
import Texts
import Timeline

/// A recorded conversation of the Messaging API or of Amazon Connect chat: JSON lines of the timeline, or HAR.
struct TalkRecording: Sendable {
    /// One act of the client.
    struct Act: Sendable {
        enum Content: Sendable {
            case call(Call)
            /// The query of a WebSocket's request; empty if the request is not recorded.
            case open(String)
            case frame([UInt8])
        }

        var row: UInt64
        var time: Instant
        var content: Content
        var eventsBefore = 0
        /// Pause since the last event or act before this act (``Interval/asPause``). Zero before the first event.
        var delay = Interval.zero

        /// Whether the client itself shows in the act, and not only its connection.
        var isClients: Bool {
            switch content {
            case .frame(let frame): !String(decoding: frame.prefix(200), as: UTF8.self).holds("aws/subscribe")
            case .call(let call): ["/message", "/event", "/disconnect"].contains { call.path.hasSuffix($0) }
            case .open: false
            }
        }
    }

    /// A request and its answer. Secrets in both are masked.
    struct Call: Sendable {
        var method: String
        var target: String
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        var status: Int?
        var answer: [UInt8] = []

        var path: String { String(target.prefix { $0 != "?" }) }
    }

    private(set) var acts: [Act] = []
    private(set) var events: [RecordedEvent] = []
    /// Whether the conversation is a contact of Amazon Connect.
    private(set) var isContact = false
    /// The stored events, each message at its first chunk.
    private(set) var counted: [RecordedEvent] = []
    /// Messages for the user about rows of the file that are left out.
    private(set) var notes: [String] = []

    /// Returns each note as a line that begins with the file's name. If a note names a row, one more line says what a
    /// row is.
    static func shown(_ notes: [String], of file: String) -> [String] {
        let hasRows = notes.contains { $0.hasPrefix("row ") }
        let rows = hasRows ? ["a row is a line, request or frame of the recording"] : []
        return (notes + rows).map { "\(file): \($0)" }
    }

    /// Number of first rows in which the ids of sessions are searched.
    static let searched = 10_000
    /// Paths of the Messaging API's requests that belong to a conversation.
    static let messagingPaths = ["/access-token", "/sessions"]
    /// Paths of Amazon Connect's requests that belong to a conversation.
    static let contactPaths = [
        "/contact/chat", "/participant/connection", "/participant/message", "/participant/event",
        "/participant/transcript", "/participant/disconnect",
    ]

    /// Reads the session whose id begins with `session`, or the first conversation of the file.
    init(_ bytes: [UInt8], fileName: String, session: String? = nil) throws {
        try self.init(Self.rows(bytes, fileName), fileName: fileName, session: session)
    }

    /// Reads an exported timeline or a HAR file.
    static func rows(_ bytes: [UInt8], _ fileName: String) throws -> [Row] {
        do throws(ImportError) {
            return try TimelineImport.rows(bytes)
        } catch {
            throw MockError("\(fileName): \(error)")
        }
    }

    init(_ rows: consuming [Row], fileName: String, session: String? = nil) throws {
        Self.nameSessions(in: &rows)
        var talks: [String] = []
        // Indices instead of rows, because copies of 100,000 rows take as long as reading them.
        for place in rows.indices where rows[place].kind == .ws && rows[place].direction == .outbound {
            if rows[place].session == talks.last || talks.contains(rows[place].session) { continue }
            talks.append(rows[place].session)
        }
        let wanted = talks.filter { $0.hasPrefix(session ?? "") }
        // Prefers a session with known events: a web page may also use WebSockets of other services.
        let known = rows.first { row in
            row.kind == .ws && wanted.contains(row.session) && !Server.recorded([row]).isEmpty
        }
        guard let chosen = known?.session ?? wanted.first else {
            let what = session.map { "no session \($0) has" } ?? "there are no"
            throw MockError(
                "\(fileName): \(what) WebSocket messages in this recording; Chrome, mitmproxy and Proxyman keep"
                    + " them in HAR files, Firefox and Safari do not")
        }
        let introduction = chosen.isEmpty ? [] : Self.introduction(of: chosen, in: rows)
        var cut = 0
        rows.removeAll { row in
            guard row.session == chosen || row.session.isEmpty && introduction.contains(row.number) else {
                return true
            }
            cut += row.isCut ? 1 : 0
            return row.isCut
        }
        for place in rows.indices { rows[place].raw = Secrets.masked.applied(to: rows[place].raw) }
        if cut > 0 { notes.append("\(Counted.text(cut, "row")) left out as shortened") }
        let others = talks.count - 1
        if others > 0 {
            notes.append("\(Counted.text(others, "other session")) left out; --session picks one")
        }
        events = Server.recorded(rows)
        guard !events.isEmpty else {
            throw MockError("\(fileName): the WebSocket messages are of no protocol that is known here")
        }
        isContact = events.contains { $0.json["AbsoluteTime"] != nil }
        if let row = sortChunks(in: &rows) {
            events = Server.recorded(rows)
            notes.append("row \(row): the chunks of a message come in disorder, and are read in their order")
        }
        leaveOtherSessions(&rows)
        noteGaps(rows)
        readActs(rows)
    }

    /// Notes messages of the server that are no JSON, and a beginning that is not recorded.
    private mutating func noteGaps(_ rows: [Row]) {
        let known = Set(events.lazy.map(\.row))
        for row in rows where row.kind == .ws && row.direction == .outbound && !known.contains(row.number) {
            guard (try? JSONReader.read(row.raw, manner: .lenient)) == nil else { continue }
            notes.append("row \(row.number): a WebSocket message that is no JSON is left out")
        }
        switch events.first(where: { !$0.isTransient })?.meanings.first {
        case .sessionStarted?, .joinRequested?: break
        default:
            notes.append("row \(events[0].row): the recording begins in the middle of the conversation")
        }
    }

    /// Puts the chunks of each message in the order of their numbers by exchanging their frames. Returns the row number
    /// of the first frame that was moved; nil if none was.
    private func sortChunks(in rows: inout [Row]) -> UInt64? {
        var chunks: [String: [(row: UInt64, index: Int)]] = [:]
        for event in events {
            guard case .agentChunk(let chunk)? = event.meanings.first, chunk.index > 0 || !chunk.isComplete
            else { continue }
            chunks[chunk.messageID, default: []].append((event.row, chunk.index))
        }
        var sources: [UInt64: UInt64] = [:]
        for chunks in chunks.values {
            for (place, chunk) in zip(chunks, chunks.sorted { $0.index < $1.index })
            where place.row != chunk.row {
                sources[place.row] = chunk.row
            }
        }
        guard let first = sources.keys.min() else { return nil }
        let frames = Dictionary(rows.map { ($0.number, $0.raw) }) { first, _ in first }
        for place in rows.indices {
            if let raw = sources[rows[place].number].flatMap({ frames[$0] }) { rows[place].raw = raw }
        }
        return first
    }

    /// Removes the rows and events from the start of a second session in the same WebSocket onwards.
    private mutating func leaveOtherSessions(_ rows: inout [Row]) {
        let starts = events.filter { if case .sessionStarted? = $0.meanings.first { true } else { false } }
        if starts.count > 1 {
            let row = starts[1].row
            rows.removeAll { $0.number >= row }
            events.removeAll { $0.row >= row }
            notes.append("row \(row): another session begins in this WebSocket; left out from here on")
        }
        guard isContact else { return }
        // After a transfer to another contact flow, only the id of the first contact stays.
        func contact(_ event: RecordedEvent) -> JSONValue? {
            event.json["InitialContactId"] ?? event.json["ContactId"]
        }
        let own = events.lazy.compactMap(contact).first
        func isOther(_ event: RecordedEvent) -> Bool { contact(event).map { $0 != own } ?? false }
        guard let first = events.first(where: isOther) else { return }
        events.removeAll(where: isOther)
        notes.append("row \(first.row): another contact in this WebSocket; its events are left out")
    }

    init(file: String, session: String? = nil) throws {
        guard let bytes = Files.read(file, atMost: KitLimits.recordingBytes) else {
            throw MockError("the file \(file) cannot be read; check that it exists and is no folder")
        }
        try self.init(bytes, fileName: file, session: session)
    }

    private mutating func readActs(_ rows: [Row]) {
        var places: [String: Int] = [:]
        for event in events where !event.isTransient {
            guard case .agentChunk(let chunk)? = event.meanings.first else {
                counted.append(event)
                continue
            }
            if chunk.index == 0, chunk.isComplete {
                counted.append(event)
            } else if let place = places[chunk.messageID] {
                if case .agentChunk(let last)? = counted[place].meanings.first, chunk.index > last.index + 1 {
                    notes.append("row \(event.row): a chunk of this message is missing before it")
                }
                let row = counted[place].row
                counted[place] = event
                counted[place].row = row
            } else {
                places[chunk.messageID] = counted.count
                counted.append(event)
            }
        }
        var opened: Set<UInt32> = []
        var pending: [(socket: UInt32, type: String, act: Int)] = []
        let paths = isContact ? Self.contactPaths : Self.messagingPaths
        var before = 0
        var last: (raw: [UInt8], time: Instant)?
        for row in rows {
            while before < counted.count, counted[before].row < row.number { before += 1 }
            func act(_ content: Act.Content) -> Act {
                Act(row: row.number, time: row.time, content: content, eventsBefore: before)
            }
            switch (row.kind, row.direction) {
            case (.ws, _):
                if opened.insert(row.socket).inserted { acts.append(act(.open(""))) }
                guard row.direction == .inbound, !row.isSignOfLife else { continue }
                // A frame that was recorded twice has one stamp.
                if let last, last == (row.raw, row.time) { continue }
                last = (row.raw, row.time)
                acts.append(act(.frame(row.raw)))
            case (.rest, .inbound):
                guard let call = Call(row.raw) else { continue }
                if call.path.hasSuffix("/ws") {
                    opened.insert(row.socket)
                    acts.append(act(.open(String(call.target.drop { $0 != "?" }))))
                } else if paths.contains(where: { call.path.hasSuffix($0) }) {
                    pending.append((row.socket, row.type, acts.count))
                    acts.append(act(.call(call)))
                }
            case (.rest, .outbound):
                guard
                    let place = pending.firstIndex(where: { ($0.socket, $0.type) == (row.socket, row.type) }),
                    case .call(var call) = acts[pending[place].act].content
                else { continue }
                call.status = row.status
                call.answer = HTTPText(row.raw).map { Array(row.raw[$0.bodyStart...]) } ?? row.raw
                acts[pending.remove(at: place).act].content = .call(call)
            default: break
            }
        }
        if !acts.contains(where: \.isClients) {
            if isContact { notes.append("its requests are not recorded; read from the items of the user") }
            addActs()
        }
        settleOrder()
    }

    /// Adds the client's acts that echoes show, for a recording without the client's side.
    private mutating func addActs() {
        for (number, event) in counted.enumerated() {
            var json: JSONObject = ["type": event.json["type"] ?? .null, "payload": .object([:])]
            var path = "/participant/disconnect"
            switch event.meanings.first {
            case .joinRequested? where !isContact, .userEnded? where !isContact: break
            case .userMessage(_, let text)?:
                json = ["type": event.json["type"] ?? .null, "payload": .object(["text": .string(text)])]
                if let metadata = event.json["metadata"] { json.members.append(.init("metadata", metadata)) }
                guard isContact else { break }
                json = ["ContentType": .string(event.type), "Content": .string(text)]
                path = "/participant/message"
            case .userEnded?: json = [:]
            default: continue
            }
            let body = JSONWriter.bytes(.object(json))
            let fields = [("Content-Type", "application/json")]
            let call = Call(method: "POST", target: path, fields: fields, body: body)
            acts.append(
                Act(
                    row: event.row, time: event.time, content: isContact ? .call(call) : .frame(body),
                    eventsBefore: number))
        }
        let hasFrames = acts.contains { if case .frame = $0.content { true } else { false } }
        for opening in acts where isContact && !hasFrames {
            guard case .open = opening.content else { continue }
            var subscription = opening
            subscription.content = .frame(
                Array(#"{"topic":"aws/subscribe","content":{"topics":["aws/chat"]}}"#.utf8))
            acts.append(subscription)
        }
        acts.sort { $0.row < $1.row }
    }

    /// Places each message of the client before its echo, which shows when the server read it, and measures the pauses
    /// before the acts.
    private mutating func settleOrder() {
        var echoes: [String: Int] = [:]
        for (place, event) in counted.enumerated() {
            switch event.meanings.first {
            case .userMessage?:
                if let id = event.json.localID ?? event.json["Id"]?.string { echoes[id] = place }
            case .userEnded?: echoes[""] = place
            default: break
            }
        }
        var previous: Instant?
        for place in acts.indices {
            let id: String? =
                switch acts[place].content {
                case .frame(let frame) where String(decoding: frame, as: UTF8.self).holds("local_id"):
                    (try? JSONReader.read(frame))?.object?.localID
                case .call(let call):
                    call.path.hasSuffix("/disconnect")
                        ? "" : (try? JSONReader.read(call.answer))?["Id"]?.string
                case .frame, .open: nil
                }
            let count = id.flatMap { echoes[$0] } ?? acts[place].eventsBefore
            acts[place].eventsBefore = count
            if count > 0 {
                let last = max(counted[count - 1].time, previous ?? counted[count - 1].time)
                acts[place].delay = (acts[place].time - last).asPause
            }
            previous = acts[place].time
        }
    }

    /// Name of the customer of a contact.
    var customer: String {
        let own = events.first { $0.json["ParticipantRole"]?.string == "CUSTOMER" }
        return own?.json["DisplayName"]?.string ?? "Customer"
    }

    /// Whether the client asked for replies in chunks. If the request is not recorded, whether the server sends chunks.
    var asksForChunks: Bool {
        for case .call(let call) in acts.lazy.map(\.content) {
            guard let json = try? JSONReader.read(call.body) else { continue }
            if let flag = json["streaming_enabled"]?.bool { return flag }
            if let mode = json["ParticipantConfiguration"]?["ResponseMode"]?.string {
                return mode == "INCREMENTAL"
            }
        }
        for case .sessionStarted(let facts)? in events.lazy.map(\.meanings.first) { return facts.isStreaming }
        return events.contains { if case .agentChunk? = $0.meanings.first { true } else { false } }
    }

    /// Lifetime of the access token in seconds; nil if unknown.
    private var tokenSeconds: Int64? {
        for case .call(let call) in acts.lazy.map(\.content) where call.path.hasSuffix("/access-token") {
            return (try? JSONReader.read(call.answer))?["expires_in"]?.integer
        }
        return nil
    }

    /// Returns the conversation as a fixture. The example that plays the conversation is left out if it fails.
    func playable(
        name: String, source: String, keepsCuts: Bool = false, showsTalk: Bool = true
    ) -> (fixture: ConversationFixture, compiled: CompiledFixture) {
        let made = fixture(name: name, source: source, keepsCuts: keepsCuts, showsTalk: showsTalk)
        let compiled = FixtureLoader.compile(recorded: made.text)
        guard showsTalk, compiled.rehearsed().findings.contains(where: { $0.code == .exampleFails }) else {
            return (made, compiled)
        }
        return playable(name: name, source: source, keepsCuts: keepsCuts, showsTalk: false)
    }

    /// Returns the conversation as a fixture. With `showsTalk`, the fixture has an example that plays the conversation.
    func fixture(
        name: String, source: String, keepsCuts: Bool = false, showsTalk: Bool = true
    ) -> ConversationFixture {
        ConversationFixture(
            moments, name: name, source: source, asksForChunks: asksForChunks, tokenSeconds: tokenSeconds,
            keepsCuts: keepsCuts, showsTalk: showsTalk,
            lacksReceipts: isContact
                && !events.contains { $0.json["MessageMetadata"] != nil && $0.isTransient })
    }

    /// The events as moments of a fixture.
    private var moments: [ConversationFixture.Moment] {
        var said: [String: Int] = [:]
        for act in acts {
            switch act.content {
            case .frame(let frame): if let text = Self.text(frame) { said[text, default: 0] += 1 }
            case .call(let call): if let text = Self.text(call.body) { said[text, default: 0] += 1 }
            case .open: break
            }
        }
        let knowsClient = !said.isEmpty
        let hasThinking = events.contains { $0.meanings == [.agentThinking] }
        var (isHistory, isThought, hasMetadata) = (false, false, false)
        var moments: [ConversationFixture.Moment] = []
        var reopenings = reopenings[...]
        // Row of the first events after the client came back. The thinking before them is lost.
        var regained: UInt64?
        for event in events {
            var isOdd = false
            while let next = reopenings.first, next < event.row {
                (regained, isThought) = (event.row, true)
                reopenings.removeFirst()
            }
            switch event.meanings.first {
            case .userMessage(_, let text)? where knowsClient || !isContact:
                isOdd = knowsClient || hasJoinAlone ? said[text, default: 0] == 0 : false
                if !isOdd { said[text, default: 0] -= 1 }
                (isHistory, hasMetadata) = (isOdd, event.json["metadata"] != nil)
            case .agentThinking?, .liveAgentTyping?: isThought = true
            case .agentMessage?, .liveAgentMessage?:
                isOdd = !isThought && (hasThinking || isHistory)
                isThought = event.row == regained
            case .agentChunk?: isThought = event.row == regained
            case .notice(.error, _)?: isOdd = hasMetadata && event.json["metadata"] == nil
            default: break
            }
            for meaning in event.meanings {
                var moment = ConversationFixture.Moment(
                    row: event.row, time: event.time, event: meaning, json: event.json)
                if isOdd, let emission = moment.emission {
                    let payload = String(decoding: JSONWriter.bytes(emission.payload), as: UTF8.self)
                    moment.event = .raw(type: emission.type, payload: payload)
                }
                moments.append(moment)
            }
        }
        return moments
    }

    /// Rows in which the client opened another WebSocket for the same conversation.
    var reopenings: [UInt64] {
        let opened = acts.filter { if case .open = $0.content { true } else { false } }
        return opened.dropFirst().map(\.row)
    }

    /// Whether the recording contains WebSocket frames of the client.
    private var hasJoinAlone: Bool {
        acts.contains { if case .frame = $0.content { true } else { false } }
    }

    /// Returns the user's text in a frame or request of the client. Nil if it contains none.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard let json = try? JSONReader.read(bytes) else { return nil }
        return json["payload"]?["text"]?.string ?? json["Content"]?.string
    }
}

extension TalkRecording.Call {
    fileprivate init?(_ raw: [UInt8]) {
        guard let text = HTTPText(raw) else { return nil }
        let words = text.words
        guard words.count > 1 else { return nil }
        self.init(
            method: words[0], target: words[1], fields: text.headers, body: Array(raw[text.bodyStart...]))
    }
}

extension RecordedEvent {
    /// Whether a server that sends the event has sent one of ``TalkRecording/counted``.
    var isCounted: Bool {
        if case .agentChunk(let chunk)? = meanings.first, !chunk.isComplete { return false }
        return !isTransient
    }
}

extension Row {
    /// Whether a frame only keeps the connection alive.
    fileprivate var isSignOfLife: Bool {
        let text = String(decoding: raw.prefix(80).map { $0 | 0x20 }, as: UTF8.self)
        return text.holds("heartbeat") || text.holds("aws/ping")
    }
}

extension JSONObject {
    /// The id that a client of the Messaging API gives its message, for the echo.
    fileprivate var localID: String? { self["metadata"]?["custom"]?["local_id"]?.string }
}
