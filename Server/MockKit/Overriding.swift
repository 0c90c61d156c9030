public import Clocks
import ConversationEngine
import MockServer

/// A message of the user that the test answers in place of a rule.
///
/// ```swift
/// try await mock.override(rule: "book") { said in
///     [.think(.seconds(2)), .say("You said: \(said.text)")]
/// } during: {
///     try await chat.say("a table, please")
///     try await mock.expect(.reply("You said: a table"))
/// }
/// ```
public struct Utterance: Sendable, Equatable {
    /// The text of the user's message.
    public let text: String
    /// The session's memory, including the values captured from this message.
    public let memory: [String: String]
    /// Number of the message within the session, from 1.
    public let number: Int
    /// The stage of the conversation; empty in a fixture without stages.
    public let stage: String
    /// The id of the session.
    public let session: String

    init(_ said: UnansweredMessage) {
        text = said.text
        memory = said.memory
        number = said.number
        stage = said.stage
        session = said.sessionID
    }
}

/// One step of an answer that the test gives.
public struct OverrideStep: Sendable, Equatable {
    let step: Step

    /// The agent sends `text` with suggested replies. Braces in `text` are literal.
    public static func say(_ text: String, suggest suggestions: [String] = []) -> OverrideStep {
        var speech = SayStep(texts: [Template(literal: text)])
        speech.parts.suggestions = suggestions.map { SuggestionTemplate(text: Template(literal: $0)) }
        return OverrideStep(step: Step(.say(speech)))
    }

    /// The agent thinks or types.
    public static func think(_ duration: Interval) -> OverrideStep {
        OverrideStep(step: Step(.think(duration)))
    }

    /// A pause without any event.
    public static func wait(_ duration: Interval) -> OverrideStep {
        OverrideStep(step: Step(.wait(duration)))
    }

    /// The agent ends the session.
    public static let end = OverrideStep(step: Step(.end(.natural)))
}

extension Mock {
    /// Replaces the reply of one rule while `body` runs; afterwards the fixture's rule applies again.
    ///
    /// `rule` is a name, `party 2` for the unnamed second rule of stage `party`, or `*` for every unmatched message.
    /// `answer` runs on the server's loop, so it must not block. If it returns nil, the fixture replies.
    /// - Throws: what `body` throws; ``MockError`` with the likely spelling when no rule has that name.
    public func override<Result: Sendable>(
        rule: String, _ answer: @escaping @Sendable (Utterance) -> [OverrideStep]?,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Result
    ) async throws -> Result {
        note(.replyOverride)
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await catchUp()
            if let problem = await names().problem(ofRule: rule) { throw MockError(problem) }
        }
        let replyOverride = ReplyOverride(rule: rule) { said in
            answer(Utterance(said)).map { $0.map(\.step) }
        }
        let id = await server.inspect { $0.override(replyOverride) }
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await server.inspect { $0.stopOverriding(id) }
        return try outcome.get()
    }
}
