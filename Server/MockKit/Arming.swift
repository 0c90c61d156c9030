import ConversationEngine
import Fixtures
import MockServer

extension Mock {
    /// A trouble armed by a test: in force until ``disarm()``, or until it has struck as often as it may.
    public struct ArmedTrouble: Sendable {
        /// The name in expectations: `.trouble(name)`.
        public let name: String
        let mock: Mock
        /// One id for a trouble, several for a profile.
        let ids: [UInt64]

        /// Takes the trouble out of force; messages that it holds back leave now, in order.
        ///
        /// - Throws: ``MockError`` when the mock never comes to rest.
        public func disarm(
            fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
        ) async throws {
            try await mock.at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
                try await mock.catchUp()
                let ids = ids
                await mock.server.inspect { server in
                    for id in ids { _ = server.disarm(id) }
                }
                try await mock.settle()
            }
        }
    }

    /// Puts a trouble in force at once, in the words of fixtures: `moment` is `reply 2 chunk 2`, `user message 1` or
    /// `any event`, `effect` is `drop: "connection"`, `stall: "5s"` or `close: 1011`.
    ///
    /// The trouble strikes `times` times in each session; for `handshake` and `connect`, over all of them. It acts on
    /// `chat` alone; nil, the default, is every session.
    ///
    /// - Throws: ``MockError`` with the likely spelling when the words are not understood.
    @discardableResult
    public func arm(
        at moment: String, do effect: String, times: Int = 1, in chat: MockChat? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ArmedTrouble {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            switch TroubleReader.read(at: moment, do: effect, others: "times: \(times)") {
            case .failure(let problem): throw MockError(problem.sentence)
            case .success(var trouble):
                trouble.name = "\(moment): \(effect)"
                return try await arm([trouble], called: trouble.name, in: chat)
            }
        }
    }

    /// Puts a trouble in force at once, by its name: one of the fixture, or a profile such as `lift`, which every
    /// fixture has. It acts on `chat` alone; nil, the default, is every session.
    ///
    /// ```swift
    /// let lift = try await mock.arm("lift")
    /// try await chat.say("a table, please")
    /// try await mock.expect(.trouble("lift"))
    /// try await lift.disarm()
    /// ```
    ///
    /// - Throws: ``MockError`` with the likely spelling when nothing has that name.
    @discardableResult
    public func arm(
        _ name: String, in chat: MockChat? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) async throws -> ArmedTrouble {
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            let script = await server.inspect { $0.standardScript }
            guard let troubles = TroubleProfile.troubles(named: name, in: script) else {
                let names = TroubleProfile.names(in: script)
                throw MockError(
                    NameCheck.sentence(
                        "no trouble is called", name, among: names,
                        else: "there are \(NameCheck.listed(names)); arm(at:do:) takes one in words"))
            }
            return try await arm(troubles, called: name, in: chat)
        }
    }

    private func arm(
        _ troubles: [Trouble], called name: String, in chat: MockChat?
    ) async throws -> ArmedTrouble {
        if chat != nil, chat?.sessionID == nil { throw MockError("the chat has no session yet") }
        note(.trouble)
        try await catchUp()
        let session = chat?.sessionID
        let ids = await server.inspect { server -> [UInt64]? in
            var ids: [UInt64] = []
            for trouble in troubles {
                guard let id = server.arm(trouble, session: session, by: "test") else {
                    for id in ids { _ = server.disarm(id) }
                    return nil
                }
                ids.append(id)
            }
            return ids
        }
        guard let ids else { throw MockError("there are too many troubles in force already") }
        remember(armed: troubles.map(\.name))
        return ArmedTrouble(name: name, mock: self, ids: ids)
    }
}
