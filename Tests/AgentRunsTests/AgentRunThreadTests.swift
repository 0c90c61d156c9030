import AgentRuns
import Clocks
import Expectations
import TestSupport
import Testing

@Suite("A thread with an agent")
struct AgentRunThreadTests {
    private struct Declined: Error, CustomStringConvertible {
        let description = "declined by user"
    }

    private let tool = AGUITool(name: "pick_date", description: "Lets the user choose a date")

    @Test("Tools are offered, run, and their answers sent; the thread goes on until nothing waits")
    func tools() async throws {
        let rig = try await Rig(try .example("12a"), try .example("12b"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-12")
        await thread.register(tool) { arguments in
            arguments["min"] == .string("2026-12-01") ? "2026-12-04" : "?"
        }
        _ = try await thread.send("Book me in")
        let done = try await thread.runToCompletion()
        expectEqual(done.visibleText, "You are booked for 4 December.")
        let bodies = try rig.bodies()
        expectEqual(bodies.map { $0.tools.map(\.name) }, [["pick_date"], ["pick_date"]])
        #expect(bodies[0].runID != bodies[1].runID)
        guard case .tool(_, "tc-1", .text("2026-12-04"), nil)? = bodies[1].messages.last else {
            Issue.record("\(bodies[1].messages)")
            return
        }
        await expectEqual(thread.messages.map(\.role), [.user, .assistant, .tool, .assistant])
        await rig.stop()
    }

    @Test("What a tool throws becomes the error of its answer")
    func declined() async throws {
        let rig = try await Rig(try .example("12a"), try .example("12c"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-12")
        await thread.register(tool) { _ in throw Declined() }
        _ = try await thread.send("Book me in")
        let done = try await thread.runToCompletion()
        expectEqual(done.visibleText, "No problem, we can do it later.")
        guard case .tool(_, "tc-1", .text(""), "declined by user")? = try rig.bodies()[1].messages.last else {
            Issue.record("no error")
            return
        }
        await rig.stop()
    }

    @Test("A call without a tool here ends it, and can be answered by hand; runs are counted")
    func byHand() async throws {
        let rig = try await Rig(try .example("12a"), try .example("12b"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-12")
        _ = try await thread.send("Book me in")
        let waiting = try await thread.runToCompletion()
        expectEqual(waiting.pendingToolCalls.map(\.name), ["pick_date"])
        expectEqual(rig.server.requests.all.count, 1)
        await #expect(throws: AgentRunError.invalidInput(#"No call "x" waits for an answer."#)) {
            try await thread.answer("x", content: "")
        }
        try await thread.answer("tc-1", content: "2026-12-04")
        let done = try await thread.runToCompletion()
        #expect(done.pendingToolCalls.isEmpty && rig.server.requests.all.count == 2)
        let told = try rig.bodies().last?.messages.last?.role
        expectEqual(told, .tool)
        _ = try await thread.runToCompletion()
        expectEqual(rig.server.requests.all.count, 2, "an answer is told once")
        let same = try await Rig(try .example("12a"))
        let other = AGUIThread(agent: same.agent, threadID: "thr-12")
        await other.register(tool) { _ in "again" }
        _ = try await other.runToCompletion(maxRuns: 3)
        expectEqual(same.server.requests.all.count, 3)
        await rig.stop()
        await same.stop()
    }

    @Test("An interrupt stops the thread until all of it is answered in time")
    func approval() async throws {
        let rig = try await Rig(try .example("13a"), try .example("13b"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-13")
        _ = try await thread.send("Refund order O-19")
        let asked = try await thread.runToCompletion()
        guard case .finished(.interrupted) = asked.phase else {
            Issue.record("\(asked.phase)")
            return
        }
        await expectEqual(thread.pendingInterrupts.map(\.message), ["Approve a £24.00 refund for O-19?"])
        await #expect(throws: AgentRunError.interruptsUnanswered(["int-1"])) { try await thread.send("And?") }
        await #expect(throws: AgentRunError.interruptsUnanswered(["int-1"])) { try await thread.resume([]) }
        let stray = ResumeEntry(interruptID: "int-2", status: .cancelled)
        await #expect(throws: AgentRunError.invalidInput(#"Nothing called "int-2" waits for an answer."#)) {
            try await thread.resume([stray])
        }
        let yes = ResumeEntry(
            interruptID: "int-1", status: .resolved, payload: .object(["approved": .bool(true)]))
        let done = try await thread.resume([yes]).collect()
        expectEqual(done.visibleText, "The refund is on its way.")
        try expectEqual(rig.bodies().last?.resume, [yes])
        await expectEqual(
            thread.state,
            .object(["refund": .object(["order": .string("O-19"), "status": .string("done")])]))
        await expectEqual(thread.pendingInterrupts, [])
        await rig.stop()
    }

    @Test("What a person was asked waits again when the answer could not be brought to the agent")
    func failedResume() async throws {
        let rig = try await Rig(try .example("13a"), .json(503, "{}"), try .example("13b"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-13")
        _ = try await thread.send("Refund order O-19")
        _ = try await thread.runToCompletion()
        let yes = ResumeEntry(
            interruptID: "int-1", status: .resolved, payload: .object(["approved": .bool(true)]))
        await #expect(throws: AgentRunError.http(status: 503, body: "{}")) {
            try await thread.resume([yes]).collect()
        }
        await expectEqual(thread.pendingInterrupts.map(\.id), ["int-1"])
        await #expect(throws: AgentRunError.interruptsUnanswered(["int-1"])) {
            try await thread.runToCompletion()
        }
        let done = try await thread.resume([yes]).collect()
        expectEqual(done.visibleText, "The refund is on its way.")
        await expectEqual(thread.pendingInterrupts, [])
        await rig.stop()
    }

    @Test("An answer that comes too late is refused here, and can be cancelled")
    func expired() async throws {
        let rig = try await Rig(try .example("13a"), try .example("13c"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-13")
        _ = try await thread.send("Refund order O-19")
        _ = try await thread.runToCompletion()
        for _ in 0..<3 { rig.clock.advance(by: .hours(24 * 365 * 70)) }
        await #expect(throws: AgentRunError.interruptExpired("int-1")) {
            try await thread.resume([ResumeEntry(interruptID: "int-1", status: .resolved)])
        }
        let done = try await thread.resume([ResumeEntry(interruptID: "int-1", status: .cancelled)]).collect()
        #expect(!done.visibleText.isEmpty)
        await expectEqual(thread.pendingInterrupts, [])
        await rig.stop()
    }

    @Test("After a restart the thread knows the question that waits, or the tools")
    func reconnects() async throws {
        let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#
        let messages = """
            {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"Hi"},\
            {"id":"m","role":"assistant","toolCalls":[{"id":"tc-1","type":"function",\
            "function":{"name":"pick_date","arguments":"{}"}}]}]}
            """
        func end(_ outcome: String) -> String {
            #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":\#(outcome)}"#
        }
        let asked = end(#"{"type":"interrupt","interrupts":[{"id":"i","reason":"confirmation"}]}"#)
        let waits = end(#"{"type":"success","pendingToolCallIds":["tc-1","gone"]}"#)
        let rig = try await Rig(
            .stream([start, messages, asked]), .stream([start, messages, waits]), try .example("12b"))
        let thread = AGUIThread(agent: rig.agent, threadID: "thr-12")
        _ = try await thread.reconnect().collect()
        await expectEqual(thread.pendingInterrupts.map(\.id), ["i"])
        await thread.register(tool) { _ in "2026-12-04" }
        _ = await thread.reconnect()
        let done = try await thread.runToCompletion()
        expectEqual(done.visibleText, "You are booked for 4 December.")
        guard case .tool(_, "tc-1", .text("2026-12-04"), nil)? = try rig.bodies().last?.messages.last else {
            Issue.record("no answer")
            return
        }
        await rig.stop()
    }

    @Test("Another message takes the place of a run that is under way")
    func superseded() async throws {
        let rig = try await Rig(
            .stream([#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#], ends: false), try .example("01"))
        let thread = AGUIThread(agent: rig.agent, threadID: "t")
        let first = try await thread.send("One")
        var events = first.makeAsyncIterator()
        _ = try await events.next()
        _ = try await thread.send("Two")
        await #expect(throws: AgentRunError.cancelled) { try await first.collect() }
        let done = try await thread.runToCompletion()
        expectEqual(done.visibleText, "Yes, from 10:00 to 16:00.")
        await rig.stop()
    }

    @Test("A tool of a name that is known is replaced, and leaves the others alone")
    func replaced() async throws {
        let rig = try await Rig(try .example("01"))
        let thread = AGUIThread(agent: rig.agent, threadID: "t")
        for (name, description) in [("a", "1"), ("b", "2"), ("a", "3")] {
            await thread.register(AGUITool(name: name, description: description)) { _ in "" }
        }
        _ = try await thread.send("Hi").collect()
        try expectEqual(rig.bodies()[0].tools.map { $0.name + $0.description }, ["b2", "a3"])
        await rig.stop()
    }

    private static let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#

    private static func finish(_ outcome: String) -> String {
        #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":\#(outcome)}"#
    }

    private static func asks(until end: String = "2026-12-01T12:00:00Z") -> CannedServer.Reply {
        let interrupt = #"{"id":"i","reason":"confirmation","expiresAt":"\#(end)"}"#
        return .stream([start, finish(#"{"type":"interrupt","interrupts":[\#(interrupt)]}"#)])
    }

    @Test("An answer is in time up to the moment that the agent named", arguments: [-1, 0] as [Int])
    func lastMoment(nanoseconds: Int) async throws {
        let rig = try await Rig(Self.asks(), .stream([Self.start, Self.finish(#"{"type":"success"}"#)]))
        let thread = AGUIThread(agent: rig.agent, threadID: "t")
        _ = try await thread.send("Hi").collect()
        // 2026-12-01T12:00:00Z.
        rig.clock.advance(to: Instant(nanosecondsSince1970: 1_796_126_400_000_000_000 + Int64(nanoseconds)))
        let yes = [ResumeEntry(interruptID: "i", status: .resolved)]
        if nanoseconds < 0 {
            _ = try await thread.resume(yes).collect()
        } else {
            await #expect(throws: AgentRunError.interruptExpired("i")) { try await thread.resume(yes) }
        }
        await rig.stop()
    }

    @Test("A thread that waits for a person says so again and again, and asks for no run")
    func waits() async throws {
        let rig = try await Rig(Self.asks(), .json(503, ""))
        let thread = AGUIThread(agent: rig.agent, threadID: "t")
        _ = try await thread.send("Hi")
        let asked = try await thread.runToCompletion()
        #expect(try await thread.runToCompletion() == asked && rig.server.requests.all.count == 1)
        _ = try await thread.resume([ResumeEntry(interruptID: "i", status: .resolved)])
        await #expect(throws: AgentRunError.self) { try await thread.runToCompletion() }
        await #expect(throws: AgentRunError.interruptsUnanswered(["i"])) {
            try await thread.runToCompletion()
        }
        expectEqual(rig.server.requests.all.count, 2)
        await rig.stop()
    }

    @Test("What an agent has stored is asked for once, and no run at all is none to wait for")
    func retold() async throws {
        let rig = try await Rig(.stream([Self.start, Self.finish(#"{"type":"success"}"#)]))
        let thread = AGUIThread(agent: rig.agent, threadID: "t")
        _ = await thread.reconnect()
        _ = try await thread.runToCompletion()
        expectEqual(rig.server.requests.all.count, 1)
        await #expect(throws: AgentRunError.invalidInput("maxRuns has to be 1 or more.")) {
            try await thread.runToCompletion(maxRuns: 0)
        }
        await rig.stop()
    }
}
