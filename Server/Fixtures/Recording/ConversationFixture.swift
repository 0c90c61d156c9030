package import Clocks
package import ConversationEngine
package import Texts

/// Fixture made from the events of a recorded conversation, with a rule for each message of the user.
package struct ConversationFixture: Sendable {
    /// Event of the recording.
    package struct Moment: Sendable {
        package var row: UInt64
        package var time: Instant
        package var event: Event
        /// The event as JSON in the recording.
        package var json: JSONObject

        package init(row: UInt64, time: Instant, event: Event, json: JSONObject) {
            self.row = row
            self.time = time
            self.event = event
            self.json = json
        }

        /// Type and payload with which an `emit` step sends the event; nil if no such step can.
        package var emission: (type: String, payload: JSONValue)? {
            guard let type = json["type"]?.string, let payload = json["payload"] else { return nil }
            return (type, payload)
        }
    }

    package private(set) var text = ""
    /// Sentences about events that were left out or changed.
    package private(set) var notes: [String] = []

    /// Steps of a rule, of the greeting, or of a live agent who has just joined.
    private struct Scope {
        var hears: JSONValue?
        var steps: [JSONValue] = []
    }

    private struct Person {
        var queue: String?
        var hasQueue = false
        var positions: [Int] = []
        var times: [Instant] = []
        var waitPerPlace: Interval?
        var outcome = "joins"
        var members: JSONObject = [:]
        var profile: SpeakerProfile?
        /// The first scope has the steps before the user's first message to the live agent. Each other scope is a rule.
        var scopes = [Scope()]
    }

    private let keepsCuts: Bool
    private let lacksReceipts: Bool
    private var scopes = [Scope()]
    private var handoffs: [Person] = []
    private var place: (handoff: Int?, scope: Int) = (nil, 0)
    private var waiting: Int?
    private var present: Int?
    private var isDeparted = false
    private var agent: SpeakerProfile?
    private var session: JSONObject = [:]
    private var talk: [JSONValue] = []
    private var isTalkOver = false
    /// Time from which the next pause is measured: the end of the last step, a message of the user, or a join.
    private var last: Instant?
    /// Time at which the present speaker began to think.
    private var thinking: Instant?
    private var thinks: [Interval] = []
    private var gaps: [Interval] = []
    /// Time that the agent has to think so that the user can speak meanwhile, as recorded.
    private var leastThink = Interval.zero
    private var people: [String] = []
    private var emittedIDs: [String] = []
    private var hasAnswers = false

    /// - Parameters:
    ///   - moments: the server's events, in order.
    ///   - name: name of the fixture.
    ///   - source: origin of the recording, for the fixture's description.
    ///   - asksForChunks: whether the client asked for chunks.
    ///   - tokenSeconds: lifetime of access tokens, if known.
    ///   - keepsCuts: writes the chunks that were seen, instead of whole texts.
    ///   - showsTalk: adds the conversation as an example.
    ///   - lacksReceipts: whether a live agent's receipts are missing.
    package init(
        _ moments: [Moment], name: String, source: String, asksForChunks: Bool = false,
        tokenSeconds: Int64? = nil, keepsCuts: Bool = false,
        showsTalk: Bool = true, lacksReceipts: Bool = false
    ) {
        self.keepsCuts = keepsCuts
        self.lacksReceipts = lacksReceipts
        let said = Saying.inTurn(Saying.joined(moments))
        gaps = said.flatMap(\.gaps)
        for (number, saying) in said.enumerated() {
            lift(saying, next: said[(number + 1)...].first { !$0.isPassing }?.source.event)
            if case .sessionStarted(let facts) = saying.source.event, asksForChunks, !facts.isStreaming {
                session.add("streaming", .bool(false))
            }
        }
        if let thinking { settleThinking(at: thinking) }
        // 86,400 seconds, one day, is the default.
        if let tokenSeconds, (1..<86_400).contains(tokenSeconds) {
            session.add("tokenLife", .string("\(tokenSeconds)s"))
        }
        if !showsTalk { hasAnswers = false }
        write(name: name, source: source)
    }

    // MARK: - Events

    private static func addressNote(_ row: UInt64, _ speaker: String) -> String {
        "row \(row): \(speaker) writes an e-mail address or a telephone number; replace it in the fixture if it is a person's"
    }

    private mutating func lift(_ saying: Saying, next: @autoclosure () -> Event?) {
        let row = saying.source.row
        let time = saying.isEarly ? max(last ?? saying.source.time, saying.source.time) : saying.source.time
        if saying.isEarly {
            leastThink = .milliseconds(100)
            notes.append("row \(row): said while the agent composes a message; the fixture hears it after it")
        }
        let event = saying.source.event
        switch event {
        case .sessionStarted(let facts):
            if facts.heartbeatIntervalSeconds != 30 {
                session.add("heartbeat", .string("\(facts.heartbeatIntervalSeconds)s"))
            }
            if facts.maxMessageBytes != SessionStart().maxMessageBytes {
                notes.append(
                    "row \(row): the limit of a message is a setting of the server, not of a fixture")
            }
        case .joinRequested: last = time
        case .agentJoined(let profile): (agent, last) = (agent ?? profile, time)
        case .agentThinking, .liveAgentTyping(.started, _): think(at: time)
        case .liveAgentTyping(.stopped, _), .userTyping, .heartbeat, .idleWarning, .surveyRequested: break
        case .userMessage(_, let text):
            if Saying.hasAddress(text) {
                notes.append(Self.addressNote(row, "the user"))
            }
            hear(Self.hears(text), example: text, at: time)
        case .userFile(let file):
            isTalkOver = true
            hear(.object(["file": .string(file.type)]), example: nil, at: time)
        case .userEnded: isTalkOver = true
        case .agentMessage(let message): say(message, saying, "agent")
        case .liveAgentMessage(let message, _): say(message, saying, "live agent")
        case .agentChunk: break
        case .agentLeft(let reason):
            if waiting == nil, !isDeparted {
                notes.append("row \(row): the agent leaves\(reason.map { ", \($0)" } ?? "")")
            }
        case .handoffTriggered: begin(at: time)
        case .clientHandoffRequired(let reason, let queue, let route):
            begin(at: time)
            change { person in
                person.members = ["mode": .string("client")]
                person.members.add("reason", reason.map { .string($0) })
                person.members.add("route", route.map { .string($0) })
                (person.queue, person.hasQueue, person.outcome) = (queue, queue != nil, "leads elsewhere")
            }
            (waiting, isDeparted) = (nil, true)
        case .handoffAccepted(let queue):
            begin(at: time)
            change { ($0.queue, $0.hasQueue) = (queue, queue != nil) }
        case .queueStatus(let status):
            begin(at: time)
            change { person in
                person.hasQueue = true
                person.queue = person.queue ?? status.queueName
                person.times.append(time)
                guard let position = status.position, position > 0 else { return }
                person.positions.append(position)
                person.waitPerPlace =
                    status.estimatedWaitSeconds.map { .seconds($0 / position) } ?? person.waitPerPlace
            }
            if let position = status.position { show("queue: \(position)") }
        case .handoffFailed(let reason): fail("fails", reason, at: time)
        case .handoffTimedOut(let reason): fail("times out", reason, at: time)
        case .liveAgentJoined(let profile):
            begin(at: time)
            change { person in
                person.times.append(time)
                person.profile = profile
            }
            (present, waiting, last) = (waiting, nil, time)
            place = (present, 0)
        case .liveAgentLeft(let profile, let reason): leave(profile, reason, next(), at: time)
        case .liveAgentStatus(let status, _) where status == .idle || status == .returned:
            add(["presence": .string(status.rawValue)], at: time)
        case .languageChanged(let code) where FixtureCompiler.isLanguage(code):
            add(["language": .string(code)], at: time)
        case .languageChanged: notes.append("row \(row): a language that no fixture takes is left out")
        case .notice(_, .known(let problem, _)):
            add(["system": .string(problem.rawValue)], at: time)
        case .notice(let level, .words(let words)):
            add(
                ["system": .object(["level": .string(level.rawValue), "text": Placeholders.text(words)])],
                at: time)
        case .messageChanged(let change):
            switch change.kind {
            case .text(let text): add(["edit": Placeholders.text(text)], at: time)
            case .deleted: add(["unsend": .bool(true)], at: time)
            case .reaction, .file: break
            }
        case .receipt(let receipt, _):
            switch receipt {
            case .agentRead, .liveAgentRead: add(["receipt": .string("read")], at: time)
            case .agentReceived, .liveAgentReceived: add(["receipt": .string("delivered")], at: time)
            case .userRead, .userReceived: break
            }
        case .sessionEnded(let reason):
            if !isTalkOver { add(["end": .string(reason.rawValue)], at: time) }
            show("end: \(reason.rawValue)")
        case .liveAgentStatus: break
        case .raw("", _): notes.append("row \(row): an event without a type is left out")
        case .raw(let type, let payload):
            let json = (try? JSONReader.read(Array(payload.utf8))) ?? .object([:])
            add(["emit": .object(["type": .string(type), "payload": withoutIDs(json)])], at: time)
        }
    }

    private mutating func think(at time: Instant) {
        if let thinking {
            // A thinking event exactly eight seconds after the last one is the server's repetition, not a step.
            guard time - thinking != .seconds(8) else { return }
            add(["think": RunDecompiler.length((time - thinking).asPause)])
        } else {
            pause(until: time)
        }
        thinking = time
    }

    private mutating func hear(_ hears: JSONValue, example: String?, at time: Instant) {
        settleThinking(at: time)
        last = time
        if let line = RecordedFixture.line(ofUser: example ?? "") { show(line) } else { isTalkOver = true }
        guard waiting == nil, !isDeparted else { return }
        if let present {
            handoffs[present].scopes.append(Scope(hears: hears))
            place = (present, handoffs[present].scopes.count - 1)
        } else {
            scopes.append(Scope(hears: hears))
            place = (nil, scopes.count - 1)
        }
    }

    private mutating func say(_ message: Message, _ saying: Saying, _ speaker: String) {
        let time = saying.source.time
        let parts = message.parts
        let cards = parts.attachments.compactMap(Self.card)
        if cards.count < parts.attachments.count {
            if let (type, payload) = saying.source.emission {
                return add(
                    ["emit": .object(["type": .string(type), "payload": withoutIDs(payload)])], at: time)
            }
            notes.append("row \(saying.source.row): a card whose address no fixture takes is left out")
        }
        if let thinking { thinks.append(time - thinking) } else { pause(until: time) }
        thinking = nil
        var step: JSONObject = [:]
        if keepsCuts, saying.pieces.count > 1 {
            step.add("chunks", .array(saying.pieces.map(Placeholders.text)))
        } else {
            step.add("say", Placeholders.text(message.text))
        }
        if !parts.suggestions.isEmpty { step.add("suggest", .array(parts.suggestions.map(Self.suggestion))) }
        if !cards.isEmpty { step.add("attach", .array(cards)) }
        if !parts.calls.isEmpty {
            step.add(
                "call",
                .array(
                    parts.calls.map {
                        .object([
                            "title": Placeholders.text($0.title), "number": Placeholders.text($0.number),
                        ])
                    }))
        }
        if Saying.hasAddress(([message.text] + parts.calls.map(\.number)).joined(separator: "\n")) {
            notes.append(Self.addressNote(saying.source.row, "the \(speaker)"))
        }
        add(step)
        if !saying.isComplete {
            notes.append("row \(saying.source.row): the reply breaks off; that of the fixture ends")
        }
        if let words = RunDecompiler.words(message.text), !words.hasPrefix("exactly:"),
            words.unicodeScalars.contains(where: { $0.properties.isAlphabetic })
        {
            show("\(speaker): \(words)")
        }
        last = saying.end
    }

    private mutating func leave(
        _ profile: SpeakerProfile, _ reason: String?, _ next: Event?, at time: Instant
    ) {
        switch next {
        case .liveAgentJoined?: begin(at: time)
        case .sessionEnded(.natural)?:
            add(["leave": .string(reason ?? "resolved")], at: time)
            (present, isTalkOver) = (nil, true)
        default:
            add(["giveBack": .string(reason ?? "resolved")], at: time)
            present = nil
        }
    }

    /// Begins a handoff or a transfer, unless one is under way.
    private mutating func begin(at time: Instant) {
        guard waiting == nil else { return }
        handoffs.append(Person())
        waiting = handoffs.count - 1
        add([present == nil ? "handoff" : "transfer": .string("handoff-\(handoffs.count)")], at: time)
    }

    private mutating func change(_ change: (inout Person) -> Void) {
        if let waiting { change(&handoffs[waiting]) }
    }

    private mutating func fail(_ outcome: String, _ reason: String?, at time: Instant) {
        begin(at: time)
        change { person in
            person.times.append(time)
            person.outcome = outcome
            person.members.add("outcome", .string(outcome))
            person.members.add("reason", reason.map { .string($0) })
        }
        (waiting, last) = (nil, time)
    }

    // MARK: - Steps

    private mutating func add(_ step: JSONObject, at time: Instant) {
        settleThinking(at: time)
        pause(until: time)
        add(step)
        last = time
    }

    private mutating func add(_ step: JSONObject) {
        if let handoff = place.handoff {
            handoffs[handoff].scopes[place.scope].steps.append(.object(step))
        } else {
            scopes[place.scope].steps.append(.object(step))
        }
    }

    private mutating func settleThinking(at time: Instant) {
        guard let start = thinking else { return }
        (thinking, last) = (nil, time)
        add(["think": RunDecompiler.length((time - start).asPause)])
    }

    /// Adds the pause since the last step, unless it is shorter than 100 ms.
    private mutating func pause(until time: Instant) {
        guard let last, time - last >= .milliseconds(100) else { return }
        if time - last > FixtureLimits.recordedPause {
            notes.append("a pause of \(ValueSyntax.text(time - last)) is shortened: the clock has jumped")
        }
        add(["wait": RunDecompiler.rounded((time - last).asPause)])
    }

    private mutating func show(_ line: String) {
        let isEnd = line.hasPrefix("end: ")
        guard !isTalkOver || isEnd && line != "end: user" else { return }
        talk.append(.string(line))
        if isEnd { isTalkOver = true }
        if !line.hasPrefix("user: ") { hasAnswers = true }
    }

    /// Returns the payload with new ids in place of the recorded ids.
    private mutating func withoutIDs(_ value: JSONValue, name: String = "") -> JSONValue {
        switch value {
        case .string(let text) where name == "id" || name.hasSuffix("_id"):
            if !emittedIDs.contains(text) { emittedIDs.append(text) }
            return .string("emitted-\((emittedIDs.firstIndex(of: text) ?? 0) + 1)")
        case .array(let items):
            return .array(items.map { withoutIDs($0) })
        case .object(let object):
            return .object(
                JSONObject(object.members.map { .init($0.name, withoutIDs($0.value, name: $0.name)) }))
        default: return value
        }
    }

    /// Returns a matcher for exactly these words: a phrase or a pattern. Returns `*` for empty and for very long texts.
    private static func hears(_ words: String) -> JSONValue {
        guard words.utf8.count <= FixtureLimits.phraseBytes / 2 else { return .string("*") }
        if RecordedFixture.hasWords(words), Placeholders.escaped(words) == words {
            return .object(["exactly": .string(words)])
        }
        let special = #"\^$.|?*+()[]{}/"#.unicodeScalars
        let pattern = words.unicodeScalars.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
        return words.isEmpty ? .string("*") : .object(["regex": .string("^\(pattern)$")])
    }

    private static func suggestion(_ suggestion: Suggestion) -> JSONValue {
        var block: JSONObject = ["text": Placeholders.text(suggestion.text)]
        block.add("payload", suggestion.payload.map(Placeholders.text))
        switch suggestion.form {
        case .plain: if suggestion.payload == nil { return Placeholders.text(suggestion.text) }
        case .under(let heading): block.add("under", Placeholders.text(heading))
        case .at(let time, let minutes):
            block.add("time", .string(time))
            block.add("lasts", .string("\(minutes)m"))
        }
        return .object(block)
    }

    private static func card(_ attachment: Attachment) -> JSONValue? {
        let isFile = DataAddress(attachment.url) != nil && attachment.title != nil
        var kind = attachment.kind
        if kind == .link, isFile, !FixtureCompiler.isLink(attachment.url) { kind = .file }
        guard kind == .form || (kind == .file ? isFile : FixtureCompiler.isLink(attachment.url)) else {
            return nil
        }
        var block: JSONObject = [:]
        block.add("title", attachment.title.map(Placeholders.text))
        let link = attachment.url
        block.add(kind.rawValue, kind == .form ? .string(link) : Placeholders.text(link))
        block.add("preview", attachment.preview.map(Placeholders.text))
        block.add("button", attachment.button.map(Placeholders.text))
        return .object(block)
    }

    // MARK: - The file

    private mutating func write(name: String, source: String) {
        var top: JSONObject = ["fixture": .integer(1), "name": .string(name)]
        let turns = Counted.text(
            scopes.count - 1 + handoffs.reduce(0) { $0 + $1.scopes.count - 1 }, "message")
        top.add("about", .string("A conversation with \(turns) of the user, recorded from \(source)."))
        if let agent, !agent.name.isEmpty {
            var block: JSONObject = ["name": .string(agent.name)]
            block.add("avatar", agent.avatar.map { .string($0) })
            top.add("agent", .object(block))
        }
        if !session.members.isEmpty { top.add("session", .object(session)) }
        top.addPace(
            think: RunDecompiler.rounded(max(RunDecompiler.median(thinks)?.asPause ?? .zero, leastThink)),
            every: RunDecompiler.rounded(RunDecompiler.median(gaps)?.asPause ?? .zero))
        if !scopes[0].steps.isEmpty { top.add("greeting", .array(scopes[0].steps)) }
        if scopes.count > 1 { top.add("anywhere", Self.rules(scopes.dropFirst())) }
        if !handoffs.isEmpty {
            top.add(
                "handoffs",
                .object(
                    JSONObject(
                        handoffs.indices.map { .init("handoff-\($0 + 1)", .object(handoff(handoffs[$0]))) })))
        }
        let example = JSONValue.object(["name": .string("As recorded"), "talk": .array(talk)])
        if hasAnswers { top.add("examples", .array([example])) }
        text = (hasAnswers ? "" : "// lint: allow example-missing, no talk to play\n") + JSON5Layout.file(top)
    }

    /// Returns a rule for each message. Rules that match any message (`*`) come last.
    private static func rules(_ scopes: ArraySlice<Scope>) -> JSONValue {
        let rules = scopes.enumerated().map { number, scope -> (isOpen: Bool, JSONValue) in
            let hears = scope.hears ?? .string("*")
            return (
                hears == .string("*"), .rule("turn-\(number + 1)", hears: hears, isOnce: true, scope.steps)
            )
        }
        return .array(rules.filter { !$0.isOpen }.map(\.1) + rules.filter(\.isOpen).map(\.1))
    }

    private mutating func handoff(_ person: Person) -> JSONObject {
        var block = person.members
        if person.hasQueue {
            var queue: JSONObject = [:]
            if let name = person.queue, !name.isEmpty { queue.add("name", .string(name)) }
            if person.outcome != "leads elsewhere" {
                queue.add("positions", .array(person.positions.map { .integer(Int64($0)) }))
            }
            let every = RunDecompiler.median(zip(person.times.dropFirst(), person.times).map { $0 - $1 })
            if !person.positions.isEmpty {
                queue.add("every", RunDecompiler().measured(every?.asPause ?? .zero))
            }
            queue.add("waitPerPlace", person.waitPerPlace.map(RunDecompiler.length))
            block.add("queue", .object(queue))
        }
        guard let profile = person.profile else { return block }
        // Equal recorded ids of live agents become equal new ids.
        if !people.contains(profile.id) { people.append(profile.id) }
        let number = people.firstIndex(of: profile.id).map { $0 + 1 } ?? 1
        let id = "person-\(number)"
        // A fixture takes no empty name.
        let shown = profile.name.isEmpty ? id : profile.name
        var live: JSONObject = ["id": .string(id), "name": .string(shown)]
        live.add("avatar", profile.avatar.map { .string($0) })
        block.add("liveAgent", .object(live))
        if !person.scopes[0].steps.isEmpty { block.add("opens", .array(person.scopes[0].steps)) }
        if person.scopes.count > 1 { block.add("rules", Self.rules(person.scopes.dropFirst())) }
        if lacksReceipts, person.scopes.count > 1 {
            let receipt: JSONValue = .object(["receipt": .string("delivered")])
            block.add("otherwise", .array([.object(["replies": .array([receipt])])]))
        }
        return block
    }
}
