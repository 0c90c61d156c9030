import ConversationEngine
import Fixtures
import MockServer

extension Mock {
    /// A trouble that a test armed; in force until ``disarm()``, or until it has struck as often as it may.
    public struct ArmedTrouble: Sendable {
        /// As it shows in expectations: `.trouble(name)`.
        public let name: String
        let mock: Mock
        let id: UInt64

        /// Takes it out of force; what it holds back leaves now, in order.
        ///
        /// - Throws: the failure of a run that never comes to rest.
        public func disarm() async throws {
            let id = id
            _ = await mock.server.inspect { $0.disarm(id) }
            try await mock.settle()
        }
    }

    /// Puts a trouble in force at once (mock-server MS-7), in the words of fixtures.
    ///
    /// - Parameters:
    ///   - moment: such as `reply 2 chunk 2`, `user message 1` or `any event`.
    ///   - effect: such as `drop: "connection"`, `stall: "5s"` or `close: 1011`.
    ///   - times: how often it strikes: in each session; for `handshake` and `connect`, over all of them. Default
    ///     once.
    ///   - chat: the only one it acts on; nil, the default, is every session.
    /// - Returns: what takes it out of force again.
    /// - Throws: `MockError` with the likely spelling when the words are not understood.
    @discardableResult
    public func arm(
        at moment: String, do effect: String, times: Int = 1, in chat: MockChat? = nil
    ) async throws -> ArmedTrouble {
        let name = "\(moment): \(effect)"
        let quoted = moment.filter { $0 != "\"" }
        let text = "{ at: \"\(quoted)\", do: { \(effect) }, times: \(times) }"
        switch TroubleReader.read(Array(text.utf8)) {
        case .failure(let problem): throw MockError(problem.sentence)
        case .success(var trouble):
            trouble.name = name
            note(.trouble)
            let session = chat?.sessionID
            let armed = trouble
            let id = await server.inspect { $0.arm(armed, session: session, by: "test") }
            guard let id else { throw MockError("there are too many troubles in force already") }
            return ArmedTrouble(name: name, mock: self, id: id)
        }
    }
}
