import AgentRuns
import Expectations
import Foundation
import Testing

/// The values of requests and events, read and written.
@Suite("Values of agent runs")
struct ValueTests {
    private static let body = #"""
        {"threadId":"t","runId":"r","parentRunId":"r-0","protocolVersion":"1.0","state":{"city":"Leeds"},"messages":[
        {"id":"m1","role":"developer","content":"Be brief."},
        {"id":"m2","role":"system","content":"In English.","name":"desk"},
        {"id":"m3","role":"user","content":[{"type":"text","text":"Look:","metadata":{"k":1}},
        {"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"}},
        {"type":"document","source":{"type":"url","value":"https://shop.test/a.pdf"}},
        {"type":"binary","mimeType":"image/png","data":"BBBB"},
        {"type":"binary","mimeType":"image/png","url":"https://shop.test/b.png"},
        {"type":"binary","mimeType":"image/png","id":"f-1"}]},
        {"id":"m4","role":"assistant","content":"One moment.","toolCalls":[{"id":"c1","type":"function",
        "function":{"name":"look","arguments":"{}"}}]},
        {"id":"m5","role":"tool","toolCallId":"c1","content":"nothing","error":"too dark"},
        {"id":"m6","role":"tool","toolCallId":"c2","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]},
        {"id":"m7","role":"activity","activityType":"search","content":{"step":2}},
        {"id":"m8","role":"reasoning","content":"Hm.","encryptedValue":"e"}],
        "tools":[{"name":"look","description":"Looks.","parameters":{"type":"object"}}],
        "context":[{"description":"zone","value":"UTC"}],"forwardedProps":{"p":true},
        "resume":[{"interruptId":"i","status":"resolved","payload":{"ok":true}}]}
        """#

    @Test("A request is read with all its kinds of messages and parts")
    func request() throws {
        let input = try RunAgentInput(decoding: Data(Self.body.utf8))
        #expect(input.threadID == "t" && input.runID == "r" && input.parentRunID == "r-0")
        #expect(input.protocolVersion == "1.0" && input.state == .object(["city": .string("Leeds")]))
        expectEqual(
            input.messages.map(\.role),
            [
                .developer, .system, .user, .assistant, .tool, .tool, .activity, .reasoning,
            ])
        expectEqual(input.messages.map(\.id), ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"])
        expectEqual(input.messages[1], .text(id: "m2", role: .system, content: "In English.", name: "desk"))
        guard case .userParts(_, let parts) = input.messages[2] else { return #expect(Bool(false)) }
        expectEqual(parts.map(\.kind), [.text, .image, .document, .binary, .binary, .binary])
        expectEqual(
            parts.map(\.source),
            [
                nil, .data("AAAA", mimeType: "image/png"), .url("https://shop.test/a.pdf", mimeType: nil),
                .data("BBBB", mimeType: "image/png"), .url("https://shop.test/b.png", mimeType: "image/png"),
                .file("f-1", provider: nil, mimeType: "image/png"),
            ])
        guard case .assistant(_, "One moment."?, let calls) = input.messages[3] else {
            return #expect(Bool(false))
        }
        #expect(calls.map(\.name) == ["look"] && calls.map(\.id) == ["c1"])
        expectEqual(
            input.messages[4],
            .tool(id: "m5", toolCallID: "c1", content: .text("nothing"), error: "too dark"))
        guard case .tool(_, _, let content, nil) = input.messages[5] else { return #expect(Bool(false)) }
        expectEqual(content.text, "one\ntwo")
        expectEqual(
            input.messages[6], .activity(id: "m7", type: "search", content: .object(["step": .integer(2)])))
        expectEqual(input.messages[7], .reasoning(id: "m8", content: "Hm.", encryptedValue: "e"))
        #expect(input.tools.map(\.name) == ["look"] && input.context.map(\.value) == ["UTC"])
        expectEqual(input.forwardedProps, .object(["p": .bool(true)]))
        expectEqual(input.resume.map(\.interruptID), ["i"])
    }

    @Test("What is written is read as the same request")
    func roundTrip() throws {
        let input = try RunAgentInput(decoding: Data(Self.body.utf8))
        try expectEqual(RunAgentInput(decoding: input.encoded()), input)
        var nameless = input
        nameless.runID = ""
        #expect(throws: AgentRunError.self) { try nameless.encoded() }
    }

    @Test("Each event of a stream is the value of its kind")
    func events() async throws {
        let rig = try await Rig(
            .stream([
                #"{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1500,"metadata":{"k":"v"}}"#,
                #"{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}"#,
                #"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/a","value":2}]}"#,
                #"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"user","content":"Hi"}]}"#,
                #"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"search","content":{"n":1}}"#,
                #"{"type":"ACTIVITY_DELTA","messageId":"a","activityType":"search","patch":[{"op":"remove","path":"/n"}]}"#,
                #"{"type":"REASONING_START","messageId":"q"}"#,
                #"{"type":"REASONING_MESSAGE_START","messageId":"q","role":"reasoning"}"#,
                #"{"type":"REASONING_MESSAGE_CONTENT","messageId":"q","delta":"Hm"}"#,
                #"{"type":"REASONING_MESSAGE_END","messageId":"q"}"#,
                #"{"type":"REASONING_END","messageId":"q"}"#,
                #"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"q","encryptedValue":"e"}"#,
                #"{"type":"CUSTOM","name":"mock.card","value":{"cardId":"k","card":{"title":"T"}}}"#,
                #"{"type":"CUSTOM","name":"other","value":7}"#,
                #"{"type":"RAW","event":{"x":1},"source":"model"}"#,
                #"{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"Search"}"#,
                #"{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"gone","code":"c"}"#,
                #"{"type":"NEW_EVENT","x":1}"#,
                #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
            ]), profile: .v1
        ) { $0.verifiesSequence = false }
        var events: [AgentRunEvent] = []
        for try await event in rig.agent.stream(rig.input) { events.append(event) }
        let first = try #require(events.first)
        expectEqual(first.timestamp, Date(timeIntervalSince1970: 1.5))
        #expect(first.metadata == ["k": .string("v")] && first.subagentRunID == nil && !first.isTerminal)
        expectEqual(events.last?.isTerminal, true)
        let kinds = events.map(\.kind)
        #expect(kinds.contains(.stateSnapshot(.object(["a": .integer(1)]))))
        #expect(kinds.contains(.messagesSnapshot([.text(id: "m1", role: .user, content: "Hi", name: nil)])))
        #expect(
            kinds.contains(
                .activitySnapshot("a", type: "search", content: .object(["n": .integer(1)]), replace: true)))
        #expect(kinds.contains(.reasoningTextStarted("q")) && kinds.contains(.reasoningDelta("q", "Hm")))
        #expect(kinds.contains(.reasoningTextEnded("q")) && kinds.contains(.reasoningEnded("q")))
        #expect(kinds.contains(.reasoningEncrypted(entityID: "q", subtype: "message", value: "e")))
        #expect(kinds.contains(.cardReceived(cardID: "k", card: .object(["title": .string("T")]))))
        #expect(kinds.contains(.custom(name: "other", value: .integer(7))))
        #expect(kinds.contains(.raw(event: .object(["x": .integer(1)]), source: "model")))
        #expect(kinds.contains(.subagentFailed(id: "s", message: "gone", code: "c")))
        let patches = kinds.compactMap { kind in
            switch kind {
            case .stateDelta(let patch): patch.map { "\($0.op) \($0.path)" }
            case .activityDelta("a", type: "search", let patch): patch.map { "\($0.op) \($0.path)" }
            default: nil as [String]?
            }
        }
        expectEqual(patches, [["replace /a"], ["remove /n"]])
        #expect(
            kinds.contains { if case .unknown("NEW_EVENT", _) = $0 { true } else { false } }
                && kinds.contains { if case .subagentStarted = $0 { true } else { false } })
        await rig.stop()
    }
}
