import AgentRuns
import Clocks
import Expectations
import Foundation
import HTTPCore
import RunWire
import TestSupport
import Testing

@Suite("A run over AG-UI")
struct AgentRunStreamTests {
    private let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#
    private let end = #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#
    private let open = #"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#
    private let words = #"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}"#

    /// What a stream throws; nil for nothing.
    private func error(_ rig: Rig) async -> AgentRunError? {
        do {
            _ = try await rig.agent.stream(rig.input).collect()
            return nil
        } catch {
            return error as? AgentRunError
        }
    }

    @Test("The request has all keys; the events arrive in order; the snapshot has messages, text and outcome")
    func whole() async throws {
        let rig = try await Rig(try .example("02"))
        let stream = rig.agent.stream(rig.input)
        var kinds: [String] = []
        for try await event in stream {
            expectEqual(event.index, kinds.count)
            kinds.append(event.wire.type)
        }
        #expect(kinds.first == "RUN_STARTED" && kinds.last == "RUN_FINISHED" && kinds.count == 12)
        let done = try await stream.collect()
        expectEqual(done.visibleText, "It is 11 °C and overcast in Leeds.")
        expectEqual(done.phase, .finished(.success(pendingToolCallIDs: [])))
        expectEqual(done.messages.map(\.id.rawValue), ["u", "m-1", "t-1", "m-2"])
        let request = try #require(rig.server.requests.all.first)
        #expect(request.method == "POST" && request.target == "/ag-ui/desk?x=1")
        #expect(
            request.headers["Accept"] == "text/event-stream" && request.headers["Authorization"] == "Bearer t"
        )
        expectEqual(
            String(decoding: request.body, as: UTF8.self),
            #"{"threadId":"t","runId":"r","state":{},"messages":[{"id":"u","role":"user","content":"Hi"}],"#
                + #""tools":[],"context":[],"forwardedProps":{}}"#)
        await rig.stop()
    }

    @Test("A version is named for version 1 alone, and a run that fails throws nothing")
    func failure() async throws {
        let rig = try await Rig(try .example("10"), profile: .v1) { $0.verifiesSequence = false }
        let done = try await rig.agent.stream(rig.input).collect()
        guard case .failed(let failure) = done.phase else {
            Issue.record("\(done.phase)")
            return
        }
        expectEqual(failure.code, "provider_timeout")
        #expect(done.openToolCalls == ["tc-1"] && done.openTextMessages == ["m-1"])
        try expectEqual(rig.bodies().map(\.protocolVersion), ["1.0"])
        await rig.stop()
    }

    @Test("Streams that are wrong end with an error that says how")
    func wrong() async throws {
        let long = String(repeating: "x", count: 3_000)
        let cases: [(CannedServer.Reply, AgentRunError)] = [
            (.stream([start, open, words]), .truncated(lastEventType: "TEXT_MESSAGE_CONTENT")),
            (
                .text(
                    "FF\r\ndata: \(start)\n\n",
                    head:
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                ), .truncated(lastEventType: "RUN_STARTED")
            ),
            (.stream([]), .truncated(lastEventType: nil)),
            (.stream([start, start, end]), .sequence(.runAlreadyActive)),
            (.stream([start, words, open, end]), .sequence(.textNotOpen)),
            (.stream([start, end, words]), .sequence(.eventAfterFinish)),
            (
                .stream([start, long, end]),
                .decoding(eventType: nil, detail: "An event has more than 2048 bytes.")
            ),
            (
                .stream([start, "{\"type\":", end]),
                .decoding(eventType: nil, detail: "not JSON at byte 8: the text ends too early")
            ),
            (
                .stream([start, start + start, end]),
                .decoding(eventType: nil, detail: "not JSON at byte 49: something follows the value")
            ),
            (
                .stream([start, #"{"type":"STEP_STARTED"}"#, end]),
                .decoding(eventType: "STEP_STARTED", detail: "\"stepName\": the field is missing")
            ),
            (
                .json(503, #"{"error":{"code":"busy"}}"#),
                .http(status: 503, body: #"{"error":{"code":"busy"}}"#)
            ),
            (
                .json(200, "{}"),
                .decoding(
                    eventType: nil,
                    detail:
                        "The answer is application/json, not text/event-stream. Is this the address of an agent?"
                )
            ),
        ]
        for (reply, expected) in cases {
            let rig = try await Rig(reply) { $0.maxEventBytes = 2_048 }
            await expectEqual(error(rig), expected)
            await rig.stop()
        }
    }

    @Test("Without checks a wrong order is let through, a cut stream is not")
    func unverified() async throws {
        for (events, expected) in [
            ([start, words, end], nil), ([start, words], .truncated(lastEventType: "TEXT_MESSAGE_CONTENT")),
        ] as [([String], AgentRunError?)] {
            let rig = try await Rig(.stream(events)) { $0.verifiesSequence = false }
            await expectEqual(error(rig), expected)
            await rig.stop()
        }
    }

    @Test("Lenient framing is read: CRLF, a mark at the start, comments, a last [DONE]")
    func framing() async throws {
        let text = "\u{FEFF}data:\(start)\r\n\r\n: alive\r\n\r\ndata: \(end)\r\n\r\ndata: [DONE]\r\n\r\n"
        let rig = try await Rig(.text(text))
        await expectEqual(error(rig), nil)
        await rig.stop()
    }

    @Test(
        "A server that says nothing, that stops in the middle, or that does not close, does not hold a client up"
    )
    func silence() async throws {
        let rig = try await Rig(.silence)
        async let silent = error(rig)
        _ = try await rig.server.requests.wait(count: 1)
        rig.clock.advance(by: .seconds(31))
        await expectEqual(silent, .transport("127.0.0.1 did not answer in 30 seconds."))
        await rig.stop()

        for (events, expected) in [
            ([start, open], .transport("The agent has sent nothing for 1 min.")), ([start, end], nil),
        ] as [([String], AgentRunError?)] {
            let rig = try await Rig(.stream(events, ends: false))
            let stream = rig.agent.stream(rig.input)
            var events = stream.makeAsyncIterator()
            for _ in 0..<2 { _ = try await events.next() }
            rig.clock.advance(by: .seconds(61))
            do {
                try await expectEqual(events.next(), nil)
                expectEqual(expected, nil)
            } catch {
                #expect(error as? AgentRunError == expected)
            }
            try await expectEqual(events.next(), nil)
            await rig.stop()
        }
    }

    @Test("Cancelling, by call or with the task, ends the stream with an error; what was said stays")
    func cancelling() async throws {
        for byTask in [false, true] {
            let rig = try await Rig(.stream([start, open, words], ends: false))
            let thread = AGUIThread(agent: rig.agent, threadID: "t")
            let stream = try await thread.send("Hi")
            let task = Task {
                var error: AgentRunError?
                do {
                    for try await event in stream {
                        guard case .textDelta = event.kind else { continue }
                        if byTask { withUnsafeCurrentTask { $0?.cancel() } } else { stream.cancel() }
                    }
                } catch let thrown {
                    error = thrown as? AgentRunError
                }
                return error
            }
            await expectEqual(task.value, .cancelled)
            guard case .assistant(_, let content, _)? = await thread.messages.last else {
                Issue.record("no message")
                return
            }
            expectEqual(content, "Hel")
            await rig.stop()
        }
    }

    @Test(
        "What is wrong with the request is told by the stream",
        arguments: [("https://h/a", "URLSession"), ("file:///a", "host"), ("http://h:0/", "port")]
            as [(String, String)])
    func addresses(_ url: String, _ word: String) async throws {
        let agent = AGUIAgent(configuration: AGUIConfiguration(url: try #require(URL(string: url))))
        let input = RunAgentInput(threadID: "t", runID: "r", messages: [])
        let error = try #require(
            await #expect(throws: AgentRunError.self) { try await agent.stream(input).collect() })
        switch error {
        case .invalidInput(let text), .transport(let text): #expect(text.contains(word))
        default: Issue.record("\(error)")
        }
    }

    @Test("The violations that are public are those of the verifier, each with its sentence")
    func violations() {
        expectEqual(
            SequenceViolation.allCases.map { AgentRunError.sequence($0).description },
            SequenceViolation.allCases.map(\.sentence))
    }

    @Test("Requests are read and written again; values of JSON go through Foundation's coders")
    func coding() throws {
        let text =
            #"{"threadId":"t","runId":"r","state":{"a":[1,2.5,null,true,"x"]},"messages":[],"tools":[],"context":[],"forwardedProps":{}}"#
        let input = try RunAgentInput(decoding: Data(text.utf8))
        expectEqual(String(decoding: try input.encoded(), as: UTF8.self), text)
        let value = try JSONDecoder().decode(AgentRuns.JSONValue.self, from: Data(text.utf8))
        try expectEqual(
            JSONDecoder().decode(AgentRuns.JSONValue.self, from: try JSONEncoder().encode(value)), value
        )
        expectEqual(value["state"], input.state)
        #expect(throws: AgentRunError.invalidInput(#""runId": the field is missing"#)) {
            try RunAgentInput(decoding: Data(#"{"threadId":"t"}"#.utf8))
        }
    }
}
