public import Clocks
import ConversationEngine
import MockServer

/// A message that code answers in place of a rule.
///
/// ```swift
/// try await mock.improvise(rule: "book") { said in
///     [.think(.seconds(2)), .say("You said: \(said.text)")]
/// } during: {
///     try await chat.say("a table, please")
///     try await mock.expect(.reply("You said: a table"))
/// }
/// ```
public struct Utterance: Sendable, Equatable {
    /// What the user said.
    public let text: String
    /// What the talk remembers, with what the rule caught in this message.
    public let memory: [String: String]
    /// The user's messages count from 1 within the session.
    public let number: Int
    /// The stage in which it was said; empty in a fixture without stages.
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

/// One step of an answer that code gives.
public struct ImprovisedStep: Sendable, Equatable {
    let step: Step

    /// - Parameters:
    ///   - text: what the agent says; braces have no meaning in it.
    ///   - suggestions: answers to choose from.
    /// - Returns: the step.
    public static func say(_ text: String, suggest suggestions: [String] = []) -> ImprovisedStep {
        var speech = SayStep(texts: [Template(literal: text)])
        speech.parts.suggestions = suggestions.map { SuggestionTemplate(text: Template(literal: $0)) }
        return ImprovisedStep(step: Step(.say(speech)))
    }

    /// - Parameter duration: how long the agent thinks or types.
    /// - Returns: the step.
    public static func think(_ duration: Interval) -> ImprovisedStep {
        ImprovisedStep(step: Step(.think(duration)))
    }

    /// - Parameter duration: how long nothing happens.
    /// - Returns: the step.
    public static func wait(_ duration: Interval) -> ImprovisedStep {
        ImprovisedStep(step: Step(.wait(duration)))
    }

    /// The agent ends the session.
    public static let end = ImprovisedStep(step: Step(.end(.natural)))
}

extension Mock {
    /// Answers in place of one rule while `body` runs; the fixture's rule is back afterwards.
    ///
    /// - Parameters:
    ///   - rule: its name, `stage 2` for the second rule of a stage without a name, or `*` for every message that no
    ///     rule hears.
    ///   - answer: called while the server decides, so it must not wait; nil leaves the answer to the fixture.
    ///   - fileID: where the test calls; filled in by the compiler, as the next three.
    ///   - filePath: the file.
    ///   - line: the line.
    ///   - column: the column.
    ///   - isolation: where `body` runs; filled in by the compiler.
    ///   - body: what is to be done meanwhile.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; ``MockError`` with the likely spelling when no rule has that name.
    public func improvise<Result: Sendable>(
        rule: String, _ answer: @escaping @Sendable (Utterance) -> [ImprovisedStep]?,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Result
    ) async throws -> Result {
        note(.improvisation)
        try await at(CallSite(fileID: fileID, filePath: filePath, line: line, column: column)) {
            try await catchUp()
            if let problem = await names().problem(ofRule: rule) { throw MockError(problem) }
        }
        let improvisation = ReplyOverride(rule: rule) { said in
            answer(Utterance(said)).map { $0.map(\.step) }
        }
        let id = await server.inspect { $0.improvise(improvisation) }
        do {
            let result = try await body()
            await server.inspect { $0.stopImprovising(id) }
            return result
        } catch {
            await server.inspect { $0.stopImprovising(id) }
            throw error
        }
    }
}
