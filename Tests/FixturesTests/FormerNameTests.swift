import Fixtures
import Testing

@Suite("Fixture compiler: keys that were renamed")
struct FormerNameTests {
    @Test(
        "A former key is answered with the key of now, at its place",
        arguments: [
            ("troubles: {}", "\"troubles\" is called \"faults\" now."),
            ("greeting: [{ say: 'a', trouble: 'x' }]", "\"trouble\" is called \"fault\" now."),
            ("handoffs: { a: { person: { name: 'M' } } }", "\"person\" is called \"liveAgent\" now."),
            ("greeting: [{ say: '{person.name}' }]", "\"person.name\" is called \"liveAgent.name\" now."),
            (
                "faults: { a: { at: 'person joins', do: { drop: 'connection' } } }",
                "\"person joins\" is called \"live agent joins\" now."
            ),
            ("greeting: [{ trouble: 'x' }]", "\"trouble\" is called \"fault\" now."),
            (
                "greeting: [{ event: { type: 'CUSTOM' }, fault: true }]",
                "\"fault\" is called \"unchecked\" now."
            ),
        ] as [(String, String)])
    func keys(snippet: String, sentence: String) {
        let findings = FixtureErrorTests.findings(snippet)
        #expect(
            findings.contains { $0.contains(": error: \(sentence)") && $0.contains("fix: write ") },
            "\(findings)")
    }

    @Test("The edit for a former key is told apart from one for a key that is misspelt")
    func edits() {
        for (snippet, isFormer) in [
            ("troubles: {}", true), ("greeting: [{ say: 'a', trouble: 'x' }]", true),
            ("handoffs: { a: { person: { name: 'M' } } }", true), ("greting: [{ say: 'a' }]", false),
        ] {
            let edits = FixtureLimitTests.compile(snippet).findings.compactMap(\.replacement)
            #expect(!edits.isEmpty && edits.allSatisfy { $0.isFormerName == isFormer }, "\(snippet)")
        }
    }
}
