import Clocks
import PolyMessaging
import Testing

extension Stage {
    /// Lets time pass, deadline by deadline, until `condition` holds for what `chat` shows.
    @MainActor
    func play(
        _ wanted: String, _ chat: ChatSession, within interval: Interval = .minutes(10),
        until condition: @MainActor (ChatSession) -> Bool
    ) async throws {
        do {
            try await play(wanted, within: interval) {
                await chat.catchUp()
                return condition(chat)
            }
        } catch let stuck as Stuck {
            throw Stuck(description: "\(stuck); the chat shows \(chat.connection) \(chat.messages.lines)")
        }
    }

    /// A chat whose agent has said its greeting.
    @MainActor
    func greetedChat(
        progressively: Bool = false, store: (any SessionStore)? = nil,
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> ChatSession {
        let chat = try chat(progressively: progressively, store: store, change)
        try await play("the greeting", chat) { $0.agentMessages.first?.text == "Welcome." }
        return chat
    }

    /// Says `text` and waits until the agent has answered.
    @MainActor
    func ask(_ chat: ChatSession, _ text: String, replies: Int = 1) async throws {
        let count = chat.agentMessages.count
        try await chat.send(text)
        try await play("the answer to \(text)", chat) { chat in
            chat.agentMessages.count >= count + replies && !chat.isAgentTyping
                && chat.userMessages.allSatisfy { $0.delivery == .sent }
        }
    }

    /// Lets time pass while `call` is under way.
    @MainActor
    func during<Result: Sendable>(
        _ call: @escaping @MainActor () async throws -> Result
    ) async throws -> Result {
        let done = Locked(false)
        let task = Task { @MainActor in
            defer { done.withLock { $0 = true } }
            return try await call()
        }
        // The call has to be on its way before time may pass.
        for _ in 0..<10 { await Task.yield() }
        try await play("the end of the call") {
            for _ in 0..<10 { await Task.yield() }
            return done.withLock { $0 }
        }
        return try await task.value
    }

    /// The id of the session that `chat` is in.
    @MainActor
    func sessionID(_ chat: ChatSession) throws -> String {
        try #require(chat.client.snapshot().session.sessionId)
    }
}
