import Clocks
import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing

@Suite("The pack of fixtures")
struct PackTests {
    /// Names that checks of chat clients rely on, but for those that need extensions.
    static let scenarios = [
        "hello", "quiet", "stream-long", "stream-slow", "suggest", "rich", "xss", "handoff-ok",
        "handoff-fail", "handoff-timeout", "handoff-client", "idle", "history-500", "chatter", "rtl",
    ]
    static let demonstrations = [
        "webchat", "booking", "support-desk", "storyteller", "shop", "greeter", "bank", "pizza", "errors",
        "concierge", "weather", "refunds", "mishaps",
    ]

    @Test("It has the scenarios that checks rely on, and the demonstrations")
    func names() throws {
        try expectEqual(ShippedFixturesTests.names(), (Self.scenarios + Self.demonstrations).sorted())
    }

    @Test(
        "Each says what it is about, has comments, and passes its examples",
        arguments: scenarios + demonstrations)
    func isClean(name: String) throws {
        let fixture = try ShippedFixturesTests.compile(name).rehearsed()
        expectEqual(fixture.findings.map(\.description), [])
        expectEqual(fixture.script?.about.isEmpty, false)
        #expect(!fixture.examples.isEmpty)
        let text = try Samples.text("fixtures/\(name).json5")
        #expect(text.contains("// "), "no comment for its editors")
    }

    @Test("Examples make every rule answer; the worked example shows fewer")
    func coverage() throws {
        for name in Self.scenarios + Self.demonstrations where name != "booking" {
            let coverage = try #require(try ShippedFixturesTests.compile(name).coverage())
            expectEqual(coverage.entries.filter { !$0.isExercised }.map(\.name), [], "\(name)")
        }
    }

    @Test("Its lines fit a wide window, and it fits into the binary")
    func sizes() throws {
        var sum = 0
        for name in Self.scenarios + Self.demonstrations {
            let text = try Samples.text("fixtures/\(name).json5")
            sum += text.utf8.count
            let longest = text.split(separator: "\n").map(\.count).max() ?? 0
            #expect(longest <= 180, "\(name)")
        }
        #expect(sum < 200_000)
    }
}

/// One session of a shipped fixture: what is told, and when after the join.
private struct Playing {
    var engine = ConversationEngine()
    let start = Instant(secondsSince1970: 1_768_469_400)
    var now: Instant
    var handle: SessionHandle
    var told: [(after: Interval, event: Event)] = []

    init(_ name: String, isStreaming: Bool = false) throws {
        let script = try #require(try ShippedFixturesTests.compile(name).script)
        now = start
        var effects: [Effect] = []
        let opened = engine.open(
            ConversationEngine.Opening(script: script, isStreaming: isStreaming, seed: 7), at: now,
            into: &effects)
        handle = try #require(opened).handle
        _ = engine.attach(
            ConnectionID(1), to: handle, cursor: 0, firstFrameAt: now, at: now, into: &effects)
        send(.join(greeting: nil))
    }

    mutating func send(_ word: ClientInput.Word) {
        var effects: [Effect] = []
        engine.handle(ClientInput(word), from: ConnectionID(1), in: handle, at: now, into: &effects)
        take(effects)
    }

    mutating func wait(_ interval: Interval) {
        let target = now + interval
        while let due = engine.nextDeadline, due <= target {
            now = max(now, due)
            var effects: [Effect] = []
            engine.advance(to: now, into: &effects)
            take(effects)
        }
        now = target
    }

    private mutating func take(_ effects: [Effect]) {
        for case .deliver(_, let entry, _) in effects { told.append((now - start, entry.event)) }
    }

    var kinds: [EventKind] { told.map(\.event.kind) }
    var messages: [Message] {
        told.compactMap { if case .agentMessage(let message) = $0.event { message } else { nil } }
    }
    var chunks: [(after: Interval, chunk: Chunk)] {
        told.compactMap { if case .agentChunk(let chunk) = $0.event { ($0.after, chunk) } else { nil } }
    }
}

@Suite("What each scenario plays")
struct ScenarioPackTests {
    @Test("hello thinks for 200 ms, greets, and echoes")
    func hello() throws {
        var playing = try Playing("hello")
        playing.wait(.seconds(1))
        playing.send(.say("Hi"))
        playing.wait(.seconds(1))
        let thinking = try #require(playing.told.first { $0.event == .agentThinking })
        let greeting = try #require(playing.told.first { $0.event.kind == .agentMessage })
        expectEqual(greeting.after - thinking.after, .milliseconds(200))
        expectEqual(playing.messages.map(\.text), ["Hello from Ada", "You said: Hi"])
    }

    @Test("quiet joins and says nothing")
    func quiet() throws {
        var playing = try Playing("quiet")
        playing.send(.say("Hi"))
        playing.wait(.minutes(1))
        expectEqual(playing.kinds, [.joinRequested, .agentJoined, .userMessage])
    }

    @Test("stream-long has 200 chunks, 20 ms apart, and 40 paragraphs")
    func streamLong() throws {
        var playing = try Playing("stream-long", isStreaming: true)
        playing.wait(.seconds(1))
        let before = playing.chunks.count
        playing.send(.say("Go"))
        playing.wait(.seconds(10))
        let chunks = Array(playing.chunks[before...])
        expectEqual(chunks.count, 200)
        for (one, next) in zip(chunks, chunks.dropFirst()) {
            expectEqual(next.after - one.after, .milliseconds(20))
        }
        let text = chunks.map(\.chunk.text).joined()
        // Blank lines also stand inside paragraphs that have a list, a table or code.
        #expect(chunks.filter { $0.chunk.text.hasSuffix("\n\n") || $0.chunk.isComplete }.count >= 40)
        #expect(text.hasSuffix("*The end.*"))
        // Torn apart: marks, a code fence, a link and a family of four.
        for (tear, whole) in [
            ("**ye", "**yellow**"), ("``", "\n```text"), ("he map](htt", "[the map](https://"),
        ] {
            #expect(chunks.contains { $0.chunk.text.hasSuffix(tear) } && text.contains(whole), "\(tear)")
        }
        #expect(chunks.contains { $0.chunk.text.unicodeScalars.first == "\u{200D}" })
    }

    @Test("stream-slow has ten chunks, one second apart")
    func streamSlow() throws {
        var playing = try Playing("stream-slow", isStreaming: true)
        playing.wait(.seconds(1))
        let before = playing.chunks.count
        playing.send(.say("Go"))
        playing.wait(.seconds(20))
        let times = playing.chunks[before...].map(\.after)
        expectEqual(times.count, 10)
        for (one, next) in zip(times, times.dropFirst()) { expectEqual(next - one, .seconds(1)) }
    }

    @Test("suggest offers the three buttons with the greeting and with every reply")
    func suggest() throws {
        var playing = try Playing("suggest")
        playing.wait(.seconds(1))
        playing.send(.say("Opening hours"))
        playing.wait(.seconds(1))
        expectEqual(playing.messages.count, 2)
        for message in playing.messages {
            expectEqual(
                message.parts.suggestions.map(\.text),
                [
                    "Book a table", "Opening hours", "Talk to a person",
                ])
        }
    }

    @Test("rich has three pictures, two cards, two call buttons, and an unknown attachment")
    func rich() throws {
        var playing = try Playing("rich")
        playing.wait(.seconds(2))
        let message = try #require(playing.messages.first)
        expectEqual(message.parts.attachments.map(\.kind), [.image, .image, .image, .link, .link])
        expectEqual(message.parts.calls.map(\.number), ["+44 (0)20-79 46", "+442079460099"])
        for mark in [
            "**bold**", "*slanted*", "`code`", "```swift\n", "- a list", "1. first", "](https://", "<br>",
        ] {
            #expect(message.text.contains(mark), "\(mark)")
        }
        let raw = playing.told.compactMap {
            if case .raw(_, let payload) = $0.event { payload } else { nil }
        }
        #expect(raw.count == 1 && raw[0].contains("ATTACHMENT_CONTENT_TYPE_HOLOGRAM"))
    }

    @Test("xss sends hostile texts, buttons, titles and links")
    func xss() throws {
        var playing = try Playing("xss")
        playing.wait(.seconds(2))
        let text = playing.messages.map(\.text).joined(separator: "\n")
        for hostile in [
            "<script>", "onerror=", "javascript:", "<iframe", "<style>", "\u{202E}", "\u{0}", "{{",
        ] {
            #expect(text.contains(hostile), "\(hostile)")
        }
        #expect(playing.messages.contains { $0.parts.suggestions.contains { $0.text.contains("<script>") } })
        #expect(
            playing.messages.contains {
                $0.parts.attachments.contains { $0.title?.contains("<script>") == true }
            })
        #expect(playing.kinds.contains(.raw))
    }

    @Test("handoff-ok goes through the queue to a live agent, who leaves")
    func handoffJoins() throws {
        var playing = try Playing("handoff-ok")
        playing.wait(.seconds(1))
        playing.send(.say("Help!"))
        playing.wait(.seconds(20))
        playing.send(.say("Thanks"))
        playing.wait(.seconds(5))
        let wanted: [EventKind] = [
            .handoffTriggered, .agentLeft, .handoffAccepted, .queueStatus, .queueStatus, .queueStatus,
            .queueStatus, .queueStatus, .liveAgentJoined, .liveAgentMessage, .userMessage, .liveAgentMessage,
            .liveAgentLeft, .sessionEnded,
        ]
        expectEqual(playing.kinds.drop { $0 != .handoffTriggered }.filter { $0 != .liveAgentTyping }, wanted)
    }

    @Test(
        "handoff-fail and handoff-timeout come back to the agent",
        arguments: [("handoff-fail", EventKind.handoffFailed, 2), ("handoff-timeout", .handoffTimedOut, 4)]
            as [(String, EventKind, Int)])
    func handoffFails(name: String, outcome: EventKind, places: Int) throws {
        var playing = try Playing(name)
        playing.wait(.seconds(1))
        playing.send(.say("Help!"))
        playing.wait(.seconds(30))
        let wanted =
            [EventKind.handoffTriggered, .agentLeft, .handoffAccepted]
            + Array(repeating: .queueStatus, count: places) + [outcome, .agentThinking, .agentMessage]
        expectEqual(Array(playing.kinds.drop { $0 != .handoffTriggered }), wanted)
    }

    @Test("handoff-client asks the client to open another page")
    func handoffClient() throws {
        var playing = try Playing("handoff-client")
        playing.wait(.seconds(1))
        playing.send(.say("Help!"))
        playing.wait(.seconds(5))
        expectEqual(Array(playing.kinds.suffix(3)), [.handoffTriggered, .clientHandoffRequired, .agentLeft])
        #expect(
            playing.told.contains {
                $0.event
                    == .clientHandoffRequired(
                        reason: "COMPLEX_QUERY", queueName: "Second line",
                        route: "https://example.com/contact")
            })
    }

    @Test("idle warns after 60 seconds and ends after 90")
    func idle() throws {
        var playing = try Playing("idle")
        playing.wait(.minutes(3))
        let warning = try #require(playing.told.first { $0.event.kind == .raw })
        expectEqual(warning.event, .raw(type: "EVENT_TYPE_SESSION_IDLE_WARNING", payload: "{}"))
        expectEqual(warning.after, .seconds(60))
        let end = try #require(playing.told.first { $0.event.kind == .sessionEnded })
        expectEqual(end.event, .sessionEnded(.abandoned))
        expectEqual(end.after, .seconds(90))
    }

    @Test("history-500 has 500 messages in turn at the moment of joining, each with an id of its own")
    func history() throws {
        let playing = try Playing("history-500")
        let raw: [(type: String, payload: String)] = playing.told.compactMap {
            if case .raw(let type, let payload) = $0.event { (type, payload) } else { nil }
        }
        expectEqual(raw.count, 500)
        for (number, event) in raw.enumerated() {
            let type = number % 2 == 0 ? "EVENT_TYPE_USER_MESSAGE" : "EVENT_TYPE_POLY_AGENT_MESSAGE"
            expectEqual(event.type, type)
            #expect(event.payload.contains("\"past-\(number + 1)\""))
        }
        #expect(playing.told.allSatisfy { $0.after == .zero })
        let sequences = playing.engine.withJournal(of: playing.handle) { $0.map(\.sequence) } ?? []
        // The start of the session, the request to join, the agent, and the messages.
        expectEqual(sequences, (1...503).map { UInt64($0) })
    }

    @Test("chatter says twenty messages, one every two seconds")
    func chatter() throws {
        var playing = try Playing("chatter")
        playing.wait(.minutes(2))
        let times = playing.told.filter { $0.event.kind == .agentMessage }.map(\.after)
        expectEqual(times, (1...20).map { .seconds(2 * $0) })
    }

    @Test("rtl greets in Arabic and tells the language")
    func rightToLeft() throws {
        var playing = try Playing("rtl")
        playing.wait(.seconds(2))
        #expect(playing.told.contains { $0.event == .languageChanged(code: "ar") })
        expectEqual(playing.messages.count, 2)
        expectEqual(
            playing.messages[0].text.unicodeScalars.first.map { (0x0600...0x06FF).contains($0.value) }, true
        )
        #expect(playing.messages[1].text.contains("iPhone 15"))
    }

    @Test("errors tells each text of the catalogue by its name, and has a fault for every effect")
    func errors() throws {
        let script = try #require(try ShippedFixturesTests.compile("errors").script)
        for problem in KnownProblem.allCases {
            let heard = PreparedMessage(problem.rawValue)
            let rule = script.anywhere.first { $0.hears?.match(heard) != nil }
            expectEqual(rule?.steps.first?.verb, .system(.error, .known(problem)), "\(problem.rawValue)")
        }
        expectEqual(Set(script.faults.map(\.effect.kind)), Set(Fault.Effect.Kind.allCases))
    }
}
