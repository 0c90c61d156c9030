import Clocks
import ConversationEngine
import Expectations
import Fixtures
import Foundation
import Matching
import Testing

@Suite("Shipped fixtures")
struct ShippedFixturesTests {
    private static let compiled = Locked<[String: CompiledFixture]>([:])

    /// Each once for all tests: forty of them ask for one or for all.
    static func compile(_ name: String) throws -> CompiledFixture {
        if let known = compiled.withLock({ $0[name] }) { return known }
        let fixture = FixtureLoader.compile(
            bytes: try Samples.file("fixtures/\(name).json5"), fileName: "fixtures/\(name).json5", name: name)
        compiled.withLock { $0[name] = fixture }
        return fixture
    }

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: Samples.folder.appendingPathComponent("fixtures").path
        )
        .compactMap(FixtureLoader.name(ofFile:)).sorted()
    }

    @Test("Each compiles without a finding and has examples")
    func clean() throws {
        let names = try Self.names()
        #expect(!names.isEmpty)
        for name in names {
            let fixture = try Self.compile(name)
            expectEqual(fixture.findings.map(\.description), [])
            expectEqual(fixture.script?.name, name)
            #expect(!fixture.examples.isEmpty)
        }
    }

    @Test("A greeting with buttons is one chunk, so that they are there as soon as its text is")
    func greetings() throws {
        var withButtons = 0
        for name in try Self.names() {
            let script = try #require(try Self.compile(name).script)
            let first = script.greeting.lazy.compactMap { step -> SayStep? in
                if case .say(let speech) = step.verb { speech } else { nil }
            }.first
            guard let first, !first.parts.suggestions.isEmpty else { continue }
            withButtons += 1
            expectEqual(first.cut, ChunkSize(unit: .whole), "\(name)")
        }
        #expect(withButtons >= 15)
    }

    @Test("Each is embedded in the binary, under its name")
    func embedded() throws {
        let source = try Samples.text("Server/EmbeddedFixtures/embedded_fixtures.c")
        for name in try Self.names() {
            #expect(source.contains("#embed \"../../fixtures/\(name).json5\""))
            let variable = name.replacingOccurrences(of: "-", with: "_")
            #expect(source.contains("{\"\(name)\", \(variable), sizeof \(variable)}"))
        }
    }

    @Test("The booking fixture is the worked example")
    func booking() throws {
        let script = try #require(try Self.compile("booking").script)
        try expectEqual(
            Samples.text("fixtures/booking.json5").split(
                separator: "\n", omittingEmptySubsequences: false
            ).count, 145)
        expectEqual(script.title, "Trattoria Lucia: bookings")
        expectEqual(script.stages.map(\.name), ["start", "people", "when", "confirm"])
        expectEqual(script.stages.map(\.rules.count), [2, 2, 1, 2])
        expectEqual(script.anywhere.map(\.name), ["hours", "person"])
        expectEqual(script.otherwise.map(\.limit), [2, nil])
        expectEqual(script.handoffs.map(\.queue?.positions), [[3, 2, 1]])
        expectEqual(script.faults.map(\.name), ["tunnel", "busy-agent", "no-tokens", "full-house"])
        expectEqual(script.stages[1].rules[0].conditions, [Condition(slot: "people", test: .atLeast(9))])
        expectEqual(script.stages[1].rules[0].steps.last?.verb, .handoff(0))
    }

    /// The first rule of webchat that hears a text; its conditions are not looked at.
    static func rule(_ script: Script, hearing text: String) -> Rule? {
        let heard = PreparedMessage(text)
        return script.stages[0].rules.first { $0.hears?.match(heard) != nil }
    }

    /// protocol.md#standard-agent
    @Test(
        "Webchat hears what the default agent must answer",
        arguments: [
            ("send me a link to google", "link"), ("end the convo", "end"),
            ("speak to salesforce", "salesforce"),
            ("I want a human!", "person"), ("Agent", "person"), ("Talk to a person", "person"),
            ("show me everything", "everything"), ("Count to 20", "count"), ("count to twelve", "count"),
            ("purple", nil),
        ] as [(String, String?)])
    func webchatHears(text: String, rule: String?) throws {
        let script = try #require(try Self.compile("webchat").script)
        expectEqual(Self.rule(script, hearing: text)?.name, rule)
    }

    /// protocol.md#standard-agent
    @Test("Webchat greets with Welcome, three suggestions and an image")
    func webchatGreets() throws {
        let script = try #require(try Self.compile("webchat").script)
        guard case .say(let greeting)? = script.greeting.first?.verb else {
            Issue.record("no greeting")
            return
        }
        #expect(greeting.texts[0].filled { _ in "" }.contains("Welcome"))
        expectEqual(greeting.parts.suggestions.count, 3)
        expectEqual(greeting.parts.attachments.map(\.kind), [.image])
        expectEqual(script.pace, Pace(think: .milliseconds(300), chunkSize: 2, every: .milliseconds(40)))
    }

    @Test("Webchat links, ends, hands over and fails to hand over")
    func webchatReplies() throws {
        let script = try #require(try Self.compile("webchat").script)
        func verbs(_ text: String) -> [Verb] { Self.rule(script, hearing: text)?.steps.map(\.verb) ?? [] }
        guard case .say(let link)? = verbs("send me a link to google").first else {
            Issue.record("no link")
            return
        }
        #expect(link.texts[0].filled { _ in "" }.contains("[Google](http://"))
        expectEqual(verbs("end the convo").last, .end(.natural))
        expectEqual(verbs("human").last, .handoff(0))
        expectEqual(script.handoffs[0].queue?.positions, [3, 2, 1])
        expectEqual(script.handoffs[0].outcome, .joins)
        expectEqual(verbs("speak to salesforce").last, .handoff(1))
        expectEqual(script.handoffs[1].outcome, .fails(reason: "no agent is available"))
        expectEqual(script.otherwise.count, 1)
    }

    @Test("Webchat shows everything in one message")
    func webchatEverything() throws {
        let script = try #require(try Self.compile("webchat").script)
        guard case .say(let speech)? = Self.rule(script, hearing: "show me everything")?.steps.first?.verb
        else {
            Issue.record("nothing said")
            return
        }
        let text = speech.texts[0].filled { _ in "" }
        #expect(text.contains("**Everything at once**\n\n- a list\n") && text.contains("`code`\n\nBelow are"))
        expectEqual(speech.parts.attachments.map(\.kind), [.image, .image, .link])
        expectEqual(speech.parts.calls.count, 1)
        expectEqual(speech.parts.suggestions.count, 3)
    }
}

@Suite("Names of fixtures")
struct FixtureNameTests {
    @Test(
        "A name that no fixture has is told the likely spelling, or what there is",
        arguments: [
            ("bokking", ["webchat", "booking"], "did you mean \"booking\"?"),
            ("x", ["webchat", "booking"], "there are \"booking\" and \"webchat\""),
            ("x", [], "there are no fixtures here"),
        ] as [(String, [String], String)])
    func unknown(name: String, known: [String], hint: String) {
        expectEqual("\(UnknownFixture(name: name, among: known))", "unknown fixture \"\(name)\": \(hint)")
    }

    @Test("Of many names the ten nearest are told, and how many more there are")
    func many() {
        let problem = UnknownFixture(name: "zebra", among: (1...70).map { "f\($0)" } + ["zebrafish"])
        #expect("\(problem)".hasPrefix("unknown fixture \"zebra\": there are \"zebrafish\", \"f1\""))
        #expect("\(problem)".hasSuffix(" and 61 more"))
    }

    @Test(
        "A file with nearly the name comes before every list",
        arguments: ["dentist", "./dentist", "dentist.json"] as [String])
    func file(name: String) {
        let problem = UnknownFixture(name: name, among: ["booking", "dentists"]) {
            $0.hasSuffix("dentist.json5")
        }
        let file = name == "./dentist" ? "./dentist.json5" : "dentist.json5"
        expectEqual("\(problem)", "unknown fixture \"\(name)\": did you mean the file \(file)?")
    }

    @Test(
        "Only JSON5 files are fixtures",
        arguments: [
            ("booking.json5", "booking"), ("fixtures/booking.json5", "booking"), ("a.b.json5", "a.b"),
            (".json5", nil),
            (".hidden.json5", nil), ("README.md", nil), ("booking.json", nil), ("", nil), ("json5", nil),
        ] as [(String, String?)])
    func names(file: String, name: String?) {
        expectEqual(FixtureLoader.name(ofFile: file), name)
    }
}

@Suite("The page about fixtures")
struct FixturesPageTests {
    @Test("Its example is a fixture without a finding")
    func example() throws {
        let page = try Samples.text("fixtures/README.md")
        let start = try #require(page.range(of: "```json5\n")?.upperBound)
        let end = try #require(page.range(of: "\n```", range: start..<page.endIndex)?.lowerBound)
        expectEqual(Samples.findings(String(page[start..<end])), [])
    }

    @Test("It names every check")
    func checks() throws {
        let page = try Samples.text("fixtures/README.md")
        for code in FindingCode.allCases where code != .exampleFails && !code.isNote {
            #expect(page.contains(code.rawValue))
        }
    }
}
