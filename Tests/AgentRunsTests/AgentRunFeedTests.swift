import AgentRuns
import ClientSupport
import Clocks
import Expectations
import Foundation
import HTTPClient
import HTTPCore
import TestSupport
import Testing
import WebSocketCore

/// A network in which a test reports what comes of the one request, at the moment that it wants.
private final class ReportedWeb: WebTransport, WebExchange {
    private let report = Locked<(@Sendable (HTTPClient.Report) -> Void)?>(nil)
    let body = Locked<[UInt8]>([])
    let isCut = Locked(false)

    func begin(
        _ request: HTTPClient.Request, report: @escaping @Sendable (HTTPClient.Report) -> Void
    ) -> any WebExchange {
        self.report.withLock { $0 = report }
        body.withLock { $0 = request.body }
        return self
    }

    func tell(_ reports: HTTPClient.Report...) {
        let report = report.withLock { $0 }
        for each in reports { report?(each) }
    }

    func tell(_ events: String...) {
        for event in events { tell(.part(Array("data: \(event)\n\n".utf8))) }
    }

    func taken(_ byteCount: Int) {}
    func send(_ opcode: Opcode, _ payload: [UInt8]) {}
    func close(_ code: CloseCode, reason: String) {}
    func cut() { isCut.withLock { $0 = true } }
}

@Suite("The stream of one run")
struct AgentRunFeedTests {
    private let clock = VirtualClock()
    private let web = ReportedWeb()
    private let head = HTTPClient.Answer(
        status: 200, headers: ["Content-Type": "text/event-stream"], body: [])
    private let start = #"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#
    private let step = #"{"type":"STEP_STARTED","stepName":"s"}"#
    private let end = #"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#

    private func stream(state: AgentRuns.JSONValue = .object([:])) throws -> AGUIRunStream {
        let url = try #require(URL(string: "http://agent.test/"))
        let agent = AGUIAgent(
            configuration: AGUIConfiguration(url: url), network: AgentNetwork(clock: clock, web: web, seed: 1)
        )
        var input = RunAgentInput(threadID: "t", runID: "r", messages: [])
        input.state = state
        let stream = agent.stream(input)
        web.tell(.began(head))
        return stream
    }

    @Test("A state of null is asked for as an empty object, any other as it is")
    func state() throws {
        for (given, sent) in [
            (AgentRuns.JSONValue.null, AgentRuns.JSONValue.object([:])), (.integer(4), .integer(4)),
        ] {
            _ = try stream(state: given)
            try expectEqual(RunAgentInput(decoding: Data(web.body.withLock { $0 })).state, sent)
        }
    }

    @Test("The silence of an agent counts from the last that it sent")
    func silence() async throws {
        let stream = try stream()
        var events = stream.makeAsyncIterator()
        web.tell(start)
        _ = try await events.next()
        clock.advance(by: .seconds(40))
        web.tell(step)
        _ = try await events.next()
        clock.advance(by: .seconds(40))
        #expect(!web.isCut.withLock { $0 })
        clock.advance(by: .seconds(20))
        #expect(web.isCut.withLock { $0 })
        await #expect(throws: AgentRunError.transport("The agent has sent nothing for 1 min.")) {
            try await events.next()
        }
    }

    @Test(
        "Cancelling takes the events that wait, but not those of a stream that is over",
        arguments: [false, true] as [Bool])
    func cancelled(isOver: Bool) async throws {
        let stream = try stream()
        web.tell(start, end)
        if isOver { web.tell(.answered(head)) }
        stream.cancel()
        var kinds: [AgentRunEvent.Kind] = []
        var error: AgentRunError?
        do {
            for try await event in stream { kinds.append(event.kind) }
        } catch let thrown {
            error = thrown as? AgentRunError
        }
        #expect(kinds.count == (isOver ? 2 : 0) && error == (isOver ? nil : .cancelled))
    }

    @Test("A failure is thrown once, also to a reader who waits for it")
    func once() async throws {
        let stream = try stream()
        let reader = Task {
            var events = stream.makeAsyncIterator()
            await #expect(throws: AgentRunError.self) { try await events.next() }
            return try await events.next()
        }
        for _ in 0..<100 { await Task.yield() }
        web.tell(.failed(.shutDown))
        try await expectEqual(reader.value, nil)
    }

    @Test("The kinds of events have what the agent left out")
    func kinds() async throws {
        let stream = try stream()
        web.tell(
            start, #"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"x","content":{}}"#,
            #"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"x","content":{},"replace":false}"#,
            #"{"type":"CUSTOM","name":"mock.card","value":{"cardId":"c","card":1}}"#,
            #"{"type":"CUSTOM","name":"mine","value":{"cardId":"c","card":1}}"#, end)
        web.tell(.answered(head))
        var kinds: [AgentRunEvent.Kind] = []
        for try await event in stream { kinds.append(event.kind) }
        let card = AgentRuns.JSONValue.object(["cardId": .string("c"), "card": .integer(1)])
        expectEqual(
            kinds.dropFirst().dropLast(),
            [
                .activitySnapshot("a", type: "x", content: .object([:]), replace: true),
                .activitySnapshot("a", type: "x", content: .object([:]), replace: false),
                .cardReceived(cardID: "c", card: .integer(1)), .custom(name: "mine", value: card),
            ])
    }

    @Test(
        "A result has failed when its metadata or an object with an error says so",
        arguments: [
            (#"{"error":"no"}"#, "", "no"), (#"{"error":{"message":"late"}}"#, "", "late"),
            (#"{"error":null}"#, "", nil), ("fine", "", nil), ("broken", "failed", "broken"),
            ("fine", "done", nil),
        ] as [(String, String, String?)])
    func failures(_ text: String, _ status: String, _ failure: String?) async throws {
        let stream = try stream()
        let content = text.replacingOccurrences(of: "\"", with: "\\\"")
        web.tell(
            start, #"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}"#,
            #"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
            #"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"\#(content)","#
                + #""metadata":{"mock.toolStatus":"\#(status)"}}"#, end)
        web.tell(.answered(head))
        var results: [ToolCallResult] = []
        for try await event in stream {
            if case .toolCallResult(let result) = event.kind { results.append(result) }
        }
        expectEqual(results.map(\.failure), [failure])
    }
}
