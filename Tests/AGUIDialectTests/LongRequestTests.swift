import Clocks
import ConversationEngine
import Expectations
import Fixtures
import RunWire
import Testing
import Texts
import Timeline

@testable import AGUIDialect

/// Requests of megabytes: what is read, what is kept, and what is sent again.
@Suite("Long requests for runs")
struct LongRequestTests {
    private static let agent = """
        { fixture: 1, pace: "p", paces: { p: { think: "10ms", chunk: "whole", every: "5ms" } },
          tools: { pick: { client: true } },
          anywhere: [
            { hears: "pick", replies: [{ tool: "pick", with: {} }] },
            { hears: { tool: "pick" }, replies: [{ say: "Picked {answer.text}." }] },
            { hears: "plan", replies: [
              { state: { step: "one" }, as: "patch" }, { messages: true }, { say: "Planned {props.a}." }] },
            { hears: "*", replies: [{ say: "You said {message}." }] },
          ] }
        """

    private func user(_ id: String, _ text: String) -> RunMessage {
        RunMessage(id: id, role: .user, content: .text(text))
    }

    private func input(_ run: String, _ messages: [RunMessage], state: JSONValue? = nil) -> RunInput {
        RunInput(threadID: "thr", runID: run, state: state, messages: messages)
    }

    private func prepared(_ input: RunInput) throws -> PreparedRun {
        try PreparedRun(reading: RunEventWriter.bytes(input), isReplay: false, AGUIOptions())
    }

    private func many(_ count: Int) -> [RunMessage] {
        (0..<count).map { RunMessage(id: "m\($0)", role: .assistant, content: .text("said \($0)")) }
    }

    @Test("A long thread is told again as a short one is, and later")
    func toldAgain() throws {
        for count in [3, 2_000] {
            var stage = try RunStage(fixture: Self.agent)
            let messages = many(count) + [user("u", "Hello")]
            stage.ask(input("r-1", messages, state: .object(["a": .integer(1)])))
            let before = stage.lateCount
            let joined = stage.replayed()
            try #require(joined.count == 4)
            expectEqual(stage.lateCount - before, count > 100 ? 1 : 0)
            guard case .messagesSnapshot(let told) = try RunEventReader.read(Array(joined[1].utf8)).kind
            else {
                Issue.record("no messages: \(joined[1].prefix(100))")
                continue
            }
            #expect(Array(told.prefix(count + 1)) == messages && told.count == count + 2)
            #expect(joined[2].contains(#""snapshot":{"a":1}"#))
        }
    }

    @Test("What is kept as text is told as it would be put together, whatever came since")
    func keptAsText() throws {
        let messages = many(2_000)
        let requests: [[RunInput]] = [
            [input("r-1", messages + [user("u", "Hello")], state: .object(["a": .integer(1)]))],
            [input("r-1", messages + [user("u", "Hello")])],
            [
                input("r-1", messages + [user("u", "Hello")], state: .object(["a": .integer(1)])),
                input("r-2", [user("u-2", "plan")]),
                input("r-3", [user("u-3", "Hello")], state: .object(["b": .null])),
            ],
            // Something of the request changes: it goes back to a message, or has one of the run's own.
            [
                input("r-1", messages + [user("u", "Hello")], state: .object(["a": .integer(1)])),
                input("r-2", [user("m7", "Hello")]),
            ],
            [input("r-0", [user("u-0", "plan")]), input("r-1", messages + [user("u", "Hello")])],
        ]
        for (number, asked) in requests.enumerated() {
            for version in [nil, "1.0"] {
                var stage = try RunStage(fixture: Self.agent)
                for var request in asked {
                    request.protocolVersion = version
                    let body = RunEventWriter.bytes(request)
                    stage.ask(
                        request,
                        body: try PreparedRun(reading: body, isReplay: false, AGUIOptions()).request.input)
                }
                let log = try #require(stage.engine[stage.session]?.runs)
                let isKept = KeptThread(log) != nil
                expectEqual(isKept, number < 3, "\(number)")
                let kept = stage.replayed()
                var other = try RunStage(fixture: Self.agent)
                for var request in asked {
                    request.protocolVersion = version
                    other.ask(request, body: RunBody(RunEventWriter.bytes(request)))
                }
                let built = other.replayed()
                #expect(!kept.isEmpty && kept == built, "\(number)")
            }
        }
    }

    @Test("Messages and changes of a long state in a run are told in their place")
    func inside() throws {
        var types: [[String]] = []
        for count in [3, 2_000] {
            var stage = try RunStage(fixture: Self.agent)
            let filler: JSONValue = .array((0..<count).map { .integer(Int64($0)) })
            let run = stage.ask(
                input("r-1", many(count) + [user("u", "plan")], state: .object(["filler": filler])))
            expectEqual(stage.lateCount > 0, count > 100)
            types.append(stage.types(run))
        }
        #expect(types[0] == types[1] && types[0].contains("MESSAGES_SNAPSHOT"))
    }

    @Test("Of a long request the thread alone is kept, and all of it where an event gives it back")
    func kept() throws {
        let filler = String(repeating: "y", count: 40_000)
        var long = input("r-1", [user("u", "Hello")])
        long.forwardedProps = .object(["a": .string(filler)])
        var stage = try RunStage(fixture: Self.agent)
        let body = try prepared(long).request.input
        #expect(body.whole.count > 40_000 && body.thread.count < 200)
        stage.ask(long, body: body)
        let log = try #require(stage.engine[stage.session]?.runs)
        expectEqual(log.given["props.a"], filler)
        #expect(log.heldBytes > 40_000 && log.heldBytes < 48_000, "\(log.heldBytes)")
        var echo = try RunStage(
            fixture: """
                { fixture: 1, runs: { echo: true }, anywhere: [{ hears: "*", replies: [{ say: "Yes." }] }] }
                """)
        let run = echo.ask(long, body: body)
        #expect(echo.events(run)[0].contains(filler) && echo.lateCount == 1)
    }

    @Test("Gaps take values of a sentence's size, and no more of them than are named")
    func given() throws {
        let size = AGUILimits.givenValueBytes
        var long = input("r-1", [user("u", "Hello")])
        long.forwardedProps = .object([
            "fits": .string(String(repeating: "y", count: size - 10)),
            "large": .string(String(repeating: "y", count: size)), "small": .string("s"),
        ])
        let some = try prepared(long).request.given
        #expect(some["props.fits"] != nil && some["props.large"] == nil && some["props.small"] == "s")
        long.state = .array((0..<100).map { _ in .string(String(repeating: "z", count: 10_000)) })
        let given = try prepared(long).request.given
        let bytes = given.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        #expect(bytes <= AGUILimits.givenBytes && bytes > AGUILimits.givenBytes - size)
        long.state = .array((0..<10_000).map { .integer(Int64($0)) })
        try expectEqual(prepared(long).request.given.count, AGUILimits.givenValues)
    }

    @Test("A tool's answer of a sentence's size is a value for gaps, a larger one stays in the thread alone")
    func longAnswer() throws {
        for bytes in [ConversationLimits.answerBytes, ConversationLimits.answerBytes + 1] {
            var stage = try RunStage(fixture: Self.agent)
            stage.ask(input("r-1", [user("u-1", "pick")]))
            let call = try #require(stage.engine[stage.session]?.runs?.pendingCalls.first?.id)
            let text = String(repeating: "y", count: bytes)
            stage.ask(
                input("r-2", [RunMessage(id: "t-1", role: .tool, content: .text(text), toolCallID: call)]))
            let isShort = bytes == ConversationLimits.answerBytes
            expectEqual(stage.told.contains("agent: Picked \(text)."), isShort)
            #expect(stage.told.contains { $0.hasPrefix("agent: Picked") })
            let joined = stage.replayed()
            #expect(joined.contains { $0.contains(text) })
        }
    }

    @Test("A request of very many values is refused for that")
    func values() throws {
        let filler = String(repeating: "1,", count: AGUILimits.values)
        let body = #"{"threadId":"t","runId":"r","messages":[],"state":[\#(filler)0]}"#
        #expect {
            try PreparedRun(reading: Array(body.utf8), isReplay: false, AGUIOptions())
        } throws: { error in
            guard case .json(let reason)? = (error as? RunFormatError)?.problem else { return false }
            return reason.reason == .tooMany
        }
    }

    @Test("Of very many answers and decisions those count that something waits for")
    func manyAnswers() throws {
        let count = AGUILimits.answers + 1
        let answers = (0..<count).map {
            RunMessage(id: "m\($0)", role: .tool, content: .text("\($0)"), toolCallID: "c\($0)")
        }
        for number in [2, AGUILimits.answers] {
            let few = try prepared(input("r-1", Array(answers.prefix(number))))
            expectEqual(few.words(in: nil), few.request.words)
        }
        let many = try prepared(input("r-1", answers))
        expectEqual(many.claims.answered.count, count)
        expectEqual(
            many.words(in: nil), .answers([RunAnswer(call: "c0", content: "0", parts: ["value": "0"])]))
        var decided = input("r-1", [])
        decided.resume = (0..<count).map { RunResume(interruptID: "i\($0)", status: .resolved) }
        try expectEqual(
            prepared(decided).words(in: nil), .decisions([RunDecision(ask: "i0", isResolved: true)]))
        decided.resume?.append(RunResume(interruptID: "i7", status: .cancelled))
        let twice = RunDecision(ask: "i7", isResolved: false)
        try expectEqual(prepared(decided).words(in: nil), .decisions([twice, twice]))
    }

    @Test("Two decisions on one interrupt are an error, and a violation")
    func decidedTwice() throws {
        let bytes = try #require(Embedded.fixture("refunds"))
        let script = FixtureLoader.compile(bytes: bytes, fileName: "refunds.json5", name: "refunds").script
        var stage = RunStage(try #require(script))
        stage.ask(input("r-1", [user("u-1", "Refund order 19")]))
        let log = try #require(stage.engine[stage.session]?.runs)
        let ask = try #require(log.pendingAsks.first)
        var decision = input("r-2", [user("u-1", "Refund order 19")])
        let yes = RunResume(
            interruptID: ask.id, status: .resolved, payload: .object(["approved": .bool(true)]))
        decision.resume = [yes, RunResume(interruptID: ask.id, status: .cancelled)]
        let claims = try prepared(decision).claims
        let broken = AGUIProtocolRules.broken(
            by: claims, log, [], isRefused: false, isRepeated: false, needsDecisions: false)
        expectEqual(broken, ["agui-all-interrupts": "two decisions on \(ask.id)"])
        let run = stage.ask(decision)
        let last = try #require(stage.events(run).last)
        #expect(last.contains("RUN_ERROR") && last.contains("interrupt_decided_twice"))
    }

    @Test("A talk hears the beginning of a long message; its thread has all of it")
    func longMessage() throws {
        var stage = try RunStage(fixture: Self.agent)
        let text = String(repeating: "é", count: ConversationLimits.heardBytes)
        stage.ask(input("r-1", [user("u-1", text)]))
        #expect(stage.told.allSatisfy { $0.utf8.count < ConversationLimits.heardBytes + 100 })
        let joined = stage.replayed()
        #expect(joined.contains { $0.contains(text) })
    }

    @Test("What a thread holds in memory is what requests brought, and goes with what takes its place")
    func held() throws {
        var stage = try RunStage(fixture: Self.agent)
        func bytes() -> Int { stage.engine[stage.session]?.runs?.heldBytes ?? 0 }
        stage.ask(input("r-1", many(2_000) + [user("u-1", "Hello")]))
        let long = RunEventWriter.bytes(input("r-1", many(2_000))).count
        #expect(bytes() > long && bytes() < long + 8_000)
        stage.ask(input("r-2", many(1) + [user("u-2", "Hello")]))
        #expect(bytes() < 8_000)
    }

    @Test("The row of a long request names what that of a short one names")
    func requestFacts() throws {
        let answer = RunMessage(id: "m", role: .tool, content: .text("1"), toolCallID: "c")
        for count in [1, 2_000] {
            let body = RunEventWriter.bytes(input("r-1", many(count) + [answer]))
            let facts = AGUIDialect.reading.facts(Array("POST /ag-ui HTTP/1.1\r\n\r\n".utf8) + body)
            #expect(facts.requestID == "r-1" && facts.id == "r-1", "\(count)")
            #expect(facts.messageID == "m" && facts.callID == "c", "\(count)")
        }
    }

    @Test("The row of a request says all answers of tools that it ends with, in order")
    func requestSayings() {
        func answer(_ call: String, _ text: String, error: String? = nil) -> RunMessage {
            RunMessage(id: "m-\(call)", role: .tool, content: .text(text), toolCallID: call, error: error)
        }
        let messages = [
            answer("c0", "0"), user("u", "Hi"), answer("c1", "1"), answer("c2", "2", error: "no"),
        ]
        let row = Row(time: Instant(secondsSince1970: 0), direction: .inbound, kind: .rest)
        let sayings = AGUIDialect.reading.sayings(RunEventWriter.bytes(input("r-1", messages)), row)
        expectEqual(sayings, [RowSaying(id: "m-c2", .user, text: "c1: 1\nc2: no")])
    }

    @Test("An agent's long message may come back with other white space, whatever its length")
    func longHistory() throws {
        var stage = try RunStage(fixture: Self.agent)
        stage.ask(input("r-1", [user("u-1", "Hello")]))
        let log = try #require(stage.engine[stage.session]?.runs)
        let word = String(repeating: "x", count: AGUILimits.comparedScalars)
        let told = Message(id: "a-1", text: "Well: \(word)")
        let entry = JournalEntry(
            sequence: 1, id: UniqueID(high: 1, low: 1), time: Instant(secondsSince1970: 0),
            event: .agentMessage(told))
        for (text, isBroken) in [("Well:\n\(word)", false), ("Will:\n\(word)", true)] {
            let message = RunMessage(id: "a-1", role: .assistant, content: .text(text))
            let broken = AGUIProtocolRules.broken(
                by: RunClaims(input("r-2", [message, user("u-2", "Hello")])), log, [entry], isRefused: false,
                isRepeated: false, needsDecisions: false)
            expectEqual(broken["agui-history-stays"] != nil, isBroken, "\(broken)")
        }
    }

    @Test("The first texts of a long event are read without the rest of it")
    func rowFacts() throws {
        let filler = String(repeating: "y", count: 40_000)
        let event =
            #"data: {"type":"RUN_STARTED","a":[1,{"b":2}],"runId":"r-1","input":{"x":"\#(filler)"},"#
            + #""messageId":"m"}"#
        let facts = AGUIDialect.reading.facts(Array(event.utf8))
        #expect(facts.type == "RUN_STARTED" && facts.requestID == "r-1" && facts.messageID == nil)
    }
}
