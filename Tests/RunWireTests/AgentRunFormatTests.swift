import Expectations
import RunWire
import Testing
import Texts

@Suite("Events, requests and event streams that are not as they should be")
struct AgentRunFormatTests {
    private func error(_ text: String) -> RunFormatError? {
        do throws(RunFormatError) {
            _ = try RunEventReader.read(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "An event with a wrong field says which, and what it must be",
        arguments: [
            (#"[]"#, "must be an object"),
            (#"{}"#, #""type": the field is missing"#),
            (#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}"#, #""delta": the field is missing"#),
            (#"{"type":"TEXT_MESSAGE_CONTENT","messageId":7,"delta":""}"#, #""messageId": must be a string"#),
            (
                #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"}"#,
                #""role": must be one of developer, system, assistant, user"#
            ),
            (
                #"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a"}]}"#,
                #""delta[0].value": the field is missing"#
            ),
            (#"{"type":"STATE_DELTA","delta":[1]}"#, #""delta[0]": must be an object"#),
            (
                #"{"type":"STATE_DELTA","delta":[{"op":"put","path":""}]}"#,
                #""delta[0].op": must be one of add, remove, replace, move, copy, test"#
            ),
            (
                #"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a","role":"robot"}]}"#,
                #""messages[0].role": must be one of developer, system, assistant, user, tool, activity, reasoning"#
            ),
            (
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[]}}"#,
                #""outcome.interrupts": must be at least one interrupt"#
            ),
            (
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":-1}]}"#,
                #""usage[0].inputTokens": must be a whole number, not negative"#
            ),
            (
                #"{"type":"STEP_STARTED","stepName":"s","timestamp":"now"}"#,
                #""timestamp": must be a whole number of milliseconds"#
            ),
            (#"{"type":"STEP_STARTED","stepName":"s","metadata":1}"#, #""metadata": must be an object"#),
            (#"{"type":"CUSTOM","name":"n"}"#, #""value": the field is missing"#),
        ] as [(String, String)])
    func wrong(_ text: String, _ sentence: String) {
        expectEqual(error(text)?.description, sentence)
    }

    @Test(
        "A piece of a text is the same however it is spelled",
        arguments: [
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\"b","timestamp":7}"#,
            #" { "type" : "TEXT_MESSAGE_CONTENT" , "timestamp" : 7 , "delta":"a\u0022b","messageId":"m" } "#,
            #"{"delta":"a\"b","messageId":"m","timestamp":7,"type":"TEXT_MESSAGE_CONTENT"}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"x","delta":"a\"b","messageId":"m","timestamp":7}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\"b","timestamp":7,"metadata":null,"new":[]}"#,
            #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","toolCallId":"c","delta":"a\"b","timestamp":7.0}"#,
        ] as [String])
    func delta(_ text: String) throws {
        let event = RunEvent(.textContent(id: "m", delta: "a\"b"), timestamp: 7)
        try expectEqual(RunEventReader.read(Array(text.utf8)), event)
    }

    @Test("A piece of arguments names its call, one of reasoning its message")
    func otherDeltas() throws {
        let call = #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{"}"#
        try expectEqual(RunEventReader.read(Array(call.utf8)), RunEvent(.toolArguments(id: "c", delta: "{")))
        let thought = #"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":""}"#
        try expectEqual(
            RunEventReader.read(Array(thought.utf8)), RunEvent(.reasoningContent(id: "m", delta: "")))
        expectEqual(
            error(#"{"type":"TOOL_CALL_ARGS","messageId":"c","delta":""}"#)?.description,
            #""toolCallId": the field is missing"#)
        #expect(error(#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"} 1"#) != nil)
    }

    @Test("The fields that every event may have stand anywhere")
    func common() throws {
        let text =
            #"{"timestamp":7,"metadata":{"k":1},"subagentRunId":"s","type":"STEP_STARTED","rawEvent":[],"stepName":"n"}"#
        try expectEqual(
            RunEventReader.read(Array(text.utf8)),
            RunEvent(
                .stepStarted(name: "n"), timestamp: 7, metadata: ["k": .integer(1)], rawEvent: .array([]),
                subagentRunID: "s"))
    }

    @Test(
        "For clients half characters and marks are repaired, in pieces of texts and elsewhere",
        arguments: [
            (
                #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi \ud83d"}"#,
                RunEvent(.textContent(id: "m", delta: "Hi \u{FFFD}"))
            ),
            (
                "\u{FEFF}" + #"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"\ude00"}"#,
                RunEvent(.toolArguments(id: "c", delta: "\u{FFFD}"))
            ),
            (
                "\u{FEFF}" + #"{"delta":"\ude00!","messageId":"m","type":"TEXT_MESSAGE_CONTENT"}"#,
                RunEvent(.textContent(id: "m", delta: "\u{FFFD}!"))
            ),
            (#"{"type":"STEP_STARTED","stepName":"\udc4d"}"#, RunEvent(.stepStarted(name: "\u{FFFD}"))),
        ] as [(String, RunEvent)])
    func repaired(_ text: String, _ event: RunEvent) throws {
        try expectEqual(RunEventReader.read(Array(text.utf8), manner: .lenient), event)
        #expect(error(text) != nil)
    }

    @Test("Null counts as absent, unknown fields are passed over, unknown events are kept whole")
    func lenient() throws {
        let text =
            #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":null,"timestamp":null,"new":1}"#
        try expectEqual(
            RunEventReader.read(Array(text.utf8)),
            RunEvent(.toolStart(id: "c", name: "f", parentMessageID: nil)))
        let unknown = #"{"type":"NEW_THING","a":[1,{"b":null}]}"#
        let event = try RunEventReader.read(Array(unknown.utf8))
        expectEqual(event.type, "NEW_THING")
        expectEqual(String(decoding: RunEventWriter.bytes(event), as: UTF8.self), unknown)
    }

    @Test("Requests may be spelled in snake case; camel case wins")
    func snakeCase() throws {
        let text = """
            {"thread_id":"t","run_id":"old","runId":"r","forwarded_props":{"a_b":1},"protocol_version":"1.0",
             "messages":[{"id":"m","role":"assistant","tool_calls":[{"id":"c","type":"function",
             "function":{"name":"f","arguments":"{}"}}]},{"id":"x","role":"tool","tool_call_id":"c","content":""}],
             "resume":[{"interrupt_id":"i","status":"cancelled"}],"availableInterrupts":[],"state":null}
            """
        let input = try RunInput(reading: Array(text.utf8))
        #expect(input.threadID == "t" && input.runID == "r" && input.state == nil)
        expectEqual(input.forwardedProps, .object(["a_b": .integer(1)]))
        expectEqual(input.messages.map(\.toolCallID), [nil, "c"])
        expectEqual(input.messages[0].toolCalls?.map(\.name), ["f"])
        expectEqual(input.resume?.map(\.interruptID), ["i"])
        expectEqual(RunProfile(version: input.protocolVersion), .v1)
    }

    @Test(
        "All kinds of parts are read and written",
        arguments: [
            #"{"type":"text","text":"a"}"#,
            #"{"type":"image","source":{"type":"data","value":"QQ==","mimeType":"image/png"}}"#,
            #"{"type":"audio","source":{"type":"url","value":"u"},"metadata":{"k":1}}"#,
            #"{"type":"video","source":{"type":"file","value":"f","provider":"p","mimeType":"video/mp4"},"id":"i"}"#,
            #"{"type":"binary","mimeType":"a/b","id":"i","filename":"n"}"#,
        ] as [String])
    func parts(_ part: String) throws {
        let text = #"{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":[\#(part)]}]}"#
        let input = try RunInput(reading: Array(text.utf8))
        expectEqual(String(decoding: RunEventWriter.bytes(input), as: UTF8.self), text)
        expectEqual(input.messages[0].content?.text, part.contains(#""text":"#) ? "a" : "")
    }

    @Test(
        "A version asks for a profile",
        arguments: [
            (nil, .v0), ("0.1", .v0), ("1.0", .v1), ("1.7", .v1), ("2.0", .v1), ("x", .v0),
        ] as [(String?, RunProfile)])
    func profiles(_ version: String?, _ profile: RunProfile) {
        expectEqual(RunProfile(version: version), profile)
    }

    private func read(_ text: String, limit: Int = 100, size: Int = 1) -> [String] {
        var reader = EventStreamReader(limitBytes: limit)
        let bytes = Array(text.utf8)
        var items: [EventStreamReader.Item] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            items += reader.receive(Array(bytes[start..<min(bytes.count, start + size)]))
        }
        return items.map { item in
            switch item {
            case .data(let bytes): String(decoding: bytes, as: UTF8.self)
            case .tooLong(let limit): "too long \(limit)"
            }
        }
    }

    @Test("Event streams are read leniently, wherever they are cut", arguments: [1, 2, 3, 1_000] as [Int])
    func streams(_ size: Int) {
        expectEqual(read("data: a\n\ndata:b\n\ndata:  c\n\n", size: size), ["a", "b", " c"])
        expectEqual(read("data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", size: size), ["a", "b", "c"])
        expectEqual(
            read("\u{FEFF}data: a\n\n: note\n\nevent: x\nid: 1\nretry: 5\ndata: b\ndata: c\n\n", size: size),
            ["a", "b\nc"])
        expectEqual(read("data: a\n\ndata: [DONE]\n\n", size: size), ["a"])
        expectEqual(read("data\n\ndata:\n\ndatum: x\n\n\n\n", size: size), ["", ""])
        // What is not ended by an empty line is no event.
        expectEqual(read("data: a\n\ndata: b\n", size: size), ["a"])
    }

    @Test("An event of more bytes than allowed breaks the stream, in one line or in many")
    func tooLong() {
        let long = String(repeating: "x", count: 200)
        expectEqual(read("data: a\n\ndata: \(long)\n\ndata: b\n\n"), ["a", "too long 100"])
        let many = String(repeating: "data: xxxxxxxxx\n", count: 20)
        expectEqual(read(many + "\ndata: b\n\n"), ["too long 100"])
        expectEqual(read("data: \(String(repeating: "x", count: 90))\n\n", size: 7).count, 1)
    }
}
