import Expectations
import RunWire
import Testing
import Texts

@Suite("Messages and state of a thread, from its events")
struct AgentRunReducerTests {
    private func reduce(_ name: String, messages: [RunMessage] = [], state: JSONValue = .object([:])) throws
        -> RunReducer
    {
        var reducer = RunReducer(messages: messages, state: state)
        var expander = RunExpander(profile: .v1)
        for event in try ExampleFile.named(name).events() {
            for event in try expander.expand(event) { expectEqual(reducer.apply(event), []) }
        }
        return reducer
    }

    /// A message as the specification lists it: role, id, text and calls.
    private func line(_ message: RunMessage) -> String {
        let calls = (message.toolCalls ?? []).map { "\($0.name) \($0.arguments)" }.joined(separator: "; ")
        let text = message.content.map { " \"\($0.text)\"" } ?? ""
        return "\(message.role) \(message.id)\(text)\(calls.isEmpty ? "" : " [\(calls)]")"
    }

    private func json(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "Streams become these messages",
        arguments: [
            ("01", [#"assistant m-1 "Yes, from 10:00 to 16:00.""#]),
            (
                "02",
                [
                    #"assistant m-1 [get_weather {"city":"Leeds","unit":"C"}]"#,
                    #"tool t-1 "{"tempC":11,"sky":"overcast"}""#,
                    #"assistant m-2 "It is 11 °C and overcast in Leeds.""#,
                ]
            ),
            (
                "04",
                [
                    #"assistant m-1 [get_price {"sku":"K-7"}; get_stock {"sku":"K-7","store":"north"}]"#,
                    #"tool t-b "{"units":3}""#, #"tool t-a "{"gbp":"24.00"}""#,
                    #"assistant m-2 "K-7 costs £24.00; three are left at North.""#,
                ]
            ),
            (
                "05",
                [
                    #"assistant m-1 "Let me check your order." [lookup_order {"order":"O-19"}]"#,
                    #"tool t-1 "{"status":"shipped"}""#, #"assistant m-2 "It has shipped.""#,
                ]
            ),
            (
                "06",
                [
                    #"reasoning r-1 "The caller wants a refund; the order is inside the window.""#,
                    #"assistant m-1 "You can still return it.""#,
                ]
            ),
            ("10", [#"assistant m-1 "One moment" [lookup_order {"ord]"#]),
            (
                "14",
                [
                    #"reasoning r-1 "Look it up, then answer.""#, #"assistant m-1 [get_hours {"day":"Sun"}]"#,
                    #"tool t-1 "{"open":"10:00","close":"16:00"}""#, #"assistant m-2 "Sunday: 10 to 4.""#,
                ]
            ),
            ("20", [#"user u-1 "Hi""#, #"assistant m-1 "Hello!""#]),
            (
                "legacy-01",
                [
                    #"reasoning run-l1-thinking-2 "Inside the window.""#,
                    #"assistant m-1 "You can return it.""#,
                ]
            ),
        ] as [(String, [String])])
    func transcripts(_ name: String, _ expected: [String]) throws {
        try expectEqual(reduce(name).messages.map(line), expected)
    }

    @Test("State is replaced and patched")
    func state() throws {
        let reducer = try reduce("07")
        #expect(
            reducer.state
                .isSame(as: try json(#"{"plan":{"items":[{"title":"Book van"}],"status":"ready"}}"#)))
        expectEqual(reducer.openSteps, [])
    }

    @Test("An interrupt stays until the thread goes on, and its answer needs no second call")
    func interrupt() throws {
        let request = try ExampleFile.named("13a", in: ExampleFile.inputs).input()
        let asked = try reduce("13a", messages: request.messages)
        expectEqual(
            asked.messages.map(line).last, #"assistant m-1 [issue_refund {"order":"O-19","gbp":"24.00"}]"#)
        expectEqual(asked.interrupts.map(\.id), ["int-1"])
        #expect(asked.state["refund"]?["status"] == .string("awaiting_approval"))
        expectEqual(asked.pendingCalls, ["tc-1"])
        let input = try ExampleFile.named("13b", in: ExampleFile.inputs).input()
        let answered = try reduce("13b", messages: asked.messages, state: try #require(input.state))
        expectEqual(answered.messages.map(\.id), ["u-1", "m-1", "t-1", "m-2"])
        #expect(answered.state["refund"]?["status"] == .string("done"))
        #expect(answered.interrupts.isEmpty && answered.pendingCalls.isEmpty)
    }

    @Test("A call without a result is left for the client, until it has answered")
    func pending() throws {
        var reducer = try reduce("12a")
        expectEqual(reducer.pendingCalls, ["tc-1"])
        expectEqual(reducer.call("tc-1")?.arguments, #"{"min":"2026-12-01"}"#)
        reducer.answer(RunMessage(id: "t", role: .tool, content: .text("x"), toolCallID: "tc-1"))
        expectEqual(reducer.pendingCalls, [])
    }

    /// With a cost per call that grows with their number this takes minutes.
    @Test("Thousands of calls of one message keep their order, whichever ends first", .timeLimit(.minutes(5)))
    func manyCalls() {
        var reducer = RunReducer()
        let ids = (0..<8_000).map { "c\($0)" }
        for id in ids { _ = reducer.apply(RunEvent(.toolStart(id: id, name: "f", parentMessageID: "m"))) }
        for id in ids { _ = reducer.apply(RunEvent(.toolArguments(id: id, delta: id))) }
        for id in ids.reversed() { _ = reducer.apply(RunEvent(.toolEnd(id: id))) }
        #expect(reducer.pendingCalls == ids && reducer.openCalls.isEmpty)
        #expect(reducer.call("c4000")?.arguments == "c4000" && reducer.runTexts == ["m"])
        for id in ids where id.hasSuffix("0") {
            reducer.answer(RunMessage(id: "t" + id, role: .tool, content: .text(""), toolCallID: id))
        }
        expectEqual(reducer.pendingCalls, ids.filter { !$0.hasSuffix("0") })
        expectEqual(reducer.messages.map(\.id).prefix(3), ["m", "tc0", "tc10"])
        for index in 0..<8_000 {
            _ = reducer.apply(RunEvent(.textStart(id: "x\(index)", role: nil, name: nil)))
        }
        #expect(reducer.runTexts.count == 8_001 && reducer.openTexts.count == 8_000)
    }

    @Test("Metadata is merged key by key into its message; activities are patched; encrypted values stay")
    func details() throws {
        let done = try #require(try reduce("17").messages.first?.metadata)
        #expect(
            JSONValue.object(done).isSame(
                as: try json(#"{"stage":"end","source":"mock","finishReason":"stop"}"#)))
        let activity = try #require(try reduce("08").messages.first?.activity)
        #expect(
            activity.content.isSame(as: try json(#"{"query":"plumbers","found":2,"rows":["A1 Plumbing"]}"#)))
        try expectEqual(reduce("06").messages.first?.encryptedValue, "b3BhcXVlLTE=")
    }

    @Test("A run that failed keeps what it had; what is open is known")
    func failed() throws {
        let reducer = try reduce("10")
        expectEqual(
            reducer.phase,
            .failed(RunError(message: "The model provider timed out.", code: "provider_timeout")))
        #expect(reducer.openTexts == ["m-1"] && reducer.openCalls == ["tc-1"])
    }

    @Test("A snapshot replaces in place, adds at the end, and removes all but activities and reasoning")
    func snapshot() {
        func text(_ id: String, _ role: MessageRole, _ text: String) -> RunMessage {
            RunMessage(id: id, role: role, content: .text(text))
        }
        var reducer = RunReducer(messages: [
            text("u", .user, "1"), text("r", .reasoning, "2"), text("gone", .assistant, "3"),
            text("a", .assistant, "4"),
        ])
        let new = [text("b", .assistant, "5"), text("a", .assistant, "6"), text("u", .user, "1")]
        expectEqual(reducer.apply(RunEvent(.messagesSnapshot(new))), [])
        expectEqual(reducer.messages.map { $0.content?.text }, ["1", "2", "6", "5"])
        expectEqual(reducer.apply(RunEvent(.messagesSnapshot([text("r2", .reasoning, "7")]))), [])
        expectEqual(reducer.messages.map(\.id), ["r2"])
    }

    @Test("What does not fit is told, and changes nothing")
    func warnings() {
        var reducer = RunReducer(state: .object(["a": .integer(1)]))
        let patch = [
            JSONPatchOperation(.replace, "/a", value: .integer(2)), JSONPatchOperation(.remove, "/b"),
        ]
        let cases: [(RunEvent.Kind, ReducerWarning)] = [
            (.stateDelta(patch), .patchFailed(path: "/b")),
            (.textContent(id: "m", delta: "x"), .unknownMessage("m")),
            (.toolArguments(id: "c", delta: "x"), .unknownToolCall("c")),
            (.activityDelta(id: "m", type: "t", patch: []), .unknownMessage("m")),
            (.unknown(type: "X", body: [:]), .unknownEvent("X")),
            (
                .toolResult(RunToolResult(messageID: "t", toolCallID: "c", content: .text(""))),
                .unknownToolCall("c")
            ),
        ]
        for (kind, warning) in cases { expectEqual(reducer.apply(RunEvent(kind)), [warning]) }
        expectEqual(reducer.state, .object(["a": .integer(1)]))
        expectEqual(reducer.messages.map(\.id), ["t"])
    }

    @Test("An answer stands after the message of its call and the answers that are there, once")
    func answers() {
        func answer(_ id: String, _ call: String, _ text: String = "") -> RunMessage {
            RunMessage(id: id, role: .tool, content: .text(text), toolCallID: call)
        }
        let calls = ["c1", "c2"].map { RunToolCall(id: $0, name: "f", arguments: "") }
        var reducer = RunReducer(messages: [
            RunMessage(id: "m", role: .assistant, toolCalls: calls), RunMessage(id: "u", role: .user),
        ])
        let isKnown = [answer("t1", "c1"), answer("t2", "c2"), answer("t2", "c2", "new"), answer("t3", "c3")]
            .map {
                reducer.answer($0)
            }
        expectEqual(isKnown, [true, true, true, false])
        expectEqual(reducer.messages.map(\.id), ["m", "t1", "t2", "u", "t3"])
        #expect(reducer.message("t2")?.content?.text == "new" && reducer.message("u")?.role == .user)
        #expect(reducer.call("c2")?.id == "c2" && reducer.call("c3") == nil)
    }

    @Test(
        "What a person was asked waits again when the run that was to answer has not begun", arguments: 0...2)
    func givenUp(way: Int) {
        var reducer = RunReducer()
        let asked = RunFinish(
            threadID: "t", runID: "r1", outcome: .interrupt([RunInterrupt(id: "i", reason: "x")]))
        _ = reducer.apply(RunEvent(.runStarted(RunStart(threadID: "t", runID: "r1"))))
        _ = reducer.apply(RunEvent(.runFinished(asked)))
        reducer.expect(threadID: "t", runID: "r2")
        if way == 1 { _ = reducer.apply(RunEvent(.runStarted(RunStart(threadID: "t", runID: "r2")))) }
        reducer.giveUp(runID: way == 2 ? "r1" : "r2")
        expectEqual(reducer.interrupts.map(\.id), way == 0 ? ["i"] : [])
    }

    @Test(
        "A step ends alone; a text that begins again goes on, and a call keeps the message that it began in")
    func reopened() {
        var reducer = RunReducer(messages: [RunMessage(id: "u", role: .user, content: .text("Hi"))])
        let events: [RunEvent.Kind] = [
            .stepStarted(name: "a"), .stepStarted(name: "b"), .stepFinished(name: "a"),
            .textStart(id: "m", role: nil, name: nil), .textContent(id: "m", delta: "x"), .textEnd(id: "m"),
            .textStart(id: "m", role: nil, name: nil), .textContent(id: "m", delta: "y"),
            .toolStart(id: "c", name: "f", parentMessageID: "u"),
            .toolStart(id: "d", name: "g", parentMessageID: "m"),
            .toolStart(id: "d", name: "g", parentMessageID: "m"),
        ]
        for event in events { expectEqual(reducer.apply(RunEvent(event)), []) }
        #expect(reducer.openSteps == ["b"] && reducer.openTexts == ["m"])
        expectEqual(reducer.messages.map { $0.content?.text }, ["Hi", "xy", nil])
        expectEqual(reducer.messages.map { $0.toolCalls?.map(\.id) }, [nil, ["d"], ["c"]])
    }
}
