import Clocks
import ConversationEngine
import Expectations
import Matching
import Testing

/// Which rule answers, and what its steps say.
@Suite("Rules, stages and memory")
struct RuleTests {
    static func script(
        stages: [Stage] = [], anywhere: [Rule] = [], otherwise: [Rule] = [], memory: [MemorySlot] = []
    ) -> Script {
        Script(
            name: "rules", agent: SpeakerProfile(name: "Juno"), values: ["place": "the lake"], memory: memory,
            pace: .instant, stages: stages, anywhere: anywhere, otherwise: otherwise)
    }

    /// The text of the reply to `message`; nil when there was none.
    static func reply(_ message: String, _ talk: inout Talk) -> String? {
        let count = talk.journal.count
        talk.ask(message)
        let texts = talk.journal.dropFirst(count).compactMap { entry -> String? in
            if case .agentMessage(let message) = entry.event { return message.text }
            return nil
        }
        return texts.isEmpty ? nil : texts.joined(separator: "/")
    }

    @Test("The stage's rules come first, then anywhere, then otherwise; within them the page's order")
    func order() throws {
        var talk = try Talk.joined(
            Self.script(
                stages: [
                    Stage(
                        name: "s",
                        rules: [try rule("apple", says("stage 1")), try rule("a", says("stage 2"))])
                ],
                anywhere: [try rule("apple", says("never")), try rule("pear", says("anywhere"))],
                otherwise: [anything(says("otherwise")), anything(says("never"))]))
        expectEqual(Self.reply("apple", &talk), "stage 1")
        expectEqual(Self.reply("a", &talk), "stage 2")
        expectEqual(Self.reply("pear", &talk), "anywhere")
        expectEqual(Self.reply("fig", &talk), "otherwise")
    }

    @Test("`then` moves to another stage, whose rules hold from the next message on")
    func stages() throws {
        var script = Self.script(
            stages: [
                Stage(name: "one", rules: [try rule("go", says("to two"), then: 1)]),
                Stage(name: "two", rules: [try rule("go", says("to one"), then: 0)]),
            ])
        var talk = try Talk.joined(script)
        expectEqual(talk.conversation?.stageName, "one")
        expectEqual(Self.reply("go", &talk), "to two")
        expectEqual(talk.conversation?.stageName, "two")
        expectEqual(Self.reply("go", &talk), "to one")
        script.begin = 1
        talk = try Talk.joined(script)
        expectEqual(Self.reply("go", &talk), "to one")
    }

    @Test("A rule whose limit is spent lets the next one answer, for good")
    func limits() throws {
        var talk = try Talk.joined(
            Self.script(
                anywhere: [
                    try rule("hi", limit: 1, says("first")), try rule("hi", limit: 2, says("second")),
                ],
                otherwise: [anything(limit: 1, says("otherwise"))]))
        let replies = (0..<5).map { _ in Self.reply("hi", &talk) }
        expectEqual(replies, ["first", "second", "second", "otherwise", nil])
        expectEqual(talk.notes.last, .unmatched(UnmatchedMessage(text: "hi", number: 5, stage: "")))
    }

    @Test("A limit of 0 never answers")
    func limitZero() throws {
        var talk = try Talk.joined(
            Self.script(otherwise: [anything(limit: 0, says("never")), anything(says("always"))]))
        expectEqual(Self.reply("x", &talk), "always")
    }

    @Test(
        "Conditions compare a memory slot; all must hold",
        arguments: [
            (Condition.Test.equals("Sunday"), "Sunday", true), (.equals("sunday"), "SUNDAY", true),
            (.equals("sunday"), "monday", false), (.equals("sunday"), nil, false),
            (.differs("sunday"), "monday", true), (.differs("sunday"), "Sunday", false),
            (.differs("sunday"), nil, true), (.atLeast(9), "9", true), (.atLeast(9), "8.5", false),
            (.atLeast(9), "many", false), (.atLeast(9), nil, false), (.atMost(9), "9", true),
            (.atMost(9), "10", false), (.atMost(9), nil, false), (.isKnown(true), "x", true),
            (.isKnown(true), nil, false), (.isKnown(false), nil, true), (.isKnown(false), "x", false),
        ] as [(Condition.Test, String?, Bool)])
    func conditions(_ test: Condition.Test, _ value: String?, holds: Bool) throws {
        let condition = Condition(slot: "slot", test: test)
        var talk = try Talk.joined(
            Self.script(
                anywhere: [try rule("x", if: [condition], says("holds"))],
                otherwise: [anything(says("fails"))],
                memory: [MemorySlot(name: "slot", initial: value)]))
        expectEqual(Self.reply("x", &talk), holds ? "holds" : "fails")
        var strict = try Talk.joined(
            Self.script(
                anywhere: [
                    try rule("x", if: [condition, Condition(slot: "b", test: .isKnown(true))], says("holds"))
                ],
                otherwise: [anything(says("fails"))], memory: [MemorySlot(name: "slot", initial: value)]))
        expectEqual(Self.reply("x", &strict), "fails")
    }

    @Test("`remember` fills memory from templates, `forget` empties it, for every later text")
    func memory() throws {
        var talk = try Talk.joined(
            Self.script(
                anywhere: [
                    try rule(
                        "set", .remember([MemoryChange(slot: "a", value: template("[{message}]"))]),
                        fills("a is {a}")),
                    try rule("drop", .forget(["a"]), fills("a is {a}")),
                ],
                otherwise: [anything(fills("a is {a}"))], memory: [MemorySlot(name: "a", initial: "0")]))
        expectEqual(Self.reply("x", &talk), "a is 0")
        expectEqual(Self.reply("set me", &talk), "a is [set me]")
        expectEqual(Self.reply("x", &talk), "a is [set me]")
        expectEqual(Self.reply("drop", &talk), "a is ")
        expectEqual(talk.conversation?.memory["a"], nil)
    }

    @Test("What a rule catches fills memory; a rule that fails its condition leaves nothing behind")
    func captures() throws {
        let many = Condition(slot: "people", test: .atLeast(9))
        var talk = try Talk.joined(
            Self.script(
                anywhere: [
                    try rule("{people:number}", if: [many], fills("a hall for {people}")),
                    try rule("table", fills("a table, {people}")),
                    try rule("{people:number}", fills("for {people}")),
                ], memory: [MemorySlot(name: "people")]))
        expectEqual(Self.reply("table for 4", &talk), "a table, ")
        expectEqual(Self.reply("twelve", &talk), "a hall for 12")
        expectEqual(Self.reply("table for 4", &talk), "a table, 12")
        expectEqual(Self.reply("we are 4", &talk), "for 4")
    }

    @Test("Memory belongs to one session")
    func memoryPerSession() throws {
        let script = Self.script(
            anywhere: [try rule("set", .remember([MemoryChange(slot: "a", value: template("1"))]))],
            otherwise: [anything(fills("a is {a}"))], memory: [MemorySlot(name: "a")])
        var one = try Talk.joined(script)
        var two = try Talk.joined(script)
        one.ask("set")
        expectEqual(Self.reply("x", &one), "a is 1")
        expectEqual(Self.reply("x", &two), "a is ")
    }

    @Test(
        "Gaps know values, the agent, the message and the time; unknown names are empty",
        arguments: [
            ("{place}", "the lake"), ("{agent.name}", "Juno"), ("{liveAgent.name}", ""),
            ("{message}", "Hello"),
            ("{now}", "09:30"), ("{nobody}", ""), ("a {place}, {agent.name}!", "a the lake, Juno!"),
            ("{count.words}", "one two three"), ("{place.words}", ""), ("{a}", "{message}"),
        ] as [(String, String)])
    func gaps(_ text: String, _ filled: String) throws {
        let slots = [MemorySlot(name: "count", initial: "3"), MemorySlot(name: "a", initial: "{message}")]
        let script = Self.script(otherwise: [anything(fills(text))], memory: slots)
        var talk = try Talk(script)
        talk.connect()
        talk.send(.join(greeting: nil))
        expectEqual(Self.reply("Hello", &talk), filled)
    }

    @Test("The live agent's name is known while the live agent is here")
    func personName() throws {
        var desk = try HandoffTests.desk(queue: nil)
        desk.opens = [Step(fills("{liveAgent.name} here, not {agent.name}"))]
        var talk = try Talk.joined(try HandoffTests.script(desk))
        talk.ask("person")
        expectEqual(talk.journalLines.last, "10 Marta Marta here, not Juno")
    }

    @Test("Several texts take turns by use, never skip, and begin again after the last")
    func turns() throws {
        var talk = try Talk.joined(
            Self.script(
                anywhere: [try rule("hi", says("a", "b", "c"))], otherwise: [anything(says("x", "y"))]))
        let replies = ["hi", "hi", "no", "hi", "hi", "no", "no"].map { Self.reply($0, &talk) }
        expectEqual(replies, ["a", "b", "x", "c", "a", "y", "x"])
    }

    @Test("Two says of one rule take turns on their own")
    func turnsPerStep() throws {
        var talk = try Talk.joined(Self.script(otherwise: [anything(says("a", "b"), says("1", "2", "3"))]))
        expectEqual((0..<3).map { _ in Self.reply("x", &talk) }, ["a/1", "b/2", "a/3"])
    }

    @Test("`wait` is silent, `think` shows thinking, and both take their time")
    func pauses() throws {
        var talk = try Talk.joined(
            Self.script(otherwise: [anything(.wait(.seconds(2)), .think(.seconds(3)), says("done"))]))
        let asked = talk.now
        expectEqual(talk.lines { $0.say("x") }, ["4 USER x"])
        talk.wait(.seconds(2))
        expectEqual(talk.lines.last, "- THINKING")
        talk.wait(.seconds(3))
        expectEqual(talk.lines.suffix(2), ["- THINKING", "5 MESSAGE done"])
        expectEqual(talk.journal.last?.time, asked + .seconds(5))
    }

    @Test("A live agent's `think` shows typing")
    func liveAgentThinks() throws {
        var desk = try HandoffTests.desk(queue: nil)
        desk.opens = [Step(.think(.seconds(1)))]
        var talk = try Talk.joined(try HandoffTests.script(desk))
        expectEqual(talk.lines { $0.ask("person") }.last, "- TYPING")
    }

    @Test("Steps of every kind act in order, at one instant when nothing waits")
    func steps() throws {
        var talk = try Talk.joined(
            Self.script(
                otherwise: [
                    anything(
                        .language("fr-CA"), .system(.warning, .template(template("at {place}"))),
                        .emit(type: "X", payload: "{}"), says("done"), .end(.user))
                ]))
        expectEqual(
            talk.lines { $0.say("x") },
            [
                "4 USER x", "5 LANGUAGE fr-CA", "- warning at the lake", "6 RAW X", "- THINKING",
                "7 MESSAGE done",
                "8 SESSION_END user",
            ])
    }

    @Test("What was heard is noted with the rule, its place and the stage; unnamed rules get a name")
    func notes() throws {
        var named = try rule("hi", says("x"))
        named.name = "greet"
        named.place = SourcePlace(line: 14, column: 9)
        var talk = try Talk.joined(
            Self.script(
                stages: [Stage(name: "s", rules: [named, try rule("ho", says("y"))])],
                otherwise: [anything(says("z"))]))
        talk.ask("hi")
        talk.ask("ho")
        talk.ask("hu")
        let none = SourcePlace()
        expectEqual(
            talk.notes.suffix(4).map(\.withoutCause),
            [
                .heard(text: "hi", rule: "greet", place: named.place, stage: "s"),
                .heard(text: "ho", rule: "s 2", place: none, stage: "s"),
                .unmatched(
                    UnmatchedMessage(
                        text: "hu", number: 3, stage: "s",
                        substitute: .init(
                            name: "otherwise 1", place: none, uses: 1, text: Template(literal: "z")))),
                .heard(text: "hu", rule: "otherwise 1", place: none, stage: "s"),
            ])
    }

    @Test("Of a rule of other hours a near miss tells the time and the hours")
    func otherHours() throws {
        let evening = Condition(slot: "now", test: .isWithin(Hours(from: 17 * 60, to: 22 * 60)))
        let morning = Condition(slot: "now", test: .isWithin(Hours(from: 9 * 60, to: 11 * 60)))
        var talk = try Talk.joined(
            Self.script(
                anywhere: [
                    try rule("dinner", if: [evening], says("x")),
                    try rule("breakfast", if: [morning], says("y")),
                ]))
        talk.ask("dinner")
        let conversation = try #require(talk.conversation)
        expectEqual(
            conversation.miss(of: "anywhere 1", hearing: "dinner")?.explanation,
            #"would fit, but its "if" does not hold: {now} is 09:30, not 17:00 to 22:00"#)
        expectEqual(conversation.miss(of: "anywhere 2", hearing: "breakfast")?.explanation, "would fit")
    }

    @Test("A rule behind the last stage that has a number is no cause, rather than another rule")
    func causeBeyondNumbers() throws {
        for (count, name) in [(4_096, "last 1"), (4_097, "")] {
            var script = Self.script(
                stages: (1..<count).map { Stage(name: "s\($0)", rules: []) } + [
                    Stage(name: "last", rules: [try rule("hi", says("x"))])
                ], anywhere: [try rule("ho", says("y"))])
            script.begin = count - 1
            var talk = try Talk.joined(script)
            talk.ask("hi")
            let causes = talk.notes.compactMap { note -> Cause? in
                if case .heard(_, "last 1", _, "last", let cause) = note { cause } else { nil }
            }
            expectEqual(causes.map { script.ruleName(of: $0.part) }, [name])
        }
    }

    @Test("Rules of the agent do not answer while a live agent is here, and theirs do not before")
    func rulesOfTheLiveAgent() throws {
        var talk = try Talk.joined(try HandoffTests.script(HandoffTests.desk(queue: nil)))
        expectEqual(talk.lines { $0.ask("thanks") }.last, "6 MESSAGE Yes")
        talk.ask("person")
        expectEqual(talk.lines { $0.ask("person") }.last?.hasSuffix("Marta Let me look"), true)
    }
}

extension Note {
    fileprivate var withoutCause: Note {
        guard case .heard(let text, let rule, let place, let stage, _) = self else { return self }
        return .heard(text: text, rule: rule, place: place, stage: stage)
    }

    /// The message that nothing heard; nil for every other note.
    fileprivate var unmatchedText: String? {
        if case .unmatched(let unmatched) = self { return unmatched.text }
        return nil
    }
}
