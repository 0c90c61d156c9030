import Clocks
import ConversationEngine
import Expectations
import HTTPCore
import Matching
import MockServer
import ServerCore
import TestSupport
import Testing

@testable import MockServer

@Suite("What the log says about messages that no rule heard")
struct UnmatchedLogTests {
    private let report = UnmatchedReport(
        message: "ho\u{1B}[2J", stage: "start", session: "s1", number: 1, file: "f.json5",
        misses: NearMiss.nearest(
            to: PreparedMessage("ho"),
            among: [.init(name: "never", place: SourcePlace(line: 3, column: 1), hears: .any([]))]),
        said: "Pardon?", saidBy: "otherwise 1")

    private func tell(
        _ logger: Logger, reportsUnmatched: Bool = true, _ report: @escaping () -> UnmatchedReport?
    ) {
        let outbox = DeliveryLog(
            handle: SessionHandle(slot: 0, generation: 0), id: "s1", dialect: 0, encoder: PaperEncoder(),
            file: "f.json5")
        let note = Note.unmatched(UnmatchedMessage(text: "ho", number: 1, stage: "start"))
        logger.log(.noted(note, of: outbox, UnmatchedReasons(report)), reportsUnmatched: reportsUnmatched)
    }

    @Test("In text the report is as many lines as it has, and no message can move the cursor")
    func text() {
        let lines = Locked<[String]>([])
        let logger = Logger(.text { line in lines.withLock { $0.append(line) } })
        tell(logger) { report }
        expectEqual(
            lines.withLock { $0 },
            [
                #"unmatched       Nothing heard "ho\u{1B}[2J" in stage "start" (session s1, message 1)."#,
                "  1  never   f.json5:3   no word in common", #"  folded  "ho 2j""#,
                #"  said    "Pardon?"   from otherwise 1"#,
            ])
    }

    @Test("As JSON it is one object; where the policy lets it pass, it is not asked for")
    func jsonAndQuiet() {
        let lines = Locked<[String]>([])
        tell(Logger(.json { line in lines.withLock { $0.append(line) } })) { report }
        expectEqual(lines.withLock { $0.count }, 1)
        #expect(
            lines.withLock { $0[0] }.hasPrefix(
                #"{"event":"unmatched","session":"s1","detail":"Nothing heard"#))
        tell(Logger(.json { _ in }), reportsUnmatched: false) {
            Issue.record("asked")
            return nil
        }
    }
}

@Suite("Unmatched traffic has a policy", .timeLimit(.minutes(5)))
struct UnmatchedPolicyTests {
    @Test("The report on a long message looks at its beginning", arguments: [true, false] as [Bool])
    func longMessage(isNear: Bool) async throws {
        try await World.run { configuration in
            configuration.fixtureText = fixture(#"{ hears: "reservation", replies: [ { say: "Yes." } ] }"#)
            configuration.unmatched = .warn
        } _: { world in
            let (_, talk) = try await world.greeted()
            let filler = String(repeating: ". ", count: MatchingLimits.reportCharacters / 2)
            talk.say(isNear ? "resevation" + filler : filler + "resevation")
            try await world.reply(talk)
            try await world.logged("Nothing heard")
            try await talk.settle()
            expectEqual(world.log.all.contains { $0.contains("reservation") }, isNear)
        }
    }

    private func unmatched(_ policy: Configuration.Unmatched) async throws -> [String] {
        try await World.run { configuration in
            configuration.fixtureText = fixture("")
            configuration.unmatched = policy
        } _: { world in
            let (_, talk) = try await world.greeted()
            talk.say("resevation")
            try await world.reply(talk)
            _ = try await world.client.request("GET", "/api/v2/sessions", [:], body: "")
            return await world.server.unmatched
        }
    }

    @Test(
        "Warned about or failed for, each has its reason in a line",
        arguments: [
            Configuration.Unmatched.warn, .fail,
        ] as [Configuration.Unmatched])
    func delivered(policy: Configuration.Unmatched) async throws {
        let lines = try await unmatched(policy)
        expectEqual(lines.count, 2)
        expectEqual(lines.first?.contains("Nothing heard \"resevation\""), true)
        expectEqual(
            lines.last,
            "nothing here answers GET /api/v2/sessions; did you mean POST /api/v1/sessions?")
    }

    @Test("Let pass, nothing is remembered")
    func passed() async throws {
        #expect(try await unmatched(.pass).isEmpty)
    }
}
