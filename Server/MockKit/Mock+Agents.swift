public import AgentRuns

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Mock {
    /// Returns an AG-UI client. Its agent plays the scenario ``line``, on the mock's clock. `name` selects another
    /// agent of the server, such as `02-backend-tool`. `center` receives the events of all runs. `change` may set every
    /// property of the client except the address.
    ///
    /// On a virtual clock, await runs inside ``letTimePass(fileID:filePath:line:column:during:)``:
    ///
    /// ```swift
    /// let thread = AGUIThread(agent: try mock.agent(), threadID: "thread-1")
    /// _ = try await thread.send("weather in Leeds")
    /// let done = try await mock.letTimePass { try await thread.runToCompletion() }
    /// print(done.visibleText)
    /// ```
    ///
    /// - Throws: ``MockError`` for a name that cannot be part of a URL.
    public func agent(
        _ name: String? = nil, center: AgentRunCenter? = nil,
        _ change: (inout AGUIConfiguration) -> Void = { _ in }
    ) throws -> AGUIAgent {
        guard let address = URL(string: "\(url)/ag-ui/\(name ?? line)") else {
            throw MockError("\"\(name ?? line)\" is no part of an address")
        }
        var configuration = AGUIConfiguration(url: address)
        change(&configuration)
        let (number, clock) = nextClient("agent")
        note(.client)
        return AGUIAgent(
            configuration: configuration, center: center,
            network: AgentNetwork(clock: clock, web: http, seed: plan.seed &+ UInt64(number)))
    }

    /// Runs `call` and lets mock time pass until it ends. For clients that the mock does not drive.
    /// - Throws: what the call throws; ``MockError`` when it has not ended within five minutes of mock time.
    @discardableResult
    public func letTimePass<Answer: Sendable>(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        during call: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await during(call)
        }
    }
}
