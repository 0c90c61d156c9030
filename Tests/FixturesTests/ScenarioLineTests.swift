import ConversationEngine
import Expectations
import Fixtures
import Testing

@Suite("Scenario lines")
struct ScenarioLineTests {
    @Test(
        "Any token that does not begin with mock: asks for nothing",
        arguments: ["demo", "", "mocks:booking", "mock", "Mock"] as [String])
    func plainTokens(token: String) throws {
        try expectEqual(ScenarioLine(token), nil)
    }

    @Test("A line names a fixture, faults, a seed and a pace")
    func whole() throws {
        let line = try #require(try ScenarioLine("mock:booking+tunnel+no-tokens@seed=7@pace=careful"))
        expectEqual(line.fixture, "booking")
        expectEqual(line.faults, ["tunnel", "no-tokens"])
        expectEqual(line.seed, 7)
        expectEqual(line.pace, "careful")
    }

    @Test("A line chooses how replies are cut", arguments: ChunkWish.words)
    func chunks(word: String) throws {
        let line = try #require(try ScenarioLine("mock:booking@chunks=\(word)@seed=7"))
        #expect(line.chunks == ChunkWish(word: word) && line.seed == 7)
        expectEqual(line.chunks?.unit?.rawValue, word == "pace" ? nil : word)
        try expectEqual(Scenario(line, playing: Script(name: "booking")).chunks, line.chunks)
    }

    @Test("A fixture alone is enough")
    func fixtureAlone() throws {
        let line = try #require(try ScenarioLine("mock:webchat"))
        expectEqual(line.fixture, "webchat")
        #expect(line.faults.isEmpty && line.seed == nil && line.pace == nil)
    }

    @Test(
        "A malformed line is refused with what to write instead",
        arguments: [
            ("mock:", "names no fixture"),
            ("mock:+tunnel", "names no fixture"),
            ("mock:booking+", "\"+\" without the name of a fault"),
            ("mock:booking@seed", "has no value"),
            ("mock:booking@seed=", "has no value"),
            ("mock:booking@seed=-1", "\"@seed=-1\" is not a whole number"),
            ("mock:booking@seed=99999999999999999999", "is not a whole number"),
            ("mock:booking@sed=1", "did you mean \"@seed\"?"),
            ("mock:booking@seed=+5", "\"@seed=+5\" is not a whole number"),
            ("mock:booking@seed=1@seed=2", "\"@seed\" at most once"),
            ("mock:booking@pace=a@pace=a", "\"@pace\" at most once"),
            ("mock:booking+tunnel+tunnel", "the fault \"tunnel\" twice"),
            ("MOCK:ok", "\"MOCK:ok\" must begin with mock: in small letters"),
            ("Mock:booking", "must begin with mock: in small letters"),
            ("mock:booking@greeting=yes", "\"@greeting=yes\" is neither on nor off"),
            ("mock:booking@greeting=on@greeting=on", "\"@greeting\" at most once"),
            ("mock:booking@chunks=sentense", "did you mean \"sentences\"?"),
            ("mock:booking@chunks=wohle", "did you mean \"whole\"?"),
            (
                "mock:booking@chunks=bytes of",
                "use pace, words, characters, tokens, sentences, lines or whole"
            ),
            ("mock:booking@chunks=whole@chunks=whole", "\"@chunks\" at most once"),
            ("mock:booking@chunk=whole", "did you mean \"@chunks\"?"),
            (
                "mock:booking@x=1",
                "there are @seed, @pace, @chunks, @greeting, @tag, @now, @stage and @memory.<name>"
            ),
        ] as [(String, String)])
    func malformed(token: String, words: String) {
        let problem = #expect(throws: ScenarioProblem.self) { try ScenarioLine(token) }
        expectEqual(problem?.sentence.contains(words), true, "\(problem?.sentence ?? "")")
    }

    @Test("A line of more than 512 bytes is refused")
    func tooLong() throws {
        let room = 512 - "mock:".utf8.count
        #expect(try ScenarioLine("mock:" + String(repeating: "a", count: room)) != nil)
        #expect(throws: ScenarioProblem.self) {
            try ScenarioLine("mock:" + String(repeating: "a", count: room + 1))
        }
    }

    @Test("Faults and paces are looked up in the fixture, with the likely spelling")
    func lookUp() throws {
        let script = Script(
            name: "booking", paces: ["slow": .natural],
            faults: [Fault(name: "tunnel", moment: .reply(1), effect: .drop)])
        func play(_ text: String) throws -> Scenario {
            try Scenario(try #require(try ScenarioLine(text)), playing: script)
        }
        let scenario = try play("mock:booking+tunnel@seed=3@pace=slow")
        expectEqual(scenario.faults.map(\.name), ["tunnel"])
        expectEqual(scenario.seed, 3)
        expectEqual(scenario.pace, .natural)
        let fault = #expect(throws: ScenarioProblem.self) { try play("mock:booking+tunel") }
        expectEqual(fault?.sentence, "fixture \"booking\" has no fault \"tunel\": did you mean \"tunnel\"?")
        let pace = #expect(throws: ScenarioProblem.self) { try play("mock:booking@pace=fast") }
        expectEqual(pace?.sentence, "fixture \"booking\" has no pace \"fast\": it has slow")
    }
}
