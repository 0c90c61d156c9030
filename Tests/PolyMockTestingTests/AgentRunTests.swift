import AgentRuns
import Expectations
import PolyMockTesting
import Testing

@Suite("Agents of the test kit", .mock("weather"), .timeLimit(.minutes(5)))
struct AgentRunTests {
    @Test("A run with a tool of the agent: its call, its result and the answer")
    func tool() async throws {
        let mock = Mock.current
        let thread = AGUIThread(agent: try mock.agent(), threadID: "thread-1")
        _ = try await thread.send("weather in Leeds")
        let done = try await mock.letTimePass { try await thread.runToCompletion() }
        expectEqual(done.phase, .finished(.success(pendingToolCallIDs: [])))
        #expect(done.visibleText.contains("Here is the weather of Leeds."))
        let calls = done.messages.flatMap { message -> [RunToolCall] in
            if case .assistant(_, _, let calls) = message { calls } else { [] }
        }
        expectEqual(calls.map(\.name), ["get_weather"])
        let results = done.messages.compactMap { message -> String? in
            guard case .tool(_, calls.first?.id, let content, nil) = message else { return nil }
            return content.text
        }
        #expect(results.count == 1 && results.first?.contains("overcast") == true)
        try await mock.expect(.userMessage, exactly: 1)
    }

    @Test("A second run of the thread goes on with the talk and the state")
    func again() async throws {
        let mock = Mock.current
        let thread = AGUIThread(agent: try mock.agent(), threadID: "thread-1")
        for town in ["Leeds", "Porto"] {
            _ = try await thread.send("trip to \(town)")
            let done = try await mock.letTimePass { try await thread.runToCompletion() }
            #expect(done.visibleText.contains("Go to \(town)"))
        }
        #expect(await thread.state["trip"]?["city"] == .string("Porto"))
        expectEqual(mock.observedEvents.count { $0.kind == .sessionStarted }, 1)
    }

    @Test("An agent of the gallery plays its recorded run, whatever is said")
    func gallery() async throws {
        let mock = Mock.current
        let stream = try mock.agent("02-backend-tool").stream(
            RunAgentInput(
                threadID: "t", runID: "r",
                messages: [.text(id: "m", role: .user, content: "Hello", name: nil)]))
        let done = try await mock.letTimePass { try await stream.collect() }
        expectEqual(done.phase, .finished(.success(pendingToolCallIDs: [])))
        #expect(done.messages.contains { $0.role == .tool })
    }

    @Test("An agent that nobody knows is a 404 that says so")
    func unknown() async throws {
        let mock = Mock.current
        let stream = try mock.agent("wether").stream(
            RunAgentInput(
                threadID: "t", runID: "r",
                messages: [.text(id: "m", role: .user, content: "Hello", name: nil)]))
        let error = await #expect(throws: AgentRunError.self) {
            try await mock.letTimePass { try await stream.collect() }
        }
        guard case .http(404, let body)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(body.contains("weather"))
    }
}
