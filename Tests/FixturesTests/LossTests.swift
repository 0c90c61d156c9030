import Expectations
import Fixtures
import Matching
import Testing

@Suite("What a protocol has no words for")
struct LossTests {
    private func losses(_ steps: String) -> [String] {
        let text = """
            { fixture: 1, memory: { a: null }, tools: { pick: { client: true }, look: { results: [{ parts: [] }] } },
              handoffs: { desk: { liveAgent: { name: "Sam" } } }, anywhere: [{ hears: "tea", replies: [
            \(steps) ] }] }
            """
        let fixture = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "f", name: "f")
        #expect(fixture.script != nil, "\(fixture.findings)")
        return fixture.losses.map { finding in
            "\(finding.place.line):\(finding.place.column) \(finding.message)"
        }
    }

    @Test(
        "A step that some clients are not told of is named with them",
        arguments: [
            (
                "{ tool: 'pick' }",
                #"Clients without runs hear nothing here: "pick" waits for an answer of the client."#
            ),
            (
                "{ ask: { name: 'ok', message: 'Ok?' } }",
                #"Clients without runs cannot decide "ok": it has no choices to say."#
            ),
            ("{ card: { content: 1 } }", "Clients without runs do not get this card."),
            ("{ custom: { name: 'a.b' } }", "Clients without runs do not get this event."),
            (
                "{ activity: { id: 'a', type: 'b', content: {} } }",
                "Clients without runs do not see this activity."
            ),
            ("{ tool: 'look' }", "Clients of version 0 of AG-UI get the parts of this result as one text."),
            ("{ cancel: true }", "Clients of version 0 of AG-UI see an error in place of the cancelled run."),
            (
                "{ say: 'A', attach: [{ title: 'T', link: 'https://a.example' }] }",
                "Clients of AG-UI do not get these attachments."
            ),
            (
                "{ say: 'A', call: [{ title: 'T', number: '+441' }] }",
                "Clients of AG-UI do not get these buttons that ring."
            ),
            ("{ handoff: 'desk' }", "Clients of AG-UI do not see the queue, nor who comes."),
            ("{ edit: 'At eight' }", "Clients of AG-UI do not see this change."),
            ("{ receipt: 'read' }", "Clients of AG-UI do not see receipts."),
            ("{ system: 'high load' }", "Clients of AG-UI do not get this notice."),
            ("{ language: 'fr' }", "Clients of AG-UI do not see the language."),
            ("{ emit: { type: 'EVENT_TYPE_X' } }", "Clients of AG-UI do not get this event."),
        ] as [(String, String)])
    func steps(_ step: String, _ message: String) {
        expectEqual(losses(step), ["3:1 " + message])
    }

    @Test("What all are told is not named")
    func nothing() {
        let steps = """
            { say: 'A', suggest: ['B'] }, { tool: 'pick' }, { remember: { a: 1 } }, { state: {} }, { reason: 'r' },
            { ask: { name: 'ok', message: 'Ok?', choices: ['Yes'] } }, { wait: '1s' }
            """
        expectEqual(losses(steps), [])
        let subagent = losses("{ subagent: 'x' }, { say: 'A' }, { subagentEnds: 'x' }")
        expectEqual(subagent, ["3:1 Clients of version 0 of AG-UI see a step in place of this subagent."])
    }
}
