import Expectations
import TerminalChat
import TestSupport
import Testing
import Texts

@testable import CLI

@Suite("What no rule heard fails a chat that asks for it", .timeLimit(.minutes(5)))
struct UnmatchedVerdictTests {
    private static let body = #"""
        {"unmatched":[
        {"session":"s-1","text":"a tabel","nearest":[{"rule":"book","file":"booking.json5","line":34,
        "why":"\"table\" is one letter away from \"tabel\"","reason":"spelling","advice":"add \"tabel\" to line 35"}]},
        {"session":"s-2","text":"xyz","nearest":[{"rule":"book","file":"b","line":1,"why":"no word in common",
        "reason":"nothing","advice":null}]},
        {"session":null,"text":"GET /x","nearest":[]}],"policy":"warn"}
        """#

    @Test(
        "Exit code 5 for an unmatched message of any session of the chat; a failure of the chat itself stays what it was"
    )
    func codes() async throws {
        let server = try await CannedServer { _ in .json(200, Self.body) }
        let verdict = UnmatchedVerdict(url: server.url, token: nil)
        await expectEqual(verdict.code(after: .init(code: 0, sessions: ["s-1"])), 5)
        await expectEqual(verdict.code(after: .init(code: 3, sessions: ["s-1"])), 3)
        await expectEqual(verdict.code(after: .init(code: 0, sessions: ["s-3"])), 0)
        await expectEqual(verdict.code(after: .init(code: 0, sessions: ["s-1", "s-3"])), 5)
        #expect(server.requests.all.allSatisfy { $0.line.hasPrefix("GET /_mock/unmatched") })
        await server.stop()
        await expectEqual(verdict.code(after: .init(code: 0, sessions: ["s-3"])), 1)
        await expectEqual(verdict.code(after: .init(code: 4, sessions: ["s-1"])), 4)
    }

    @Test("The nearest rule is named with its place, the reason, and what to change")
    func sentences() throws {
        let items = try JSONReader.read(Array(Self.body.utf8))["unmatched"]?.array ?? []
        expectEqual(
            items.map(UnmatchedVerdict.sentence),
            [
                #"no rule heard "a tabel"; nearest is "book", booking.json5:34: "table" is one letter away from "#
                    + #""tabel"; add "tabel" to line 35"#,
                #"no rule heard "xyz", and none came near"#, #"no rule heard "GET /x", and none came near"#,
            ])
    }
}
