import Clocks
import ConversationEngine
import Expectations
import Testing

@Suite("Journal and sequence numbers")
struct JournalTests {
    /// One event of each kind.
    static func event(_ kind: EventKind) -> Event {
        let profile = SpeakerProfile(id: "p", name: "P")
        switch kind {
        case .sessionStarted: return .sessionStarted(SessionStart())
        case .joinRequested: return .joinRequested
        case .agentJoined: return .agentJoined(profile)
        case .agentThinking: return .agentThinking
        case .userMessage: return .userMessage(id: "m", text: "t")
        case .userFile: return .userFile(UserFile(name: "f", type: "text/plain", byteCount: 1))
        case .messageChanged: return .messageChanged(MessageChange("m", .deleted))
        case .userTyping: return .userTyping(.started)
        case .userEnded: return .userEnded
        case .heartbeat: return .heartbeat
        case .agentMessage: return .agentMessage(Message(id: "m", text: "t"))
        case .agentChunk: return .agentChunk(Chunk(messageID: "m", index: 1, isComplete: true, text: "t"))
        case .agentLeft: return .agentLeft(reason: nil)
        case .handoffTriggered: return .handoffTriggered
        case .clientHandoffRequired: return .clientHandoffRequired(reason: nil, queueName: nil, route: nil)
        case .handoffAccepted: return .handoffAccepted(queueName: nil)
        case .queueStatus: return .queueStatus(QueueStatus(position: 1))
        case .handoffFailed: return .handoffFailed(reason: nil)
        case .handoffTimedOut: return .handoffTimedOut(reason: nil)
        case .liveAgentJoined: return .liveAgentJoined(profile)
        case .liveAgentTyping: return .liveAgentTyping(.started, profile)
        case .liveAgentMessage: return .liveAgentMessage(Message(id: "m", text: "t"), profile)
        case .liveAgentLeft: return .liveAgentLeft(profile, reason: nil)
        case .liveAgentStatus: return .liveAgentStatus(.idle, profile)
        case .languageChanged: return .languageChanged(code: "de")
        case .notice: return .notice(.info, .words("w"))
        case .idleWarning: return .idleWarning
        case .receipt: return .receipt(.userRead, messageID: "m")
        case .surveyRequested: return .surveyRequested(title: "t", question: "q")
        case .sessionEnded: return .sessionEnded(.natural)
        case .raw: return .raw(type: "T", payload: "{}")
        }
    }

    /// The right column of the table in 3.5.
    static let transient: Set<EventKind> = [
        .heartbeat, .userTyping, .agentThinking, .liveAgentTyping, .liveAgentStatus, .notice, .idleWarning,
        .receipt, .surveyRequested,
    ]

    @Test(
        "The packed echo of a user's message reads like the event that it is made of",
        arguments: [
            ("", nil), ("Hi", nil), ("Hé 🙂", "{\"local_id\":\"1\"}"), ("x", ""),
            (String(repeating: "x", count: 106), nil), (String(repeating: "x", count: 107), nil),
            (String(repeating: "é", count: 50), "{}"),
        ] as [(String, String?)])
    func packed(_ text: String, _ metadata: String?) throws {
        let (time, cause) = (Instant(secondsSince1970: 5), Cause(mark: 7, part: .silence))
        for id: MessageID in [MessageID("msg_u_", 0xAB), MessageID("", 1), "m-1"] {
            let event = Event.userMessage(id: id, text: text)
            func entry(by pusher: String?) -> JournalEntry {
                JournalEntry(
                    sequence: 3, id: UniqueID(high: 1, low: 2), time: time, event: event, metadata: metadata,
                    pushedBy: pusher, cause: cause)
            }
            let (said, pushed) = (entry(by: nil), entry(by: "Ada"))
            #expect(said.event == event && said.metadata == metadata && said.kind == .userMessage)
            #expect(said.sequence == 3 && said.id == pushed.id && said.time == time && said.cause == cause)
            #expect(said.author == .client && pushed.author == .pushed(by: "Ada") && said != pushed)
            #expect(pushed.event == event && pushed.metadata == metadata && said == entry(by: nil))
            let (object, places, words): (AnyObject, JournalEntry.SaidPlaces, [UInt8])
            switch said.values {
            case .said(let message):
                (object, places, words) = (
                    message, message.places, message.words.withUnsafeBytes { Array($0) }
                )
            case .long(let message): (object, places, words) = (message, message.places, message.words)
            case .event:
                expectEqual(id.text, "m-1")
                continue
            }
            let size = places.text.lowerBound + text.utf8.count + (metadata?.utf8.count ?? 0)
            expectEqual(object is JournalEntry.LongMessage, size > InlineBytes.capacity)
            let written = String(unsafeUninitializedCapacity: places.idBytes) { room in
                words.withUnsafeBytes { places.writeID(of: $0, to: UnsafeMutableRawBufferPointer(room)) }
            }
            expectEqual(written, id.text)
            expectEqual(String(decoding: words[places.text], as: UTF8.self), text)
            expectEqual(places.customMetadata.map { String(decoding: words[$0], as: UTF8.self) }, metadata)
            expectEqual(JournalEntry(object), said)
        }
        let event = JournalEntry(sequence: nil, id: UniqueID(high: 1, low: 2), time: time, event: .heartbeat)
        if case .event(let contents) = event.values { expectEqual(JournalEntry(contents), event) }
        expectEqual(JournalEntry(Unrelated()), nil)
    }

    private final class Unrelated {}

    @Test("The ordinal of a kind is its place among all kinds")
    func ordinals() {
        expectEqual(EventKind.allCases.map(\.ordinal), Array(EventKind.allCases.indices))
    }

    @Test("Each kind of event names itself", arguments: EventKind.allCases)
    func kinds(_ kind: EventKind) {
        expectEqual(Self.event(kind).kind, kind)
    }

    /// protocol.md#what-is-transient
    @Test("Each kind is journaled or transient as the table says", arguments: EventKind.allCases)
    func journaled(_ kind: EventKind) throws {
        var talk = try Talk(.plain)
        talk.connect()
        talk.push(Self.event(kind))
        let entry = try #require(talk.received().last)
        expectEqual(entry.event, Self.event(kind))
        expectEqual(entry.sequence, Self.transient.contains(kind) ? nil : 2)
        expectEqual(talk.journal.count, Self.transient.contains(kind) ? 1 : 2)
        guard talk.connect(2) else { return expectEqual(kind, .sessionEnded) }
        expectEqual(talk.received(2), talk.journal)
    }

    @Test("Every kind's journaling can be turned round", arguments: EventKind.allCases)
    func journalingOption(_ kind: EventKind) throws {
        var options = EngineOptions()
        options.journaling[kind] = Self.transient.contains(kind)
        var talk = try Talk(.plain, options: options)
        talk.connect()
        let before = talk.journal.count
        talk.push(Self.event(kind))
        let entry = try #require(talk.received().last)
        expectEqual(entry.event, Self.event(kind))
        expectEqual(entry.sequence, Self.transient.contains(kind) ? UInt64(before) + 1 : nil)
    }

    /// protocol.md#told-to-the-sender
    @Test("What only its sender is told is never numbered, whatever the setting")
    func privateEventsStayTransient() throws {
        var options = EngineOptions()
        options.journaling[.heartbeat] = true
        options.journaling[.notice] = true
        var talk = try Talk.joined(.plain, options: options)
        talk.send(.heartbeat)
        talk.send(.refused(.unknownEvent, detail: nil))
        #expect(talk.received().suffix(2).allSatisfy { $0.sequence == nil })
        expectEqual(talk.journal.count, 4)
    }

    @Test("Raw events of some types can be sent without a number")
    func transientRawTypes() throws {
        var script = Script.plain
        script.greeting = [
            Step(.emit(type: "A", payload: "{}")), Step(.emit(type: "B", payload: #"{"b":1}"#)),
        ]
        var options = EngineOptions()
        options.transientRawTypes = ["A"]
        let talk = try Talk.joined(script, options: options)
        expectEqual(talk.lines(1).suffix(2), ["- RAW A", "4 RAW B"])
        expectEqual(talk.journal.last?.event, .raw(type: "B", payload: #"{"b":1}"#))
    }

    /// protocol.md#sequence-numbers
    @Test("Sequences start at 1 and have no gaps, whatever happens in between", arguments: 0..<20)
    func gapless(seed: Int) throws {
        var talk = try Talk.joined(try Script.tour(), isStreaming: seed % 2 == 0)
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<30 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: talk.say("pool")
            case 1: talk.say("person")
            case 2: talk.send(.heartbeat)
            case 3: talk.send(.refused(.unknownEvent, detail: nil))
            case 4: talk.say("manager")
            case 5: talk.send(.join(greeting: nil))
            default: talk.wait(.milliseconds(Int64.random(in: 0..<900, using: &random)))
            }
        }
        expectEqual(talk.journal.map(\.sequence), (1...UInt64(talk.journal.count)).map { $0 })
        expectEqual(talk.wire.told.filter { $0.sequence != nil }, talk.journal)
        let times = talk.wire.told.map(\.time)
        expectEqual(times, times.sorted())
        expectEqual(Set(talk.wire.told.map(\.id)).count, talk.wire.told.count)
    }

    /// protocol.md#metadata-echo
    @Test("Metadata of a client event is kept in the journal with its echo, and on nothing else")
    func metadata() throws {
        var talk = try Talk(.plain)
        talk.connect()
        talk.send(.join(greeting: nil), metadata: "J")
        talk.say("Hi", metadata: "M")
        talk.wait(.seconds(2))
        talk.send(.end, metadata: "E")
        expectEqual(talk.journal.compactMap(\.metadata), ["J", "M", "E"])
        expectEqual(
            talk.journal.filter { $0.metadata != nil }.map(\.event.kind),
            [
                .joinRequested, .userMessage, .userEnded,
            ])
        expectEqual(talk.wire.told.compactMap(\.metadata).count, 3)
    }

    /// protocol.md#error-follows-echo
    @Test("Scripted errors carry the metadata of the message that they answer, other notices do not")
    func noticeMetadata() throws {
        var script = Script.plain
        script.otherwise = [
            anything(
                .system(.error, .known(.notForwarded)), .system(.error, .template(template("no {message}"))),
                .system(.info, .template(template("fine"))))
        ]
        var talk = try Talk.joined(script)
        talk.say("x", metadata: "M")
        let notices = talk.received().suffix(3)
        expectEqual(notices.map(\.line), ["- error not forwarded", "- error no x", "- info fine"])
        expectEqual(notices.map(\.metadata), ["M", "M", nil])
    }

    /// protocol.md#event-session-start
    @Test("The start tells the server's facts, the session's streaming, and the script's heartbeat")
    func facts() throws {
        var options = EngineOptions()
        options.facts = SessionStart(
            maxMessageBytes: 99, maxReconnectAttempts: 3, heartbeatIntervalSeconds: 11)
        var script = Script.plain
        func facts(_ isStreaming: Bool) throws -> SessionStart? {
            guard
                case .sessionStarted(let facts)? = try Talk(
                    script, isStreaming: isStreaming, options: options
                ).journal.first?.event
            else { return nil }
            return facts
        }
        var expected = options.facts
        try expectEqual(facts(false), expected)
        expected.isStreaming = true
        try expectEqual(facts(true), expected)
        script.session.heartbeat = .seconds(45)
        expected.heartbeatIntervalSeconds = 45
        try expectEqual(facts(true), expected)
        script.session.streaming = false
        expected.isStreaming = false
        try expectEqual(facts(true), expected)
    }

    @Test("A full journal ends the session with its last entry", arguments: [2, 3, 4, 5, 6, 9] as [Int])
    func maxJournalEntries(_ limit: Int) throws {
        var options = EngineOptions()
        options.maxJournalEntries = limit
        var talk = try Talk.joined(.plain, isStreaming: true, options: options)
        for _ in 0..<4 where !talk.hasEnded { talk.ask("one two three four five six") }
        expectEqual(talk.journal.count, limit)
        expectEqual(talk.journalLines.last, "\(limit) SESSION_END natural")
        #expect(talk.notes.contains(.ignored(reason: "the journal is full")))
    }
}
