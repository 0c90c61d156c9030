import ConversationEngine
import MockServer

/// Handle for answering as the agent or a live agent, in place of the script (protocol.md#human-at-the-controls).
///
/// ```swift
/// let marta = try await mock.liveAgent(in: chat, named: "Marta")
/// try await marta.type()
/// try await marta.say("I have a table at the window.")
/// try await mock.expect(.liveAgentMessage("at the window"))
/// try await marta.edit(to: "I have two.")  // where the chat asked for changes
/// try await marta.react("👍")
/// try await marta.unsend()
/// try await marta.handBack()
/// ```
public struct MockSpeaker: Sendable {
    /// The name in the journal.
    public let name: String

    let mock: Mock
    let session: String

    /// Sends a message with suggested replies. A streaming session receives it in chunks, all at one instant.
    /// - Throws: ``MockError`` when the server refuses the action.
    public func say(
        _ text: String, suggest suggestions: [String] = [], fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await apply(
            .send(text: text, parts: MessageParts(suggestions: suggestions.map { Suggestion(text: $0) })),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Sends a typing indicator.
    /// - Throws: ``MockError`` when the server refuses the action.
    public func type(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await apply(
            .typing(.started), CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Replaces the text of the speaker's last message, in a chat whose client asked for
    /// ``SessionExtension/changes``.
    ///
    /// - Throws: ``MockError`` when the server refuses the change.
    public func edit(
        to text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) async throws {
        try await apply(
            .change(.text(text)), CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Withdraws the speaker's last message, in a chat whose client asked for ``SessionExtension/changes``.
    ///
    /// - Throws: ``MockError`` when the server refuses the change.
    public func unsend(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        try await apply(
            .change(.deleted), CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Reacts to the user's last message. If `isOn` is false, removes the reaction. The client of the chat must have
    /// asked for ``SessionExtension/changes``.
    ///
    /// - Throws: ``MockError`` when the server refuses the change.
    public func react(
        _ reaction: String, isOn: Bool = true, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) async throws {
        try await apply(
            .change(.reaction(reaction, isOn: isOn)),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Resumes the paused script. If `answersLast` is true and the user's last message has no answer yet, the script
    /// answers it.
    /// - Throws: ``MockError`` when the script is not paused.
    public func handBack(
        answersLast: Bool = false, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) async throws {
        try await apply(
            .handBack(answersLast: answersLast),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Leaves the chat as a live agent; the client receives `reason`. If `ends` is true, the session ends; otherwise
    /// the automatic agent continues.
    /// - Throws: ``MockError`` when no live agent is in the chat.
    public func leave(
        reason: String? = nil, ends: Bool = false, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) async throws {
        try await apply(
            .leave(reason: reason, ends: ends),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    func apply(_ action: OperatorAction, _ site: CallSite) async throws {
        try await mock.at(site) {
            mock.note(.takeover)
            try await mock.catchUp()
            let (name, session) = (name, session)
            let refusal = await mock.server.inspect { $0.apply(action, in: session, by: name) }
            if let refusal { throw MockError("\(action.name): \(refusal)") }
            try await mock.settle()
        }
    }
}

extension Mock {
    /// Takes over the part of the agent: the script pauses, and the test answers the user.
    /// - Throws: ``MockError`` when the chat has no session, or the agent has been taken over already.
    public func agent(
        in chat: MockChat, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) async throws -> MockSpeaker {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let speaker = try await at(site) { try self.speaker("the test", in: chat) }
        try await speaker.apply(.takeOver, site)
        return speaker
    }

    /// Joins the chat as a live agent. If the user waits in a queue, this live agent answers instead of the fixture's.
    /// - Throws: ``MockError`` when the chat has no session.
    public func liveAgent(
        in chat: MockChat, named name: String = "Robin", fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> MockSpeaker {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let speaker = try await at(site) { try self.speaker(name, in: chat) }
        try await speaker.apply(.join(SpeakerProfile(id: "person-1", name: name)), site)
        return speaker
    }

    private func speaker(_ name: String, in chat: MockChat) throws -> MockSpeaker {
        guard let session = chat.sessionID else { throw MockError("the chat has no session yet") }
        return MockSpeaker(name: name, mock: self, session: session)
    }
}
