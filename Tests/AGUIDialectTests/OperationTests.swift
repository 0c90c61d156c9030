import AGUIDialect
import DialectKit
import Fixtures
import Testing

@Suite("Operations of agent runs")
struct OperationTests {
    @Test("Faults may stand at each of them", arguments: AGUIDialect().routes.map(\.operation))
    func known(_ operation: String) {
        let text =
            "{ fixture: 1, faults: { t: { at: 'request \(operation) 1', do: { refuse: 503 } } }, "
            + "anywhere: [{ hears: '*', replies: [{ say: 'x' }] }] }"
        let compiled = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "t.json5", name: "t")
        #expect(compiled.findings.allSatisfy { $0.code != .impossibleMoment })
    }
}
