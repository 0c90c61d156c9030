import Clocks
import DialectKit
import Expectations
import HTTPCore
import MockServer
import TestSupport
import Testing
import Texts

extension World {
    /// Asks an agent for a run; returns when its answer has begun.
    func ask(_ agent: String, _ body: String, _ fields: HeaderFields = [:]) async throws -> Line {
        let line = try await client.open()
        var headers = fields
        headers.set("Content-Type", "application/json")
        line.send(Line.bytes("POST", "/ag-ui" + agent, headers, Array(body.utf8)), requests: ["POST"])
        try await line.pieces.wait(for: "an answer") { $0.isEmpty ? nil : true }
        return line
    }

    /// The whole answer to a request for a run. Runs longer than three seconds do not end.
    func run(
        _ agent: String, _ body: String, _ fields: HeaderFields = [:]
    ) async throws -> Line.Answer {
        let line = try await ask(agent, body, fields)
        await pass(.seconds(3))
        let answer = try await line.answer(0)
        line.drop()
        return answer
    }

    func violations() async -> [String] { await server.inspect { $0.violations }.map(\.protocolRule.id) }
}

extension Line.Answer {
    /// The events of a stream.
    fileprivate var events: [JSONValue] {
        text.components("\n\n").compactMap { part in
            part.hasPrefix("data: ") ? try? JSONReader.read(Array(part.dropFirst(6).utf8)) : nil
        }
    }

    fileprivate var types: [String] { events.compactMap { $0["type"]?.string } }

    fileprivate var code: String? { self["error"]?["code"]?.string }

    /// The text without stamps.
    fileprivate var unstamped: String { text.replacing(/"expiresAt":"[^"]*"/, with: "") }
}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] { split(separator: separator) }
}

private func body(_ run: String, _ text: String, _ rest: String = "") -> String {
    message(run, #"{"id":"u-\#(run)","role":"user","content":"\#(text)"}"#, rest)
}

private func message(_ run: String, _ messages: String, _ rest: String = "") -> String {
    #"{"threadId":"t-1","runId":"\#(run)","messages":[\#(messages)]\#(rest)}"#
}

@Suite("Agent runs over real sockets", .timeLimit(.minutes(5)))
struct AgentRunServerTests {
    @Test("An agent that a protocol brings along may be the server's own fixture")
    func gallery() async throws {
        try await World.run {
            $0.fixture = "01-text-only"
        } _: { world in
            for run in ["r-1", "r-2"] {
                let answer = try await world.run("", body(run, "Hi"))
                expectEqual(answer.status, 200)
                #expect(answer.types.first == "RUN_STARTED" && answer.types.last == "RUN_FINISHED")
            }
            let list = try await world.client.request("GET", "/ag-ui")["agents"]?.array ?? []
            expectEqual(list.count { $0["name"]?.string == "01-text-only" }, 1)
        }
    }

    @Test("An agent's capabilities have the name, the tools and the subagents of its fixture")
    func capabilities() async throws {
        try await World.run {
            $0.fixture = "desk"
            $0.fixtureText = """
                { fixture: 1, name: "Desk", about: "Finds things.", agent: { name: "Isla" },
                  tools: { find: { label: "Looking it up" }, pick: { client: true } },
                  anywhere: [ { hears: "find", replies: [ { tool: "find", with: {} }, { subagent: "researcher" },
                                { say: "Found." }, { subagentEnds: "researcher" } ] } ] }
                """
        } _: { world in
            let desk = try await world.client.request("GET", "/ag-ui/desk/capabilities")
            let identity = desk["identity"]
            #expect(identity?["name"]?.string == "Isla" && identity?["type"]?.string == "desk")
            #expect(identity?["description"]?.string == "Finds things.")
            let tools = desk["tools"]?["items"]?.array ?? []
            expectEqual(tools.map { $0["name"]?.string }, ["find"])
            #expect(tools.first?["description"]?.string == "Looking it up")
            let agents = desk["multiAgent"]?["subagents"]?.array ?? []
            expectEqual(agents.map { $0["name"]?.string }, ["researcher"])
            let other = try await world.client.request("GET", "/ag-ui/booking/capabilities")
            #expect(other["multiAgent"]?["supported"]?.bool == false)
        }
    }

    @Test("Who joins during a run gets the history, then the run's events to its end")
    func following() async throws {
        try await World.run {
            $0.fixture = "desk"
            $0.fixtureText = """
                { fixture: 1, pace: "slow", paces: { slow: { think: "0s", chunk: "1 word", every: "400ms" } },
                  anywhere: [ { hears: "*", replies: [ { say: "one two three four" } ] } ] }
                """
        } _: { world in
            let first = try await world.ask("/desk", body("r-1", "Hello"))
            await world.pass(.milliseconds(500))
            // As CopilotKit's client asks.
            let joined = try await world.run("/agent/desk/connect", body("r-2", "Hello"))
            let text = Array(repeating: "TEXT_MESSAGE_CONTENT", count: 4)
            expectEqual(
                joined.types,
                ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "TEXT_MESSAGE_START"]
                    + text + ["TEXT_MESSAGE_END", "RUN_FINISHED"])
            try await expectEqual(first.answer(0).types.last, "RUN_FINISHED")
            first.drop()
            let info = try await world.client.request("GET", "/ag-ui/info")
            #expect(info["agents"]?["desk"]?["name"]?.string == "desk" && info["mode"]?.string == "sse")
            #expect(info["agents"]?["default"] != nil)
        }
    }

    @Test("Behind a run its connection takes the next request, unless the client says that it was the last")
    func nextRequest() async throws {
        try await World.run { world in
            let line = try await world.ask("/weather", body("r-1", "Hello"))
            await world.pass(.seconds(3))
            try await expectEqual(line.answer(0).types.last, "RUN_FINISHED")
            try await expectEqual(line.answer(0).headers["Connection"], nil)
            let again = Line.bytes(
                "POST", "/ag-ui/weather", ["Content-Type": "application/json", "Connection": "close"],
                Array(body("r-2", "weather in Leeds").utf8))
            let seen = try await line.pieces.wait(for: "the first answer") { $0.count }
            line.send(again, requests: ["POST"])
            try await line.pieces.wait(for: "the second answer") { $0.count > seen ? true : nil }
            await world.pass(.seconds(3))
            let answer = try await line.answer(1)
            expectEqual(answer.headers["Connection"], "close")
            #expect(answer.types.contains("TOOL_CALL_RESULT") && answer.types.last == "RUN_FINISHED")
            await expectEqual(world.violations(), [])
        }
    }

    @Test("A run with a tool of the agent; its rows and its transcript tell what it says")
    func tool() async throws {
        try await World.run { world in
            let answer = try await world.run("/weather", body("r-1", "weather in Leeds"))
            expectEqual(answer.status, 200)
            expectEqual(answer.headers["Content-Type"]?.hasPrefix("text/event-stream"), true)
            let types = answer.types
            #expect(types.first == "RUN_STARTED" && types.last == "RUN_FINISHED")
            let result = try #require(answer.events.first { $0["type"]?.string == "TOOL_CALL_RESULT" })
            let call = try #require(result["toolCallId"]?.string)
            expectEqual(result["content"]?.string?.contains("overcast"), true)

            let control = try await ControlClient(world)
            let rows = try await control.get("wire?filter=corr:\(call)")["rows"]?.array ?? []
            let told = rows.compactMap { $0["type"]?.string }
            #expect(told.first == "TOOL_CALL_START" && told.last == "TOOL_CALL_RESULT")
            #expect(rows.allSatisfy { $0["corr"]?.string == call && $0["kind"]?.string == "stream" })
            let run = try await control.get("wire?filter=corr:r-1")["rows"]?.array ?? []
            let ofRun = run.compactMap { $0["type"]?.string }
            expectEqual(ofRun, ["POST /ag-ui/weather"] + types)
            let transcript = try await control.get("export?format=transcript&session=last").text
            let lines = transcript.split(separator: "\n").compactMap { $0.split(separator: "  ").last }
            let gave = try #require(result["content"]?.string)
            expectEqual(
                lines, ["user: weather in Leeds", "tool: \(gave)", "agent: Here is the weather of Leeds."])
            await expectEqual(world.violations(), [])
        }
    }

    @Test("Streamed words of the user are the user's in a transcript")
    func userWords() async throws {
        try await World.run {
            $0.fixtureText = """
                { fixture: 1, pace: "instant", anywhere: [{ hears: "*", replies: [
                  { event: { type: "TEXT_MESSAGE_START", messageId: "m", role: "user" } },
                  { event: { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "As I said." } },
                  { event: { type: "TEXT_MESSAGE_END", messageId: "m" } }, { say: "Tea." }] }] }
                """
        } _: { world in
            _ = try await world.run("", body("r-1", "tea"))
            let transcript = try await ControlClient(world).get("export?format=transcript&session=last").text
            let lines = transcript.split(separator: "\n").compactMap { $0.split(separator: "  ").last }
            expectEqual(lines, ["user: tea", "user: As I said.", "agent: Tea."])
        }
    }

    @Test(
        "An interrupt and its resume; decisions that nobody asked for, or that leave one out, break protocol rules"
    )
    func interrupt() async throws {
        try await World.run { world in
            let asked = try await world.run("/refunds", body("r-1", "refund order 19"))
            let end = try #require(asked.events.last?["outcome"]?["interrupts"]?.array?.first)
            let id = try #require(end["id"]?.string)
            #expect(asked.events.last?["outcome"]?["type"]?.string == "interrupt")

            let strange = #","resume":[{"interruptId":"nobody","status":"cancelled"}]"#
            let failed = try await world.run("/refunds", message("r-2", "", strange))
            #expect(failed.events.last?["code"]?.string == "unknown_interrupt")
            await expectEqual(world.violations(), ["agui-asked-interrupts", "agui-all-interrupts"])

            let decision = #"{"interruptId":"\#(id)","status":"resolved","payload":{"approved":true}}"#
            let resume = #","resume":[\#(decision)]"#
            let done = try await world.run("/refunds", message("r-3", "", resume))
            #expect(done.types.contains("TOOL_CALL_RESULT") && done.types.last == "RUN_FINISHED")
            #expect(!done.types.contains("TOOL_CALL_START"))
            let transcript = try await ControlClient(world).get("export?format=transcript&session=last").text
            #expect(transcript.contains(#"user: \#(id): resolved {"approved":true}"#), "\(transcript)")
            // What was asked stands before what was decided, once, although the thread is told again.
            let question = try #require(end["message"]?.string)
            let lines = transcript.split(separator: "\n").compactMap { $0.split(separator: "  ").last }
            let asking = try #require(lines.firstIndex(of: "agent: \(question)"))
            let deciding = try #require(lines.firstIndex { $0.hasPrefix("user: \(id)") })
            #expect(asking < deciding && lines.filter { $0 == "agent: \(question)" }.count == 1)
            // A client that sends the thread along.
            let again = try await world.run("/refunds", body("r-4", "refund order 19"))
            let next = try #require(again.events.last?["outcome"]?["interrupts"]?.array?.first?["id"]?.string)
            let refusal = #","resume":[{"interruptId":"\#(next)","status":"cancelled"}]"#
            let said = #"{"id":"u-r-4","role":"user","content":"refund order 19"}"#
            _ = try await world.run("/refunds", message("r-5", said, refusal))
            let whole = try await ControlClient(world).get("export?format=transcript&session=last").text
            #expect(whole.contains("user: \(next): cancelled"), "\(whole)")
            await expectEqual(world.violations().count, 2)
        }
    }

    @Test("An answer to a call that nobody made breaks a protocol rule, one to a call of the agent does not")
    func answers() async throws {
        try await World.run { world in
            let asked = try await world.run("/refunds", body("r-1", "pick up my parcel"))
            let start = try #require(asked.events.first { $0["type"]?.string == "TOOL_CALL_START" })
            func answer(_ run: String, _ call: String) async throws -> Line.Answer {
                try await world.run(
                    "/refunds",
                    message(run, #"{"id":"a","role":"tool","toolCallId":"\#(call)","content":"2026-12-03"}"#))
            }
            _ = try await answer("r-2", "call-of-nobody")
            await expectEqual(world.violations(), ["agui-asked-calls"])
            let done = try await answer("r-3", try #require(start["toolCallId"]?.string))
            #expect(done.types.contains("TEXT_MESSAGE_START"))
            let transcript = try await ControlClient(world).get("export?format=transcript&session=last").text
            #expect(transcript.contains("user: call-of-nobody: 2026-12-03"), "\(transcript)")
            // Once more, as after a lost connection.
            _ = try await answer("r-4", try #require(start["toolCallId"]?.string))
            await expectEqual(world.violations(), ["agui-asked-calls"])
        }
    }

    @Test(
        "Who changes the agent's words breaks a protocol rule, who sends them back or their beginning does not"
    )
    func history() async throws {
        try await World.run { world in
            let first = try await world.run("/weather", body("r-1", "weather in Leeds"))
            let id = try #require(
                first.events.first { $0["type"]?.string == "TEXT_MESSAGE_START" }?["messageId"]?.string)
            func again(_ run: String, _ text: String) async throws {
                let old = #"{"id":"\#(id)","role":"assistant","content":"\#(text)"}"#
                let new = #"{"id":"u-\#(run)","role":"user","content":"hello"}"#
                _ = try await world.run("/weather", message(run, old + "," + new))
            }
            try await again("r-2", "Here is the weather of Leeds.")
            try await again("r-3", "Here is the")
            await expectEqual(world.violations(), [])
            try await again("r-4", "Here is the weather of Rome.")
            await expectEqual(world.violations(), ["agui-history-stays"])
        }
    }

    @Test("A client that leaves stops its run: the next one on the thread begins")
    func leaving() async throws {
        try await World.run {
            $0.fixtureText = fixture(#"{ hears: "long", replies: [ { wait: "40m" }, { say: "Done." } ] }"#)
        } _: { world in
            let first = try await world.ask("", body("r-1", "long"))
            let second = try await world.ask("", body("r-2", "hello"))
            await world.pass(.seconds(3))
            #expect(second.answers.all.isEmpty)
            first.drop()
            let answer = try await second.answer(0)
            #expect(answer.types.first == "RUN_STARTED" && answer.types.last == "RUN_FINISHED")
            #expect(answer.events.first?["runId"]?.string == "r-2")
            second.drop()
        }
    }

    @Test("Words are refused while a question waits, where the setting says so, and the protocol rule holds")
    func refusedWords() async throws {
        try await World.run {
            $0.agentRuns.words = .refuse
            $0.fixtureText = fixture(
                #"{ hears: "ask", replies: [ { ask: { name: "a", message: "Sure?" } } ] }, { hears: "hello", replies: [ { say: "Hi." } ] }"#
            )
        } _: { world in
            _ = try await world.run("", body("r-1", "ask"))
            let refused = try await world.run("", body("r-2", "hello"))
            #expect(refused.events.last?["code"]?.string == "interrupt_not_covered")
            await expectEqual(world.violations(), ["agui-all-interrupts"])
        }
    }

    @Test("Settings: a second run is refused, bodies are small, and the dialect can be off")
    func settings() async throws {
        try await World.run {
            $0.agentRuns.secondRun = .refuse
            $0.agentRuns.bodyBytes = 200
            $0.fixtureText = fixture(#"{ hears: "long", replies: [ { wait: "40m" }, { say: "Done." } ] }"#)
        } _: { world in
            let first = try await world.ask("", body("r-1", "long"))
            let second = try await world.run("", body("r-2", "hello"))
            #expect(second.status == 409 && second.code == "thread_busy")
            await expectEqual(world.violations(), ["agui-one-run-at-a-time"])
            let large = try await world.run("", body("r-3", String(repeating: "x", count: 300)))
            #expect(large.status == 413 && large.code == "too_large")
            first.drop()
        }
        try await World.run {
            $0.agentRuns.isOn = false
        } _: { world in
            let answer = try await world.run("", body("r-1", "hello"))
            expectEqual(answer.status, 404)
        }
    }

    @Test("A body has the limit of its route, with the control API and without", arguments: [true, false])
    func longBody(hasControl: Bool) async throws {
        try await World.run {
            $0.control.isOn = hasControl
            $0.limits.bodyBytes = 100
        } _: { world in
            let answer = try await world.run("", body("r-1", String(repeating: "x", count: 2_000_000)))
            expectEqual(answer.status, 200)
        }
    }

    @Test("A body without a thread is refused, and breaks a protocol rule")
    func malformed() async throws {
        try await World.run { world in
            let answer = try await world.run("", #"{"runId":"r-1","messages":[]}"#)
            #expect(answer.status == 400 && answer.code == "invalid_input")
            await expectEqual(world.violations(), ["agui-whole-body"])
        }
    }

    /// protocol-agui.md#joining-a-thread
    @Test("Who looks at a thread begins none and ends none, whatever agent the path names")
    func joining() async throws {
        try await World.run { world in
            let control = try await ControlClient(world)
            let look = message("look", "")
            let empty = try await world.run("/refunds/connect", look)
            let types = ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]
            #expect(empty.status == 200 && empty.types == types)
            expectEqual(empty.headers["Content-Type"], "text/event-stream")
            #expect(empty.headers["Transfer-Encoding"] == "chunked" && empty.headers["Content-Length"] == nil)
            expectEqual(empty.headers["X-Accel-Buffering"], "no")
            #expect(empty.events[1]["messages"]?.array == [] && empty.events[0]["runId"]?.string == "look")
            try await expectEqual(control.get("sessions")["sessions"]?.array?.isEmpty, true)

            let asked = try await world.run("/refunds", body("r-1", "refund order 19"))
            let ask = try #require(
                asked.events.last?["outcome"]?["interrupts"]?.array?.first?["id"]?.string)
            let waiting = try await world.run("/refunds@pace=instant/connect", look)
            #expect(waiting.types == types && waiting.events[1]["messages"]?.array?.count == 2)
            let resume = #","resume":[{"interruptId":"\#(ask)","status":"resolved"}]"#
            let done = try await world.run("/refunds", message("r-2", "", resume))
            #expect(done.types.contains("TOOL_CALL_RESULT") && done.types.last == "RUN_FINISHED")

            _ = try await control.post("sessions/last/end", #"{"reason":"user"}"#)
            let over = try await world.run("/refunds/connect", look)
            #expect(over.types == types && over.events[1]["messages"]?.array?.count == 4)
            #expect(over.events[2]["snapshot"]?["refund"]?["status"]?.string == "done")
            try await expectEqual(control.get("sessions")["sessions"]?.array?.count, 1)
            await expectEqual(world.violations(), [])
        }
    }

    private func fired(
        at moment: String, _ effect: String, times: Int? = nil
    ) async throws -> (Line.Answer, next: Line.Answer) {
        try await World.run {
            $0.fixtureText = """
                { fixture: 1, pace: "p", paces: { p: { think: "0s", chunk: "1 words", every: "10ms" } },
                  tools: { look: {} },
                  anywhere: [{ hears: "*", replies: [{ say: "One two three." }, { say: "Four." }] }],
                  faults: { t: { at: "\(moment)", do: { \(effect) }\(times.map { ", times: \($0)" } ?? "") } } }
                """
        } _: { world in
            (
                try await world.run("/webchat+t", body("r-1", "go")),
                try await world.run("/webchat+t", body("r-2", "go"))
            )
        }
    }

    @Test(
        "The agent fails at a moment of a run: the run ends with it, and the rest of the turn is dropped",
        arguments: [("run 1", 0), ("run 1 event 1", 0), ("run 1 event 4", 3), ("run 1 event 9", 8)]
            as [(String, Int)])
    func failing(_ moment: String, _ count: Int) async throws {
        let (run, next) = try await fired(at: moment, "agentError: 'high load'")
        #expect(run.types.count == count + 1 && run.types.last == "RUN_ERROR")
        #expect(run.events.last?["code"]?.string == "rate_limited")
        #expect(next.types.first == "RUN_STARTED" && next.types.last == "RUN_FINISHED")
        expectEqual(next.types.count, 10)
    }

    @Test(
        "A wrong sequence is an event that must not come; what is swapped with nothing comes before the end")
    func sequence() async throws {
        let (run, _) = try await fired(at: "run 1 event 3", "garble: 'wrong sequence'")
        expectEqual(
            run.types.prefix(4),
            [
                "RUN_STARTED", "TEXT_MESSAGE_START", "STEP_FINISHED", "TEXT_MESSAGE_CONTENT",
            ])
        let (swapped, next) = try await fired(at: "run 1 event 10", "swap: 'event'")
        expectEqual(swapped.types, next.types)
    }

    @Test(
        "A refused run has the protocol's code for its status",
        arguments: [
            (400, "invalid_input"), (401, "unauthorized"), (403, "forbidden"), (404, "not_found"),
            (405, "method_not_allowed"), (408, "timeout"), (409, "conflict"), (413, "too_large"),
            (429, "rate_limited"), (500, "internal_error"), (503, "agent_unavailable"),
        ] as [(Int, String)])
    func refused(_ status: Int, _ code: String) async throws {
        let (run, next) = try await fired(at: "request Run 1", "refuse: \(status)")
        #expect(run.status == status && run.code == code)
        #expect(run["error"]?["message"]?.string?.isEmpty == false)
        expectEqual(next.types.last, "RUN_FINISHED")
    }

    @Test("The binary form is refused, and so is the run after a hundred that wait on one thread")
    func notTaken() async throws {
        try await World.run {
            $0.fixtureText = fixture(#"{ hears: "long", replies: [ { wait: "40m" }, { say: "Done." } ] }"#)
        } _: { world in
            let binary = try await world.run(
                "", body("r-0", "Hi"), ["Accept": "application/vnd.ag-ui.event+proto"])
            #expect(binary.status == 406 && binary.code == "not_acceptable")
            var lines = [try await world.ask("", body("r-1", "long"))]
            for number in 2...100 {
                let line = try await world.client.open()
                let bytes = Array(body("r-\(number)", "long").utf8)
                line.send(
                    Line.bytes("POST", "/ag-ui", ["Content-Type": "application/json"], bytes),
                    requests: ["POST"])
                lines.append(line)
            }
            var waiting: Int64? = 0
            for _ in 0..<1_000 where waiting != 100 {
                let list = try await world.client.request("GET", "/_mock/sessions")
                waiting = list["sessions"]?.array?.first?["connections"]?.integer
            }
            expectEqual(waiting, 100)
            let refused = try await world.run("", body("r-101", "long"))
            #expect(refused.status == 409 && refused.code == "thread_busy")
            for line in lines { line.drop() }
        }
    }

    @Test("An event of an unknown type comes before another; an oversized one is whole JSON")
    func garbled() async throws {
        let (run, next) = try await fired(at: "run 1 event 3", "garble: 'unknown event'")
        #expect(run.types[2] == "NOBODY_KNOWS_THIS" && run.types.count == next.types.count + 1)
        let (large, small) = try await fired(at: "run 1 event 3", "garble: 'oversized'")
        #expect(large.types == small.types && large.events[2]["padding"]?.string?.isEmpty == false)
        #expect(large.text.utf8.count > 100_000 && small.text.utf8.count < 5_000)
    }

    @Test("A fault of any event hits each event of a run, and nothing that its client is never told")
    func anyEvent() async throws {
        let (run, next) = try await fired(at: "any event", "repeat: 'event'", times: 3)
        let first = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]
        expectEqual(run.types.prefix(6), first.flatMap { [$0, $0] }[...])
        #expect(run.types.count == 13 && next.types.count == 10)
    }

    @Test("Old clients get retired names, no activities, and one open text or call at a time")
    func legacy() async throws {
        try await World.run {
            $0.agentRuns.profile = .legacy
        } _: { world in
            let weather = try await world.run("/weather", body("r-1", "weather in Leeds"))
            #expect(weather.types.contains("THINKING_TEXT_MESSAGE_CONTENT"))
            #expect(!weather.types.contains { $0.hasPrefix("REASONING") })
            let list = try await world.client.request("GET", "/ag-ui")["agents"]?.array ?? []
            let names = list.compactMap { $0["name"]?.string }.filter { $0.first?.isNumber == true }
            #expect(names.count >= 20)
            for name in names {
                let text = body("r-1", "go").replacing("t-1", with: name)
                let answer = try await world.run("/" + name, text)
                #expect(!answer.types.contains { $0.hasPrefix("ACTIVITY") })
                var open: Set<String> = []
                for event in answer.events {
                    guard let type = event["type"]?.string,
                        let id = event["messageId"]?.string ?? event["toolCallId"]?.string
                    else { continue }
                    if type == "TEXT_MESSAGE_START" || type == "TOOL_CALL_START" { open.insert(id) }
                    if type == "TEXT_MESSAGE_END" || type == "TOOL_CALL_END" { open.remove(id) }
                    #expect(open.count <= 1, "\(name)")
                }
            }
        }
    }

    @Test("The same run in mock time and in real time differs in stamps only")
    func times() async throws {
        let talks = [("/weather", "weather in Leeds"), ("/refunds", "refund order 19")]
        for (agent, text) in talks {
            let mock = try await World.run { try await $0.run(agent, body("r-1", text)) }
            let real = try await World.run {
                $0.clock = nil
            } _: {
                try await $0.run(agent, body("r-1", text))
            }
            expectEqual(mock.types.last, "RUN_FINISHED")
            expectEqual(mock.unstamped, real.unstamped)
            expectEqual(mock.text == real.text, agent == "/weather")
        }
    }
}
