import ConversationEngine
import Expectations
import Fixtures
import Matching
import Testing
import Texts

@Suite("Findings, letter for letter")
struct SpecificationFindingsTests {
    @Test("Eight planted mistakes are told letter for letter, and nothing else is")
    func broken() throws {
        let fixture = FixtureLoader.compile(
            bytes: try Samples.file("Tests/Data/fixtures/broken.json5"), fileName: "broken.json5",
            name: "broken")
        let expected = [
            "28:65: error: A reply step does exactly one thing; this one has say, wait.\n"
                + "  fix: write one step for each: { say: … }, { wait: … } [one-verb]",
            #"36:7: warning: "a big table" is never heard here: line 28 already answers anything with "table". [shadowed]"#,
            #"38:66: error: A "say" step has nothing called "sugest". Did you mean "suggest"? [unknown-name]"#,
            #"46:23: error: "{peple}" is neither in "memory" nor in "values". Did you mean "people"? [unknown-slot]"#,
            #"47:22: error: No handoff is called "frontdesk". Did you mean "front-desk"? [unknown-handoff]"#,
            #"61:19: error: "1 second" is not a length of time. Write "1s". [duration]"#,
            #"64:15: error: No stage is called "confrim". Did you mean "confirm"? [unknown-stage]"#,
            "88:49: error: This pattern repeats a repetition, so a long message could hang it. "
                + "Use a kind such as {people:number} instead. [slow-regex]",
        ]
        expectEqual(fixture.findings.map(\.description), expected.map { "broken.json5:" + $0 })
        expectEqual(fixture.script, nil)
        #expect(fixture.hasErrors)
    }

    @Test("A missing comma is told where it belongs: at the end of the line before")
    func missingComma() throws {
        let fixture = FixtureLoader.compile(
            bytes: try Samples.file("Tests/Data/fixtures/syntax.json5"), fileName: "syntax.json5",
            name: "syntax")
        let expected =
            "syntax.json5:38:6: error: a comma is missing at the end of line 38 [syntax]"
        expectEqual(fixture.findings.map(\.description), [expected])
        expectEqual(fixture.script, nil)
    }

    @Test("A finding with a fix has it on a second line, before the code")
    func findingWithFix() {
        let finding = Finding(
            file: "fixtures/booking.json5", place: .init(line: 14, column: 9), severity: .error,
            code: .queuePosition, message: "\"positions\" contains -1, but the front of the queue is 1.",
            fix: "use 1 for the front of the queue")
        expectEqual(
            finding.description,
            """
            fixtures/booking.json5:14:9: error: "positions" contains -1, but the front of the queue is 1.
              fix: use 1 for the front of the queue [queue-position]
            """)
    }
}
