import ConnectDialect
import DialectKit
import Expectations
import Fixtures
import Testing

@Suite("Operations of contacts")
struct ConnectOperationTests {
    private static let dialect = ConnectDialect(key: SigningKey([UInt8](repeating: 7, count: 32)))

    @Test("Faults may stand at each of them", arguments: Self.dialect.routes.map(\.operation))
    func known(_ operation: String) {
        let text =
            "{ fixture: 1, faults: { t: { at: 'request \(operation) 1', do: { refuse: 503 } } }, "
            + "anywhere: [{ hears: '*', replies: [{ say: 'x' }] }] }"
        let compiled = FixtureLoader.compile(bytes: Array(text.utf8), fileName: "t.json5", name: "t")
        #expect(compiled.findings.allSatisfy { $0.code != .impossibleMoment })
    }

    @Test("Pages may ask for what participants do, and for the start of a chat; the rest is for back ends")
    func pages() {
        let closed = Set(Self.dialect.routes.filter { !$0.isOpenToPages }.map(\.operation))
        expectEqual(
            closed,
            [
                "StartChatContact", "StopContact", "CreateParticipant", "UpdateParticipantRoleConfig",
                "CreatePersistentContactAssociation", "GetContactAttributes", "UpdateContactAttributes",
                "DescribeContact", "StartContactStreaming", "StopContactStreaming",
            ])
    }
}
