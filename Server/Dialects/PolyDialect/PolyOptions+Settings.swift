import Clocks
package import ConversationEngine
package import DialectKit

extension PolyOptions: DialectOptions {
    package static var block: String? { nil }

    package mutating func visit(_ visitor: inout some SettingVisitor) {
        visitor.visit("connectors", &connectors)
        visitor.visit("tokens.life", &tokens.life)
        visitor.visit("tokens.scenarios", &tokens.acceptsScenarios)
        visitor.visit("tokens.binding", &tokens.binding)
        visitor.visit("rates.rest", &rates.rest)
        visitor.visit("rates.webSocket", &rates.webSocket)
        visitor.visit("sessions.maxReconnectAttempts", &sessions.maxReconnectAttempts)
        visitor.visit("sessions.heartbeatInterval", &sessions.heartbeatInterval) {
            guard $0 != .zero, $0 < .seconds(1) else { return nil }
            return (" is below a second", "use whole seconds, or zero for no heartbeats")
        }
        visitor.visit("sessions.idle", &sessions.idle)
        visitor.visit("sessions.endGrace", &sessions.endGrace)
        visitor.visit("sessions.endedRetention", &sessions.endedRetention)
        visitor.visit("sessions.journaling", &sessions.journaling, refusing: Self.mistake(inJournaling:))
        visitor.visit("connections.perSession", &connections.perSession, 1...10_000)
        visitor.visit("connections.idle", &connections.idle)
        visitor.visit("connections.maxAge", &connections.maxAge)
        visitor.visit("connections.handshakeDelay", &connections.handshakeDelay)
        visitor.visit("connections.firstFrameDelay", &connections.firstFrameDelay)
        visitor.visit("connections.firstLiveEventDelay", &connections.firstLiveEventDelay)
        visitor.visit("connections.alwaysReplaysSessionStart", &connections.alwaysReplaysSessionStart)
        visitor.visit("connections.usesNamedPayloadsInBatches", &connections.usesNamedPayloadsInBatches)
        visitor.visit("replies.greetsAgain", &replies.greetsAgain)
        visitor.visit("replies.honorsGreetingMessage", &replies.honorsGreetingMessage)
        visitor.visit("replies.dropsRepeatedLocalIDs", &replies.dropsRepeatedLocalIDs)
        visitor.visit("replies.acceptsVoiceLink", &replies.acceptsVoiceLink)
        visitor.visit("replies.echoDelay", &replies.echoDelay)
        visitor.visit("replies.droppedEchoes", &replies.droppedEchoes)
        visitor.visit("replies.agentReturnsAfterFailedHandoff", &replies.agentReturnsAfterFailedHandoff)
        visitor.visit("replies.firstChunkIndex", &replies.firstChunkIndex, 0...1)
        visitor.visit("replies.endsWithEmptyChunk", &replies.endsWithEmptyChunk)
        visitor.visit("replies.chunks", &replies.chunks)
        visitor.visit("replies.trimsChunks", &replies.trimsChunks)
        visitor.visit("replies.agentErrors", &replies.agentErrors) { errors in
            errors.first { $0.known == nil }.map {
                ("\"\($0.problem)\" is no known problem", Self.list(KnownProblem.allCases))
            }
        }
    }

    package func configure(_ engine: inout EngineOptions) {
        engine.facts.maxReconnectAttempts = sessions.maxReconnectAttempts
        engine.facts.heartbeatIntervalSeconds = Int(sessions.heartbeatInterval.seconds)
        engine.sessionIdle = sessions.idle
        engine.endGrace = sessions.endGrace
        engine.endedRetention = sessions.endedRetention
        for (name, isJournaled) in sessions.journaling {
            if let kind = EventKind(rawValue: name) { engine.journaling[kind] = isJournaled }
        }
        engine.connectionsPerSession = connections.perSession
        engine.connectionIdle = connections.idle
        engine.connectionAge = connections.maxAge
        engine.alwaysReplaysSessionStart = connections.alwaysReplaysSessionStart
        engine.greetsAgain = replies.greetsAgain
        engine.honorsGreetingMessage = replies.honorsGreetingMessage
        engine.dropsRepeatedLocalIDs = replies.dropsRepeatedLocalIDs
        engine.echoDelay = replies.echoDelay
        engine.droppedEchoes = replies.droppedEchoes
        engine.agentReturnsAfterFailedHandoff = replies.agentReturnsAfterFailedHandoff
        engine.firstChunkIndex = replies.firstChunkIndex
        engine.endsWithEmptyChunk = replies.endsWithEmptyChunk
        engine.trimsChunks = replies.trimsChunks
        engine.faults += replies.agentErrors.compactMap(\.fault)
    }

    package func dialect(_ site: DialectSite) -> (any Dialect)? { PolyDialect(options: self, key: site.key) }

    private static func mistake(inJournaling kinds: [String: Bool]) -> SettingMistake? {
        for (name, isJournaled) in kinds {
            switch EventKind(rawValue: name) {
            case nil:
                return (
                    "\"\(name)\" is no kind of event",
                    list(EventKind.allCases.filter { $0 != .liveAgentStatus })
                )
            // Both are always journaled: SESSION_START has sequence number 1, and SESSION_END is the last event.
            case .sessionStarted, .sessionEnded:
                if !isJournaled {
                    return (" leaves out \(name)", "every history begins and ends with its session")
                }
            case .liveAgentStatus:
                if isJournaled {
                    return (" has \(name)", "take it out: the Messaging API has no event for it")
                }
            default: break
            }
        }
        return nil
    }

    private static func list<Name: RawRepresentable<String>>(_ names: [Name]) -> String {
        "use one of: " + names.map(\.rawValue).joined(separator: ", ")
    }
}

extension PolyOptions.AgentError {
    fileprivate var known: KnownProblem? { KnownProblem(rawValue: problem) }

    fileprivate var fault: Fault? {
        let moment: Fault.Moment =
            switch moment {
            case .reply(let number): .reply(number)
            case .chunk(let reply, let chunk): .replyChunk(reply, chunk)
            case .userMessage(let number): .userMessage(number)
            }
        return known.map { Fault(name: problem, moment: moment, effect: .agentError($0), times: times) }
    }
}
