import Clocks
import ConversationEngine
import Expectations
import Fixtures
import Matching
import Patterns
import Testing

@Suite("Fixture compiler: what each form becomes")
struct FixtureCompilerTests {
    /// The script of a fixture that must have no errors.
    static func script(_ snippet: String) throws -> Script {
        let text = "{ fixture: 1, examples: [{ name: 'e', talk: ['agent: a'] }],\n\(snippet)\n}"
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f.json5", name: "f")
        return try #require(fixture.script, "\(fixture.findings.map(\.description))")
    }

    static func verb(_ step: String) throws -> Verb {
        let script = try script(
            "memory: { n: 1, day: 'x' }, values: { base: 'https://a.b' }, handoffs: { x: {}, desk: {} }, "
                + "paces: { slow: { think: '2s', chunk: '1 word', every: '1s', jitter: '10%' } }, "
                + "faults: { t0: { at: 'token', do: { drop: 'connection' } }, t1: { at: 'token', do: { stall: '1s' } } }, "
                + "greeting: [ \(step) ]")
        return try #require(script.greeting.first).verb
    }

    static func hears(_ hears: String) throws -> Hears? {
        try script("memory: { n: null, day: null }, anywhere: [{ hears: \(hears), replies: [{ say: 'x' }] }]")
            .anywhere[0].hears
    }

    @Test("The smallest fixture is a script with defaults, named after its file")
    func smallest() throws {
        try expectEqual(Self.script(""), Script(name: "f", title: "f", file: "f.json5", paces: Self.paces))
    }

    static let paces: [String: Pace] = ["natural": .natural, "instant": .instant]

    @Test("The head of a fixture")
    func head() throws {
        let script = try Self.script(
            """
            name: 'Title', about: 'What it does', seed: 7, clock: 'scaled 10', $schema: 'x',
            agent: { name: 'Lucia', avatar: 'https://example.com/l.png' },
            session: { streaming: true, tokenLife: '24h', idle: '10m', connections: 10, heartbeat: '30s' },
            values: { place: 'here', rooms: 3, half: 0.5 }, memory: { people: null, day: 'Friday', n: 4 },
            """)
        expectEqual(script.title, "Title")
        expectEqual(script.about, "What it does")
        expectEqual(script.seed, 7)
        expectEqual(script.agent, SpeakerProfile(name: "Lucia", avatar: "https://example.com/l.png"))
        expectEqual(
            script.session,
            SessionSettings(
                streaming: true, tokenLife: .hours(24), idle: .minutes(10), connections: 10,
                heartbeat: .seconds(30)))
        expectEqual(script.values, ["place": "here", "rooms": "3", "half": "0.5"])
        let memory = [
            MemorySlot(name: "people"), MemorySlot(name: "day", initial: "Friday"),
            MemorySlot(name: "n", initial: "4"),
        ]
        expectEqual(script.memory, memory)
    }

    @Test(
        "The clock is kept as written", arguments: ["real", "frozen", "scaled 10", "scaled 0.5"] as [String])
    func clock(text: String) {
        let source = "{ fixture: 1, clock: '\(text)' }"
        expectEqual(FixtureLoader.compile(bytes: Array(source.utf8), fileName: "f", name: "f").clock, text)
    }

    @Test(
        "A length of time has a unit",
        arguments: [
            ("0s", Interval.zero), ("800ms", .milliseconds(800)), ("2s", .seconds(2)),
            ("1.5s", .milliseconds(1_500)),
            ("5m", .minutes(5)), ("1h", .hours(1)), ("0.25h", .minutes(15)), ("24h", .hours(24)),
            ("86400000ms", .hours(24)),
        ] as [(String, Interval)])
    func intervals(text: String, interval: Interval) throws {
        try expectEqual(Self.verb("{ wait: '\(text)' }"), .wait(interval))
    }

    @Test(
        "What is not a length of time is refused",
        arguments: [
            "", "s", "5", "5 s", "-5s", "+5s", "5sec", "1.s", ".5s", "1,5s", "5S", "5d", "1e3s", "86400001ms",
            "99999999999999999999s", "1m30s", "٥s",
        ] as [String])
    func badIntervals(text: String) {
        let found = FixtureRuleErrorTests.step("{ wait: '\(text)' }")
        #expect(found.count == 1 && found[0].hasSuffix("[duration]"))
    }

    @Test("A pace starts from the natural one, without its jitter; the built-in ones can be replaced")
    func paces() throws {
        let script = try Self.script(
            """
            pace: 'quick', paces: { quick: { think: '300ms', chunk: '2 words', every: '40ms', jitter: '20%' },
              letters: { chunk: '1 character' }, tokens: { chunk: '5 tokens' }, natural: { think: '1s' } }
            """)
        let quick = Pace(think: .milliseconds(300), chunkSize: 2, every: .milliseconds(40), jitter: 0.2)
        expectEqual(script.pace, quick)
        expectEqual(script.paces["quick"], quick)
        let letters = Pace(
            think: .milliseconds(600), chunkSize: 1, chunkUnit: .characters, every: .milliseconds(90))
        expectEqual(script.paces["letters"], letters)
        expectEqual(script.paces["tokens"]?.chunkUnit, .tokens)
        expectEqual(script.paces["natural"]?.think, .seconds(1))
        try expectEqual(Self.script("paces: { natural: { think: '1s' } }").pace.think, .seconds(1))
        try expectEqual(Self.script("pace: 'instant'").pace, .instant)
    }

    @Test("Every verb becomes its step")
    func verbs() throws {
        try expectEqual(Self.verb("{ think: '1s' }"), .think(.seconds(1)))
        try expectEqual(Self.verb("{ forget: 'n' }"), .forget(["n"]))
        try expectEqual(Self.verb("{ forget: ['n', 'day'] }"), .forget(["n", "day"]))
        try expectEqual(Self.verb("{ handoff: 'desk' }"), .handoff(1))
        try expectEqual(Self.verb("{ fault: 't1' }"), .fault(1))
        try expectEqual(Self.verb("{ leave: 'resolved' }"), .leave(reason: "resolved"))
        try expectEqual(Self.verb("{ end: 'abandoned' }"), .end(.abandoned))
        try expectEqual(Self.verb("{ receipt: 'delivered' }"), .receipt(isRead: false))
        try expectEqual(Self.verb("{ receipt: 'read' }"), .receipt(isRead: true))
        try expectEqual(Self.verb("{ unsend: true }"), .change(.unsend))
        try expectEqual(Self.verb("{ react: '👍' }"), .change(.react("👍", isOn: true)))
        try expectEqual(Self.verb("{ react: '👍', off: true }"), .change(.react("👍", isOn: false)))
        try expectEqual(Self.verb("{ edit: 'At eight' }"), .change(.edit(Template(literal: "At eight"))))
        try expectEqual(Self.verb("{ system: 'high load' }"), .system(.error, .known(.highLoad)))
        let words = Template(parts: [.text("at "), .slot("now", offset: 3)])
        try expectEqual(
            Self.verb("{ system: { level: 'warning', text: 'at {now}' } }"),
            .system(.warning, .template(words)))
        try expectEqual(
            Self.verb("{ system: { text: 'a' } }"), .system(.info, .template(Template(literal: "a"))))
        try expectEqual(Self.verb("{ language: 'fr-CA' }"), .language("fr-CA"))
        try expectEqual(Self.verb("{ emit: { type: 'X' } }"), .emit(type: "X", payload: "{}"))
        try expectEqual(
            Self.verb("{ emit: { type: 'EVENT_TYPE_X', payload: { a: [0x10, .5, 'é'], } } }"),
            .emit(type: "EVENT_TYPE_X", payload: #"{"a":[16,0.5,"é"]}"#))
        let changes = [
            MemoryChange(slot: "n", value: Template(literal: "5")),
            MemoryChange(slot: "day", value: Template(parts: [.slot("message", offset: 0)])),
        ]
        try expectEqual(Self.verb("{ remember: { n: 5, day: '{message}' } }"), .remember(changes))
    }

    @Test(
        "A question has the reason that is written, else that of a call or of a confirmation",
        arguments: [
            ("", "confirmation"), ("tool: 'pay',", "tool_call"), ("reason: 'review',", "review"),
            ("tool: 'pay', reason: 'review',", "review"),
        ] as [(String, String)])
    func reasonOfQuestion(parts: String, reason: String) throws {
        let script = try Self.script(
            """
            tools: { pay: {} }, anywhere: [{ hears: 'x', replies: [
              { tool: 'pay', silent: true }, { ask: { name: 'ok', \(parts) message: 'Ok?' } } ] }]
            """)
        let reasons = script.anywhere[0].steps.compactMap { step -> String? in
            if case .run(.ask(let asks)) = step.verb { asks.first?.reason } else { nil }
        }
        expectEqual(reasons, [reason])
    }

    @Test("A schema keeps its numbers as they are written")
    func schemaOfQuestion() throws {
        let verb = try Self.verb(
            "{ ask: { name: 'ok', message: 'Ok?', schema: { minimum: 0.0, maximum: 1.5, step: 2.50e-1, most: 9 } } }"
        )
        guard case .run(.ask(let asks)) = verb else {
            Issue.record("no question")
            return
        }
        expectEqual(asks.map(\.schema), [#"{"minimum":0.0,"maximum":1.5,"step":2.50e-1,"most":9}"#])
    }

    @Test("A text is cut into words and gaps; doubled braces are braces")
    func templates() throws {
        func parts(_ text: String) throws -> [Template.Part] {
            guard case .say(let speech) = try Self.verb("{ say: '\(text)' }") else { return [] }
            return speech.texts[0].parts
        }
        try expectEqual(parts("plain"), [.text("plain")])
        try expectEqual(parts(""), [])
        try expectEqual(parts("{n}"), [.slot("n", offset: 0)])
        try expectEqual(
            parts("è {n}, {base}!"),
            [
                .text("è "), .slot("n", offset: 3), .text(", "), .slot("base", offset: 8), .text("!"),
            ])
        try expectEqual(parts("{{n}}"), [.text("{n}")])
        try expectEqual(parts("a } b }} c"), [.text("a } b } c")])
        try expectEqual(parts("{n}}}"), [.slot("n", offset: 0), .text("}")])
        try expectEqual(parts("{{{n}}}"), [.text("{"), .slot("n", offset: 2), .text("}")])
        try expectEqual(parts("{n.words} {agent.name} {liveAgent.name}").count, 5)
    }

    @Test("What goes with a text: turns, buttons, cards, calls, another pace")
    func speech() throws {
        let verb = try Self.verb(
            """
            { say: ['a', 'b'], suggest: ['Yes', { text: 'No', payload: 'no-1' }], pace: 'slow',
              attach: [ { title: 'T', link: '{base}/map', preview: 'https://a.b/p.png', button: 'Open' },
                        { image: 'data:image/png;base64,AAAA' } ],
              call: [ { title: 'Ring', number: '+44' } ] }
            """)
        var speech = SayStep(texts: [Template(literal: "a"), Template(literal: "b")])
        speech.parts.suggestions = [
            SuggestionTemplate(text: Template(literal: "Yes")),
            SuggestionTemplate(text: Template(literal: "No"), payload: Template(literal: "no-1")),
        ]
        speech.parts.attachments = [
            AttachmentTemplate(
                kind: .link, url: Template(parts: [.slot("base", offset: 0), .text("/map")]),
                preview: Template(literal: "https://a.b/p.png"), title: Template(literal: "T"),
                button: Template(literal: "Open")),
            AttachmentTemplate(kind: .image, url: Template(literal: "data:image/png;base64,AAAA")),
        ]
        speech.parts.calls = [
            CallTemplate(title: Template(literal: "Ring"), number: Template(literal: "+44"))
        ]
        speech.pace = Pace(think: .seconds(2), chunkSize: 1, every: .seconds(1), jitter: 0.1)
        expectEqual(verb, .say(speech))
    }

    @Test(
        "Exact cuts are the text, alone or beside the same text",
        arguments: ["", "say: 'One {n} moment.', "] as [String])
    func chunks(say: String) throws {
        guard case .say(let speech) = try Self.verb("{ \(say)chunks: ['One {n} ', 'mom', 'ent.'] }") else {
            Issue.record("nothing said")
            return
        }
        expectEqual(speech.chunks?.count, 3)
        expectEqual(speech.texts.map { $0.filled { _ in "7" } }, ["One 7 moment."])
    }

    @Test("Every form of hears becomes its matcher")
    func matchers() throws {
        let (book, table) = (try Phrase("book"), try Phrase("table"))
        try expectEqual(Self.hears("'book'"), .phrase(book))
        try expectEqual(Self.hears("'*'"), .anything)
        try expectEqual(Self.hears("['book', '*']"), .any([.phrase(book), .anything]))
        try expectEqual(Self.hears("{ exactly: 'book' }"), .exactly(book))
        try expectEqual(
            Self.hears("{ exactly: ['book', 'table'] }"), .any([.exactly(book), .exactly(table)]))
        try expectEqual(Self.hears("{ all: ['book', 'table'] }"), .all([.phrase(book), .phrase(table)]))
        try expectEqual(Self.hears("{ none: 'book' }"), .none([.phrase(book)]))
        try expectEqual(
            Self.hears("{ regex: '\\\\bclos(e|ing)\\\\b' }"),
            .pattern(try RegularExpression(hears: "\\bclos(e|ing)\\b"))
        )
        try expectEqual(
            Self.hears("['{day:day}', { all: ['book', { none: ['table'] }] }]"),
            .any([.phrase(try Phrase("{day:day}")), .all([.phrase(book), .none([.phrase(table)])])]))
    }

    @Test("A rule keeps its place, name, conditions, limit and next stage")
    func rule() throws {
        let script = try Self.script(
            """
            memory: { n: 1, day: 'x' }, begin: 'b', stages: { a: [], b: [
              { name: 'r', hears: 'x', limit: 2, replies: [{ say: 'y' }], then: 'a',
                if: { n: { atLeast: 2, atMost: 9 }, day: 'Friday' } },
              { hears: 'x', replies: [{ wait: '1s' }],
                if: { n: { is: 4, isNot: 'five', known: true }, day: null } },
              { hears: 'x', replies: [{ wait: '1s' }], if: { n: { isNot: null }, day: { is: null } } },
            ] },
            """)
        expectEqual(script.begin, 1)
        let rules = script.stages[1].rules
        #expect(rules[0].name == "r" && rules[0].limit == 2 && rules[0].then == 0)
        expectEqual(rules[0].place, SourcePlace(line: 3, column: 3))
        expectEqual(rules[0].steps[0].place, SourcePlace(line: 3, column: 48))
        expectEqual(
            rules[0].conditions,
            [
                Condition(slot: "n", test: .atLeast(2)), Condition(slot: "n", test: .atMost(9)),
                Condition(slot: "day", test: .equals("Friday")),
            ])
        expectEqual(
            rules[1].conditions,
            [
                Condition(slot: "n", test: .equals("4")), Condition(slot: "n", test: .differs("five")),
                Condition(slot: "n", test: .isKnown(true)), Condition(slot: "day", test: .isKnown(false)),
            ])
        expectEqual(
            rules[2].conditions,
            [
                Condition(slot: "n", test: .isKnown(true)), Condition(slot: "day", test: .isKnown(false)),
            ])
    }

    @Test("Handoffs: who, how long, and how it goes out")
    func handoffs() throws {
        let script = try Self.script(
            """
            handoffs: {
              desk: { queue: { name: 'Desk', positions: [3, 4, 1], every: '8s', waitPerPlace: '60s' },
                liveAgent: { id: 'p', name: 'Marta' }, opens: [{ say: 'a' }],
                rules: [{ hears: 'x', replies: [{ leave: 'done' }] }], otherwise: [{ replies: [{ say: 'b' }] }] },
              web: { mode: 'client', reason: 'POLICY', route: 'https://a.b' },
              no: { outcome: 'fails', reason: 'closed' }, late: { mode: 'server', outcome: 'times out' },
            }
            """)
        let desk = script.handoffs[0]
        expectEqual(
            desk.queue,
            QueuePlan(
                name: "Desk", positions: [3, 4, 1], every: .seconds(8), waitPerPlace: .seconds(60)))
        expectEqual(desk.liveAgent, SpeakerProfile(id: "p", name: "Marta"))
        #expect(desk.mode == .server && desk.outcome == .joins)
        #expect(desk.opens.count == 1 && desk.rules.count == 1 && desk.otherwise.count == 1)
        expectEqual(script.handoffs[1].mode, .client(reason: "POLICY", route: "https://a.b"))
        expectEqual(script.handoffs[2].outcome, .fails(reason: "closed"))
        expectEqual(script.handoffs[3].outcome, .timesOut(reason: nil))
        expectEqual(script.handoffs.map(\.name), ["desk", "web", "no", "late"])
        expectEqual(script.handoffs[1].place, SourcePlace(line: 6, column: 3))
    }

    @Test(
        "Every moment that a fault can name",
        arguments: [
            ("token", Fault.Moment.token), ("session", .session), ("handshake 2", .handshake(2)),
            ("connect 1", .connect(1)),
            ("user message 3", .userMessage(3)), ("reply 2", .reply(2)),
            ("reply 2 chunk 3", .replyChunk(2, 3)),
            ("queue update 2", .queueUpdate(2)), ("live agent joins", .liveAgentJoins),
            ("heartbeat 4", .heartbeat(4)), ("request GetView2 3", .request("GetView2", 3)),
            ("any event", .anyEvent),
        ] as [(String, Fault.Moment)])
    func moments(text: String, moment: Fault.Moment) throws {
        try expectEqual(
            Self.script("faults: { t: { at: '\(text)', do: { delay: '1s' } } }").faults[0].moment,
            moment)
    }

    @Test(
        "Every effect of a fault",
        arguments: [
            ("drop: 'connection'", Fault.Effect.drop), ("stall: '2s'", .stall(.seconds(2))),
            ("stall: 'forever'", .stall(nil)),
            ("close: 1011", .close(code: 1_011)), ("close: 4000", .close(code: 4_000)),
            ("refuse: 500", .refuse(status: 500, retryAfter: nil)),
            ("refuse: 429, retryAfter: '2s'", .refuse(status: 429, retryAfter: .seconds(2))),
            ("delay: '1s'", .delay(.seconds(1))),
            ("lose: 'event'", .lose), ("repeat: 'event'", .repeated), ("swap: 'event'", .swap),
            ("garble: 'event'", .garble(.badJSON)),
            ("agentError: 'cannot respond'", .agentError(.cannotRespond)),
            ("handoff: 'fails'", .handoff(.fails(reason: nil))),
            ("handoff: 'times out'", .handoff(.timesOut(reason: nil))),
        ] as [(String, Fault.Effect)])
    func effects(text: String, effect: Fault.Effect) throws {
        let script = try Self.script(
            "faults: { t: { at: 'token', do: { \(text) }, times: 2, chance: '25%' } }")
        expectEqual(script.faults[0].effect, effect)
        #expect(script.faults[0].times == 2 && script.faults[0].chance == 0.25)
    }

    @Test("Examples are lines with speakers, places and the wish for all of a text")
    func examples() throws {
        let text = """
            { fixture: 1, examples: [ { name: 'n', talk: [
              'user: hi: there', 'agent:  Hello ', 'live agent: exactly: Good day', 'queue: 3', 'end: natural' ] } ] }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f")
        let example = try #require(fixture.examples.first)
        #expect(example.name == "n" && example.place == SourcePlace(line: 1, column: 27))
        expectEqual(
            example.lines.map(\.line),
            [
                .says(.user, "hi: there", isExact: false), .says(.agent, "Hello", isExact: false),
                .says(.liveAgent, "Good day", isExact: true), .queue(3), .end(.natural),
            ])
        expectEqual(example.lines.map(\.place.column), [3, 22, 40, 73, 85])
    }
}
