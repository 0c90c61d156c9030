import AgentRuns
import AssistantEvents
import Foundation

/// The examples in the doc comments of `AgentRuns` and `AssistantEvents`, word for word; `DocPagesTests` compares.
/// Nothing here runs.
enum RunDocComments {
    static func agent(_ url: URL) async throws {
        let agent = AGUIAgent(configuration: AGUIConfiguration(url: url))
        let input = RunAgentInput(
            threadID: "thread-1", runID: "run-1",
            messages: [.text(id: "m-1", role: .user, content: "Are you open on Sunday?", name: nil)])
        for try await event in agent.stream(input) { print(event.kind) }
    }

    // swift-format-ignore
    static func configuration() {
        var configuration = AGUIConfiguration(url: URL(string: "http://127.0.0.1:8787/ag-ui/desk")!)
        configuration.headers["Authorization"] = "Bearer …"
        configuration.profile = .v1
    }

    // swift-format-ignore
    static func thread(_ agent: AGUIAgent) async throws {
        let thread = AGUIThread(agent: agent, threadID: "thread-1")
        await thread.register(AGUITool(name: "pick_date", description: "Lets the user choose a date")) { _ in "2026-12-04" }
        _ = try await thread.send("Book me in")
        let done = try await thread.runToCompletion()
        print(done.visibleText)
    }

    static func event(_ agent: AGUIAgent, _ input: RunAgentInput) async throws {
        for try await event in agent.stream(input) {
            if case .textDelta(_, let words) = event.kind { print(words, terminator: "") }
        }
    }

    static func reducer(_ stream: AGUIRunStream) async throws {
        var reducer = AgentRunReducer(messages: [], state: .object([:]))
        for try await event in stream { _ = reducer.apply(event) }
        print(reducer.snapshot.visibleText)
    }

    static func json() throws -> JSONValue {
        let city: JSONValue = try JSONValue(parsing: #"{"city":"Leeds"}"#)["city"] ?? .null
        return city
    }

    static func center(_ configuration: AGUIConfiguration) async throws {
        let center = AgentRunCenter()
        let agent = AGUIAgent(configuration: configuration, center: center)
        for await event in center.events { print(event.runID, event.kind) }
        _ = agent
    }

    static func events(_ configuration: AGUIConfiguration) async throws {
        let center = AgentRunCenter()
        CometChat.addAgentRuns("desk", center)
        let thread = AGUIThread(
            agent: AGUIAgent(configuration: configuration, center: center), threadID: "thread-1")
        _ = try await thread.send("Are you open on Sunday?")
    }

    static func stream(_ agent: AGUIAgent, _ input: RunAgentInput) async throws {
        let stream = agent.stream(input)
        let done = try await stream.collect()
        print(done.visibleText)
    }

    static func verifier(_ events: [AgentRunEvent]) throws {
        var verifier = AgentRunVerifier(profile: .v1, input: nil)
        for event in events { try verifier.consume(event) }
        try verifier.finish()
    }

    static func tool() throws -> AGUITool {
        let tool = AGUITool(
            name: "pick_date", description: "Lets the user choose a date",
            parameters: try JSONValue(parsing: #"{"type":"object","properties":{"month":{"type":"string"}}}"#)
        )
        return tool
    }

    static func input(_ history: [RunMessage], _ tool: AGUITool) -> RunAgentInput {
        var input = RunAgentInput(threadID: "thread-1", runID: "run-2", messages: history)
        input.tools = [tool]
        input.state = .object(["city": .string("Leeds")])
        return input
    }

    static func error(_ agent: AGUIAgent, _ input: RunAgentInput) async throws {
        do {
            print(try await agent.stream(input).collect().visibleText)
        } catch AgentRunError.http(let status, _) {
            print("The agent has refused the request with status \(status)")
        }
    }

    // swift-format-ignore
    static func listener(_ center: AgentRunCenter) {
        final class RunPrinter: AgentRunListener {
            func agentRunDidReceive(_ event: AgentRunEvent) { print(event.runID, event.kind) }
        }
        let printer = RunPrinter()                     // the center does not keep it alive
        center.addListener("printer", printer)
    }
}
