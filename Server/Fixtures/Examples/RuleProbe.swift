package import Clocks
package import ConversationEngine
package import Matching
import Texts

/// Trial of one message: the rule that answers, with its replies, or a near-miss report.
package struct RuleProbe: Equatable, Sendable {
    package struct Answer: Equatable, Sendable {
        package var rule: String
        package var place: SourcePlace
        package var captures: Captures
    }

    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case unknownStage(String, suggestion: String?, known: [String])
        case unknownRule(String, suggestion: String?)
        /// The conversation has ended, or takes too long to become idle.
        case noTalk(String)

        package var description: String {
            switch self {
            case .unknownStage(let name, let suggestion?, _):
                "no stage is called \"\(MessageFormat.shortened(name))\"; did you mean \"\(suggestion)\"?"
            case .unknownStage(let name, nil, []):
                "no stage is called \"\(MessageFormat.shortened(name))\"; this fixture has no stages"
            case .unknownStage(let name, nil, let known):
                "no stage is called \"\(MessageFormat.shortened(name))\"; there are "
                    + MessageFormat.conjunction(known.prefix(20).map { "\"\(MessageFormat.shortened($0))\"" })
            case .unknownRule(let name, let suggestion):
                "no rule that listens here is called \"\(MessageFormat.shortened(name))\""
                    + (suggestion.map { "; did you mean \"\($0)\"?" } ?? ", or stands at that line")
            case .noTalk(let reason): reason
            }
        }
    }

    package enum Effect: Equatable, Sendable {
        case said(String)
        /// Another effect as a text, such as a queue position.
        case then(String)
    }

    package var message: String
    /// Stage before the message. Empty if the fixture has no stages.
    package var stage: String
    package var answer: Answer?
    package var report: UnmatchedReport?
    /// Explanation why the requested rule did not answer. Nil if that rule answered, or if no rule was requested.
    package var asked: NearMiss?
    package var effects: [Effect]
    package var said: [String] { effects.compactMap { if case .said(let text) = $0 { text } else { nil } } }
    package var consequences: [String] {
        effects.compactMap { if case .then(let text) = $0 { text } else { nil } }
    }
    package var stageAfter: String

    /// Sends `messages` one after the other in one conversation.
    ///
    /// - Parameters:
    ///   - script: the script to run.
    ///   - messages: at least one message.
    ///   - stage: the initial stage; nil for the fixture's initial stage.
    ///   - localTime: the time on the conversation's clock; nil for 09:30 UTC, or for the time of `session`.
    ///   - memory: initial slot values.
    ///   - rule: name or line of a rule. Each trial then explains why this rule did not answer.
    ///   - session: a running session to continue from. Its own script is used.
    /// - Returns: one trial per message; fewer if the conversation ends before the last message.
    /// - Throws: ``Failure``, for example for an unknown stage.
    package static func talk(
        of script: Script, saying messages: [String], in stage: String? = nil, localTime: WallTime? = nil,
        memory: [String: String] = [:], asking rule: String? = nil, from session: Standing? = nil
    ) throws(Failure) -> [RuleProbe] {
        var script = session?.conversation.script ?? script
        if let stage {
            guard let number = script.stages.firstIndex(where: { $0.name == stage }) else {
                let names = script.stages.map(\.name)
                throw .unknownStage(
                    stage, suggestion: NearestName.suggestion(for: stage, among: names), known: names)
            }
            script.begin = number
        }
        var rehearsal = DryRun(
            script, wantsReport: true, localTime: localTime, memory: memory,
            start: session?.now ?? DryRun.usualStart)
        var budget = RehearsalBudget()
        if let conversation = session?.conversation, conversation.responder != .nobody {
            guard !conversation.hasEnded else { throw .noTalk("the session has ended") }
            rehearsal.join(where: conversation, memory: memory)
        } else {
            do throws(DryRun.Stop) {
                try rehearsal.join(&budget)
            } catch {
                throw .noTalk("the greeting of this fixture does not come to an end")
            }
        }
        guard !rehearsal.hasEnded else { throw .noTalk("the greeting of this fixture ends the session") }
        var trials: [RuleProbe] = []
        for message in messages where !rehearsal.hasEnded {
            let before = rehearsal.conversation
            var trial = try RuleProbe(saying: message, in: &rehearsal, of: script, &budget)
            if let rule, let before { trial.asked = try trial.miss(of: rule, in: before) }
            trials.append(trial)
        }
        return trials
    }

    package struct Standing: Sendable {
        package let conversation: Conversation
        package let now: Instant

        package init(_ conversation: Conversation, at now: Instant) {
            self.conversation = conversation
            self.now = now
        }
    }

    /// Tries one message in `stage`, by default the fixture's initial stage.
    package init(of script: Script, saying message: String, in stage: String? = nil) throws(Failure) {
        self = try Self.talk(of: script, saying: [message], in: stage)[0]
    }

    private func miss(of rule: String, in before: Conversation) throws(Failure) -> NearMiss? {
        guard var miss = before.miss(of: rule, hearing: message) else {
            let names = before.listeningNames
            throw .unknownRule(rule, suggestion: NearestName.suggestion(for: rule, among: names))
        }
        guard let answer else { return miss }
        if answer.place == miss.place { return nil }
        if case .blocked(let captures, .none) = miss.reason {
            miss.reason = .blocked(captures, .earlier(answer.rule))
        }
        return miss
    }

    private init(
        saying message: String, in rehearsal: inout DryRun, of script: Script,
        _ budget: inout RehearsalBudget
    ) throws(Failure) {
        let before = rehearsal.observations.count
        let answeredBefore = rehearsal.answered.count
        self.message = message
        self.stage = rehearsal.conversation?.stageName ?? ""
        do throws(DryRun.Stop) {
            try rehearsal.send(message, &budget)
        } catch {
            throw .noTalk("the answer of this fixture does not come to an end")
        }
        effects = []
        for observation in rehearsal.observations[before...] {
            switch observation {
            case .said(_, let text, _): effects.append(.said(text))
            case .queue(let position): effects.append(.then("queue \(position)"))
            case .handoffFailed: effects.append(.then("the handoff fails"))
            case .ended(let reason): effects.append(.then("the session ends (\(reason.rawValue))"))
            case .called(let tool, _): effects.append(.then("the tool \(tool) is called"))
            case .asked(let name, _): effects.append(.then("a person is asked (\(name))"))
            case .state: effects.append(.then("the state changes"))
            case .failed(let words): effects.append(.then("the run fails (\(words))"))
            case .unmatched, .ignored, .event: break
            }
        }
        report = rehearsal.report
        report?.session = "try"
        stageAfter = rehearsal.conversation?.stageName ?? ""
        if report == nil, let place = rehearsal.answered.dropFirst(answeredBefore).first {
            answer = Self.answer(script, place, message)
        }
    }

    private static func answer(_ script: Script, _ place: SourcePlace, _ message: String) -> Answer? {
        let found = script.listedRules.first { $0.rule.place == place }
        guard let (rule, name, _) = found else { return nil }
        let captures = rule.hears?.match(PreparedMessage(message)) ?? Captures()
        return Answer(rule: name, place: place, captures: captures)
    }
}
