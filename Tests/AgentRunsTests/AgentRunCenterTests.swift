import AgentRuns
import Clocks
import Expectations
import RunWire
import TestSupport
import Testing

private final class Ear: AgentRunListener {
    let lines = Gathering<String>()

    func agentRunDidReceive(_ event: AgentRunEvent) { lines.append(event.wire.type) }
    func agentRunDidPersist(_ message: AgenticMessage) { lines.append("left \(message.id.rawValue)") }
    func agentRunWasInterrupted(_ run: RunID, reason: AgentRunInterruption) {
        lines.append("\(run.rawValue) \(reason)")
    }
}

@Suite("All runs of an agent, watched")
struct AgentRunCenterTests {
    @Test("Everybody hears all events in order; what a run leaves follows its end, and is history")
    func whole() async throws {
        let rig = try await Rig(try .example("02"))
        let ear = Ear()
        rig.center.addListener("ear", ear)
        var (events, messages) = (
            rig.center.events.makeAsyncIterator(), rig.center.messages.makeAsyncIterator()
        )
        var input = rig.input
        (input.threadID, input.runID) = ("thr-02", "run-02")
        _ = try await rig.agent.stream(input).collect()
        let lines = try await ear.lines.wait(count: 15)
        expectEqual(lines.suffix(4), ["RUN_FINISHED", "left m-1", "left t-1", "left m-2"])
        for line in lines.prefix(12) { await expectEqual(events.next()?.wire.type, line) }
        var left: [AgenticMessage] = []
        for _ in 0..<3 { if let message = await messages.next() { left.append(message) } }
        guard case .toolArguments(let arguments)? = left.first, case .assistant(let reply)? = left.last else {
            Issue.record("\(left)")
            return
        }
        try expectEqual(arguments.calls.map { try $0.decodedArguments()["city"] }, [.string("Leeds")])
        #expect(reply.text == "It is 11 °C and overcast in Leeds." && !reply.isPartial)
        // A run can be watched again from its first event.
        var again = 0
        for await _ in rig.center.events(of: "run-02") { again += 1 }
        expectEqual(again, 12)
        try await expectEqual(rig.center.history(of: "thr-02", before: "m-2", limit: 1).map(\.id), ["t-1"])
        await #expect(throws: AgentRunError.self) {
            try await rig.center.history(of: "thr-02", before: "x", limit: 1)
        }
        expectEqual(rig.center.snapshot(of: "run-02")?.visibleText, reply.text)
        #expect(rig.center.activeRuns.isEmpty && rig.center.snapshot(of: "x") == nil)
        for await _ in rig.center.events(of: "x") { Issue.record("an event of no run") }
        await rig.stop()
    }

    @Test("A run leaves its own calls and answers, not those that a snapshot of the thread repeats")
    func repeated() async throws {
        let call = #"{"id":"c-0","type":"function","function":{"name":"look","arguments":"{}"}}"#
        let before = #"{"id":"m-0","role":"assistant","toolCalls":[\#(call)]}"#
        let answer = #"{"id":"t-0","role":"tool","toolCallId":"c-0","content":"old"}"#
        let rig = try await Rig(
            .stream([
                #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
                #"{"type":"MESSAGES_SNAPSHOT","messages":[\#(before),\#(answer)]}"#,
                #"{"type":"TOOL_CALL_START","toolCallId":"c-1","toolCallName":"look","parentMessageId":"m-1"}"#,
                #"{"type":"TOOL_CALL_END","toolCallId":"c-1"}"#,
                #"{"type":"TOOL_CALL_RESULT","messageId":"t-1","toolCallId":"c-1","content":"new"}"#,
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
            ]))
        let ear = Ear()
        rig.center.addListener("ear", ear)
        _ = try await rig.agent.stream(rig.input).collect()
        let lines = try await ear.lines.wait(count: 9)
        expectEqual(lines.suffix(3), ["left m-1", "left t-1", "left m-1"])
        await rig.stop()
    }

    @Test("A run that the agent calls by another name ends under that name")
    func renamed() async throws {
        let rig = try await Rig(
            .stream([#"{"type":"RUN_STARTED","threadId":"t","runId":"own"}"#], ends: false))
        let ear = Ear()
        rig.center.addListener("ear", ear)
        let stream = rig.agent.stream(rig.input)
        _ = try await ear.lines.wait(count: 1)
        let run = try #require(rig.center.activeRuns.first?.runID)
        var events = rig.center.events(of: run).makeAsyncIterator()
        await expectEqual(events.next()?.wire.type, "RUN_STARTED")
        stream.cancel()
        #expect(await events.next() == nil && rig.center.activeRuns.isEmpty)
        await rig.stop()
    }

    @Test("A run that is cut ends for all who watch it")
    func cut() async throws {
        let rig = try await Rig(.stream([#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#], ends: false))
        let ear = Ear()
        rig.center.addListener("ear", ear)
        let stream = rig.agent.stream(rig.input)
        _ = try await ear.lines.wait(count: 1)
        expectEqual(rig.center.activeRuns.map(\.runID), ["r"])
        var events = rig.center.events(of: "r").makeAsyncIterator()
        await expectEqual(events.next()?.wire.type, "RUN_STARTED")
        stream.cancel()
        await expectEqual(events.next(), nil)
        try await expectEqual(ear.lines.wait(count: 2).last, "r superseded")
        expectEqual(rig.center.snapshot(of: "r")?.phase, .interrupted(.superseded))
        await rig.stop()
    }

    private static func start(_ run: String) -> String {
        #"{"type":"RUN_STARTED","threadId":"t","runId":"\#(run)"}"#
    }
    private static func end(_ run: String) -> String {
        #"{"type":"RUN_FINISHED","threadId":"t","runId":"\#(run)"}"#
    }

    @Test("Of runs that are over as many are kept as was said; the oldest goes first, and none that goes on")
    func retained() async throws {
        let rig = try await Rig(
            .stream([Self.start("on")], ends: false), .stream([Self.start("on2")], ends: false),
            .stream([Self.start("a"), Self.end("a")]), .stream([Self.start("b"), Self.end("b")]),
            retainedRuns: 3)
        let ear = Ear()
        rig.center.addListener("ear", ear)
        let running = [rig.agent.stream(rig.input)]
        _ = try await ear.lines.wait(count: 1)
        let second = rig.agent.stream(rig.input)
        _ = try await ear.lines.wait(count: 2)
        expectEqual(rig.center.activeRuns.map(\.runID), ["on", "on2"])
        _ = try await rig.agent.stream(rig.input).collect()
        #expect(rig.center.snapshot(of: "a") != nil)
        _ = try await rig.agent.stream(rig.input).collect()
        #expect(rig.center.snapshot(of: "a") == nil && rig.center.snapshot(of: "b") != nil)
        expectEqual(rig.center.activeRuns.map(\.runID), ["on", "on2"])
        for stream in running + [second] { stream.cancel() }
        await rig.stop()
    }

    @Test("A run that begins again under its old name is told from its new beginning, and stands last")
    func again() async throws {
        let rig = try await Rig(
            .stream([Self.start("a"), Self.end("a")]), .stream([Self.start("b"), Self.end("b")]),
            .stream([Self.start("a"), Self.start("a"), Self.end("a")]),
            .stream([Self.start("c"), Self.end("c")]), retainedRuns: 2
        ) { $0.verifiesSequence = false }
        var counts: [Int] = []
        for run in ["a", "b", "a", "c"] {
            _ = try await rig.agent.stream(rig.input).collect()
            var count = 0
            for await _ in rig.center.events(of: RunID(rawValue: run)) { count += 1 }
            counts.append(count)
        }
        expectEqual(counts, [2, 2, 3, 2])
        #expect(rig.center.snapshot(of: "b") == nil && rig.center.snapshot(of: "a") != nil)
        await rig.stop()
    }

    @Test("The reply of a run that has failed is a part of one", arguments: [false, true] as [Bool])
    func partial(fails: Bool) async throws {
        let error = #"{"type":"RUN_ERROR","message":"no"}"#
        let rig = try await Rig(.stream([Self.start("a"), fails ? error : Self.end("a")]))
        var left = rig.center.messages.makeAsyncIterator()
        _ = try await rig.agent.stream(rig.input).collect()
        guard case .assistant(let reply)? = await left.next() else {
            Issue.record("no reply")
            return
        }
        expectEqual(reply.isPartial, fails)
        await rig.stop()
    }
}
