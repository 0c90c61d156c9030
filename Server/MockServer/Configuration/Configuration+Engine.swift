import Clocks
import ConversationEngine

/// The engine's view of the configuration.
extension Configuration {
    func engineOptions(transientRawTypes: Set<String>) throws(ServerError) -> EngineOptions {
        var options = EngineOptions()
        options.facts.maxMessageBytes = limits.messageBytes
        options.facts.maxReconnectAttempts = sessions.maxReconnectAttempts
        options.facts.heartbeatIntervalSeconds = Int(sessions.heartbeatInterval.seconds)
        options.sessionIdle = sessions.idle
        options.connectionIdle = connections.idle
        options.connectionAge = connections.maxAge
        options.endGrace = sessions.endGrace
        options.endedRetention = sessions.endedRetention
        options.connectionsPerSession = connections.perSession
        options.sessionStartReplay = connections.alwaysReplaysSessionStart ? .always : .ifAfterCursor
        options.duplicateJoin = replies.greetsAgain ? .regreet : .echoOnly
        options.honorsGreetingMessage = replies.honorsGreetingMessage
        options.dropsRepeatedLocalIDs = replies.dropsRepeatedLocalIDs
        options.echoDelay = replies.echoDelay
        options.droppedEchoes = replies.droppedEchoes
        options.agentReturnsAfterFailedHandoff = replies.agentReturnsAfterFailedHandoff
        options.firstChunkIndex = replies.firstChunkIndex
        options.endsWithEmptyChunk = replies.endsWithEmptyChunk
        options.trimsChunks = replies.trimsChunks
        options.transientRawTypes = transientRawTypes
        options.maxSessions = limits.sessions
        options.maxJournalEntries = limits.journalEntries
        for (name, isJournaled) in sessions.journaling {
            guard let kind = EventKind(rawValue: name) else {
                throw .configuration(
                    "\"\(name)\" is no kind of event", fix: Self.nameList(EventKind.allCases))
            }
            // Sequence 1 is SESSION_START and SESSION_END is the last, whatever else is journaled.
            if kind == .sessionStarted || kind == .sessionEnded, !isJournaled {
                throw .configuration(
                    "sessions.journaling leaves out \(name)",
                    fix: "every history begins and ends with its session")
            }
            options.journaling[kind] = isJournaled
        }
        for error in replies.agentErrors {
            options.troubles.append(try trouble(error))
        }
        return options
    }

    private func trouble(_ error: AgentError) throws(ServerError) -> Trouble {
        guard let problem = KnownProblem(rawValue: error.problem) else {
            throw .configuration(
                "\"\(error.problem)\" is no known problem", fix: Self.nameList(KnownProblem.allCases))
        }
        let moment: Trouble.Moment =
            switch error.moment {
            case .reply(let number): .reply(number)
            case .chunk(let reply, let chunk): .replyChunk(reply, chunk)
            case .userMessage(let number): .userMessage(number)
            }
        return Trouble(name: error.problem, moment: moment, effect: .agentError(problem), times: error.times)
    }

    private static func nameList<Name: RawRepresentable>(_ names: [Name]) -> String
    where Name.RawValue == String {
        "use one of: " + names.map(\.rawValue).joined(separator: ", ")
    }
}
