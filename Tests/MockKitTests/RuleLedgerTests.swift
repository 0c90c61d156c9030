import Clocks
import ConversationEngine
import Expectations
import Foundation
import Matching
import Testing

@testable import MockKit

@Suite("Rules that no test exercises", .timeLimit(.minutes(5)))
struct RuleLedgerTests {
    private let script = Script(
        name: "shop", file: "fixtures/shop.json5",
        stages: [
            Stage(
                name: "start",
                rules: [
                    Rule(name: "price", place: SourcePlace(line: 6, column: 5), steps: []),
                    Rule(place: SourcePlace(line: 7, column: 5), steps: []),
                ])
        ],
        otherwise: [Rule(place: SourcePlace(line: 11, column: 5), steps: [])],
        faults: [
            Fault(name: "tunnel", moment: .reply(1), effect: .drop),
            Fault(name: "busy", moment: .reply(1), effect: .drop),
        ])

    private func ledger(_ exercised: Set<SourcePlace>, _ fired: Set<String> = []) -> RuleLedger {
        let ledger = RuleLedger()
        ledger.add(
            scripts: [script.file: script], exercised: [script.file: exercised], fired: [script.file: fired]
        )
        return ledger
    }

    @Test(
        "They are reported by name and place, in the order of the file, with faults that never fired"
    )
    func report() {
        let report = ledger([SourcePlace(line: 6, column: 5)], ["busy"]).report
        expectEqual(
            report,
            """
            Never exercised in this run:
              fixtures/shop.json5: 2 of 3 rules
                fixtures/shop.json5:7:5: start 2
                fixtures/shop.json5:11:5: otherwise 1
                faults that never fired: tunnel
            """)
    }

    @Test("The end of a run is quiet unless POLYMOCK_UNUSED asks for the report; a misspelt word is told")
    func wish() {
        func ending(_ word: String?, _ report: String? = "two rules") -> String {
            let (text, fails) = RuleLedger.Wish(word).ending(report)
            return (text ?? "nothing") + (fails ? ", status 1" : "")
        }
        #expect(ending(nil) == "nothing" && ending("") == "nothing" && ending("quiet") == "nothing")
        #expect(ending("list") == "two rules" && ending("list", nil) == "nothing")
        #expect(ending("fail") == "two rules, status 1" && ending("fail", nil) == "nothing")
        let misspelt = "POLYMOCK_UNUSED is \"fial\": use list, fail or quiet (as without it)., status 1"
        expectEqual(ending("fial"), misspelt)
    }

    @Test("Several mocks add up, and a fixture that is exercised whole is not mentioned")
    func sum() {
        let ledger = ledger([SourcePlace(line: 6, column: 5), SourcePlace(line: 7, column: 5)], ["busy"])
        expectEqual(ledger.unused.map(\.rules.count), [1])
        ledger.add(
            scripts: [script.file: script],
            exercised: [script.file: [SourcePlace(line: 11, column: 5)]], fired: [script.file: ["tunnel"]])
        expectEqual(ledger.report, nil)
    }

    @Test("What a mock plays counts, and the text of a test does not")
    func mock() async throws {
        let log = try await withMock { mock in
            let chat = try await mock.chat()
            try await chat.say("a table")
            try await mock.expect(.reply("For how many"))
            return mock.log.withLock { $0 }
        }
        let ledger = RuleLedger()
        ledger.add(log, file: nil)
        let unused = try #require(ledger.unused.first)
        #expect(unused.rules.contains { $0.name == "hours" })
        #expect(!unused.rules.contains { $0.name == "book" })
        #expect(unused.faults.contains("tunnel"))
        let inline = try await withMock(fixture("")) { mock in
            _ = try await mock.chat()
            return mock.log.withLock { $0 }
        }
        let empty = RuleLedger()
        empty.add(inline, file: MockPlan(fixture("")).file)
        expectEqual(empty.report, nil)
    }

    @Test("A file of the working directory counts without a folder in front of it")
    func bareFile() {
        var script = script
        script.file = "shop.json5"
        let ledger = RuleLedger()
        ledger.add(
            scripts: [script.file: script], exercised: [:], fired: [:], file: MockPlan("shop.json5").file)
        expectEqual(ledger.unused.map(\.file), ["shop.json5"])
        expectEqual(MockPlan("shop").file, nil)
    }
}
