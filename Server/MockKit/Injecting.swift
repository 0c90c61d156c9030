import ConversationEngine
import Fixtures
import MockServer

extension Mock {
    /// A fault, or the faults of a preset, added by a test. Active until ``remove()``. In each session it fires at most
    /// `times` times; at `token`, `session`, `handshake` and `connect`, `times` counts all sessions together.
    public struct ActiveFault: Sendable {
        /// The name for expectations, as in `.fault(name)`.
        public let name: String
        let mock: Mock
        let ids: [UInt64]

        /// Removes the fault. Messages that the fault holds back are delivered now, in order.
        /// - Throws: ``MockError`` when the mock does not become idle.
        public func remove(
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws {
            try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
                try await mock.catchUp()
                let ids = ids
                await mock.server.inspect { server in
                    for id in ids { _ = server.remove(id) }
                }
                try await mock.settle()
            }
        }
    }

    /// Activates a fault at once, in the notation of fixtures. `moment` is for example `reply 2 chunk 2`, `user message
    /// 1` or `any event`; `effect` is for example `drop: "connection"`, `stall: "5s"` or `close: 1011`.
    ///
    /// The fault fires at most `times` times in each session. At `token`, `session`, `handshake` and `connect`,
    /// `times` counts all sessions together. If `chat` is nil, the fault affects every session.
    /// - Throws: ``MockError`` when the notation is invalid (with the likely spelling), when the chat has no session,
    ///   or when too many faults are active.
    @discardableResult
    public func inject(
        at moment: String, do effect: String, times: Int = 1, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ActiveFault {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            switch FaultReader.read(at: moment, do: effect, others: "times: \(times)") {
            case .failure(let problem): throw MockError(problem.sentence)
            case .success(var fault):
                fault.name = "\(moment): \(effect)"
                return try await inject([fault], called: fault.name, in: chat)
            }
        }
    }

    /// Activates a fault at once, by name: a fault of the fixture, or a preset such as `lift`, which every fixture has.
    /// If `chat` is nil, the fault affects every session.
    ///
    /// ```swift
    /// let lift = try await mock.inject("lift")
    /// try await chat.say("a table, please")
    /// try await mock.expect(.fault("lift"))
    /// try await lift.remove()
    /// ```
    ///
    /// - Throws: ``MockError`` when nothing has that name (with the likely spelling), when the chat has no session, or
    ///   when too many faults are active.
    @discardableResult
    public func inject(
        _ name: String, in chat: MockChat? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) async throws -> ActiveFault {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            let script = await server.inspect { $0.defaultScript }
            guard let faults = FaultPreset.faults(named: name, in: script) else {
                let names = FaultPreset.names(in: script)
                throw MockError(
                    NameCheck.sentence(
                        "no fault is called", name, among: names,
                        else: "there are \(NameCheck.listed(names)); inject(at:do:) takes one in words"))
            }
            return try await inject(faults, called: name, in: chat)
        }
    }

    private func inject(
        _ faults: [Fault], called name: String, in chat: MockChat?
    ) async throws -> ActiveFault {
        if chat != nil, chat?.sessionID == nil { throw MockError("the chat has no session yet") }
        note(.fault)
        try await catchUp()
        let session = chat?.sessionID
        let ids = await server.inspect { server -> [UInt64]? in
            var ids: [UInt64] = []
            for fault in faults {
                guard let id = server.inject(fault, session: session, by: "test") else {
                    for id in ids { _ = server.remove(id) }
                    return nil
                }
                ids.append(id)
            }
            return ids
        }
        guard let ids else { throw MockError("there are too many faults in force already") }
        remember(injected: faults.map(\.name))
        return ActiveFault(name: name, mock: self, ids: ids)
    }
}
