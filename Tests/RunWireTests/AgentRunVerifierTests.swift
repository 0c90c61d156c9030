import Expectations
import RunWire
import Testing
import Texts

@Suite("The order of events")
struct AgentRunVerifierTests {
    /// The violations found in a stream.
    enum Flaw: Equatable {
        case breaks(SequenceViolation)
        /// No event has ended the run.
        case truncated
    }

    /// What the verifier says of a whole stream; nil when all is right.
    private func violation(
        _ events: [RunEvent], _ profile: RunProfile, thread: String? = nil, run: String? = nil
    ) -> Flaw? {
        var verifier = RunVerifier(profile: profile, threadID: thread, runID: run)
        do throws(SequenceViolation) {
            for event in events { _ = try verifier.consume(event) }
            return verifier.isComplete ? nil : .truncated
        } catch {
            return .breaks(error)
        }
    }

    private static let expected: [(String, Flaw)] = [
        ("invalid-01", .breaks(.firstEventNotRunStarted)), ("invalid-02", .breaks(.textNotOpen)),
        ("invalid-03", .breaks(.textNotOpen)),
        ("invalid-04", .breaks(.textAlreadyOpen)), ("invalid-05", .breaks(.textOpenAtFinish)),
        ("invalid-06", .breaks(.toolCallNotOpen)),
        ("invalid-07", .breaks(.toolCallNotOpen)), ("invalid-08", .breaks(.toolCallAlreadyOpen)),
        ("invalid-09", .breaks(.toolCallOpenAtFinish)), ("invalid-10", .breaks(.stepOpenAtFinish)),
        ("invalid-11", .breaks(.stepNotOpen)),
        ("invalid-12", .breaks(.stepAlreadyOpen)), ("invalid-13", .breaks(.runAlreadyActive)),
        ("invalid-14", .breaks(.eventAfterFinish)),
        ("invalid-15", .breaks(.eventAfterError)), ("invalid-16", .breaks(.firstChunkLacksIdentity)),
        ("invalid-17", .breaks(.firstChunkLacksIdentity)), ("invalid-18", .truncated),
        ("invalid-19", .breaks(.runMismatch)),
        ("invalid-20", .breaks(.reasoningNotOpen)), ("invalid-21", .breaks(.reasoningOpenAtFinish)),
    ]

    @Test("Each wrong stream breaks the one rule that it is named after", arguments: expected)
    func invalid(_ name: String, _ flaw: Flaw) throws {
        expectEqual(self.violation(try ExampleFile.named(name).events(), .v1), flaw)
    }

    @Test("All wrong streams have their line above")
    func complete() {
        expectEqual(ExampleFile.streams.filter { $0.name.hasPrefix("invalid") }.count, Self.expected.count)
    }

    @Test("Version 0 takes what it does not look at; a stream that is cut it does not", arguments: expected)
    func versionZero(_ name: String, _ flaw: Flaw) throws {
        let lenient: Set<String> = ["invalid-19", "invalid-20", "invalid-21"]
        expectEqual(
            self.violation(try ExampleFile.named(name).events(), .v0),
            lenient.contains(name) ? nil : flaw)
    }

    @Test("Each right stream is right in its profile", arguments: ExampleFile.valid)
    func valid(_ file: ExampleFile) throws {
        expectEqual(violation(try file.events(), file.profile), nil)
        // What is not retired is right in version 1 as well.
        expectEqual(violation(try file.events(), .v1), nil)
    }

    @Test("Thread and run are those of the request, in version 1")
    func request() throws {
        let events = try ExampleFile.named("01").events()
        expectEqual(violation(events, .v1, thread: "thr-01", run: "run-01"), nil)
        expectEqual(violation(events, .v1, thread: "thr-02", run: "run-01"), .breaks(.threadMismatch))
        expectEqual(violation(events, .v1, thread: "thr-01", run: "run-02"), .breaks(.runMismatch))
        expectEqual(violation(events, .v0, thread: "thr-02", run: "run-02"), nil)
        // The second run of a response has an id of its own.
        let two = try ExampleFile.named("18").events()
        expectEqual(violation(two, .v1, thread: "thr-18", run: "run-18a"), nil)
    }

    private let start = RunEvent(.runStarted(RunStart(threadID: "t", runID: "r")))
    private let end = RunEvent(.runFinished(RunFinish(threadID: "t", runID: "r")))

    @Test("What belongs to a subagent comes while that is open, and it is closed in the end")
    func subagents() {
        let open = RunEvent(.subagentStarted(SubagentStart(id: "s", name: "n")))
        let close = RunEvent(.subagentError(id: "s", message: "no", code: nil))
        let inside = RunEvent(.custom(name: "c", value: .null), subagentRunID: "s")
        expectEqual(violation([start, open, inside, close, end], .v1), nil)
        expectEqual(violation([start, inside, end], .v1), .breaks(.subagentNotOpen))
        expectEqual(violation([start, close, end], .v1), .breaks(.subagentNotOpen))
        expectEqual(violation([start, open, end], .v1), .breaks(.subagentOpenAtFinish))
    }

    @Test(
        "A late error is allowed after the end of a run, a new run after an error, and unknown events everywhere"
    )
    func late() {
        let error = RunEvent(.runError(RunError(message: "m")))
        let unknown = RunEvent(.unknown(type: "X", body: ["type": .string("X")]))
        expectEqual(violation([start, end, error], .v1), nil)
        expectEqual(violation([error, start, end], .v0), nil)
        expectEqual(violation([error, error], .v0), .breaks(.eventAfterError))
        expectEqual(violation([unknown, start, unknown, end, unknown], .v1), nil)
        expectEqual(violation([], .v1), .truncated)
    }

    @Test("One more piece is right while its item is open, as an event with it is")
    func pieces() {
        let items: [(RunVerifier.Item, RunEvent.Kind, RunEvent.Kind, SequenceViolation)] = [
            (.text, .textStart(id: "x", role: nil, name: nil), .textEnd(id: "x"), .textNotOpen),
            (
                .call, .toolStart(id: "x", name: "f", parentMessageID: nil), .toolEnd(id: "x"),
                .toolCallNotOpen
            ),
            (
                .reasoning, .reasoningMessageStart(id: "x"), .reasoningMessageEnd(id: "x"),
                .reasoningNotOpen
            ),
        ]
        for (item, open, close, violation) in items {
            var verifier = RunVerifier(profile: .v1)
            var found: [SequenceViolation?] = []
            for event in [start, RunEvent(open), RunEvent(close), end] {
                for isBefore in [true, false] {
                    if !isBefore { _ = try? verifier.consume(event) }
                    do throws(SequenceViolation) {
                        try verifier.goOn(with: item, "x")
                        found.append(nil)
                    } catch {
                        found.append(error)
                    }
                }
            }
            let idle = SequenceViolation.firstEventNotRunStarted
            expectEqual(found, [idle, violation, violation, nil, nil, violation, violation, idle])
        }
    }

    @Test("Chunks may not contradict the first one of their item, in version 1")
    func conflicts() {
        let first = RunEvent(.toolChunk(id: "c", name: "f", parentMessageID: "m", delta: "{"))
        let others: [RunEvent.Kind] = [
            .toolChunk(id: "c", name: "g", parentMessageID: nil, delta: nil),
            .toolChunk(id: nil, name: nil, parentMessageID: "n", delta: "}"),
        ]
        for other in others {
            expectEqual(violation([start, first, RunEvent(other), end], .v1), .breaks(.chunkConflict))
            expectEqual(violation([start, first, RunEvent(other), end], .v0), nil)
        }
        let text = RunEvent(.textChunk(id: "m", role: nil, delta: "a", name: nil))
        let user = RunEvent(.textChunk(id: nil, role: .user, delta: "b", name: nil))
        expectEqual(violation([start, text, user, end], .v1), .breaks(.chunkConflict))
    }

    @Test("Retired reasoning has to nest")
    func thinking() {
        func check(_ kinds: RunEvent.Kind...) -> Flaw? {
            violation([start] + kinds.map { RunEvent($0) } + [end], .v0)
        }
        expectEqual(check(.thinkingTextStart), .breaks(.reasoningNotOpen))
        expectEqual(
            check(.thinkingStart(title: nil), .thinkingTextContent(delta: "x")), .breaks(.reasoningNotOpen))
        expectEqual(check(.thinkingStart(title: nil), .thinkingTextEnd), .breaks(.reasoningNotOpen))
        expectEqual(
            check(.thinkingStart(title: nil), .thinkingTextStart, .thinkingEnd), .breaks(.reasoningNotOpen))
        expectEqual(
            check(.thinkingStart(title: nil), .thinkingTextStart, .thinkingTextEnd, .thinkingEnd), nil)
    }

    @Test("Chunks become starts, contents and ends")
    func expansion() throws {
        var expander = RunExpander(profile: .v0)
        let types = try ExampleFile.named("14").events().flatMap { try expander.expand($0).map(\.type) }
        expectEqual(
            types,
            [
                "RUN_STARTED", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT",
                "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "TOOL_CALL_START", "TOOL_CALL_ARGS",
                "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED",
            ])
        let raw = RunEvent(.raw(event: .null, source: nil))
        let first = RunEvent(.textChunk(id: "a", role: nil, delta: "x", name: nil))
        let other = RunEvent(
            .textChunk(id: "b", role: nil, delta: nil, name: nil), metadata: ["k": .bool(true)])
        try expectEqual(expander.expand(first).map(\.type), ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"])
        try expectEqual(expander.expand(raw), [raw])
        let next = try expander.expand(other)
        expectEqual(next.map(\.type), ["TEXT_MESSAGE_END", "TEXT_MESSAGE_START"])
        expectEqual(next.map { $0.metadata == nil }, [true, false])
    }

    @Test("Each rule has a sentence of its own")
    func sentences() {
        expectEqual(Set(SequenceViolation.allCases.map(\.sentence)).count, SequenceViolation.allCases.count)
    }
}
