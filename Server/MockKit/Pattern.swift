import ConversationEngine
import DialectKit
import Fixtures
import Matching
import MockServer
import Patterns
import Texts

/// A description of the observed events that a test expects.
///
/// ```swift
/// try await mock.expect(.reply("For how many"))    // these words, wherever they stand
/// try await mock.expect(.reply, atLeast: 2)        // the greeting, and this one
/// try await mock.expect(.userMessage("a table"))
/// try await mock.expect(.event("USER_MESSAGE"))
/// try await mock.expect(.system("high load"), exactly: 0)
/// try await mock.expect(.agentError("high load"), exactly: 0)
/// try await mock.expect(.handoff(.accepted), exactly: 0)
/// try await mock.expect(.queue(1), exactly: 0)
/// try await mock.expect(.violation("join-once"), exactly: 0)
/// ```
public struct Pattern: Sendable, Equatable {
    /// A step of a handoff.
    public enum Handoff: String, Sendable, Equatable, CaseIterable {
        case triggered
        /// A queue or a live agent accepted the handoff.
        case accepted
        /// The handoff failed, for example because no live agent was available.
        case failed
        case timedOut = "timed out"
        /// The client has to connect the user to a live agent.
        case clientRequired = "required of the client"
    }

    /// The reason of a session's end.
    public enum Ending: String, Sendable, Equatable, CaseIterable {
        /// The agent or a live agent ended the conversation.
        case natural
        case user
        /// All clients were gone or silent.
        case abandoned
    }

    var kind: ObservedEvent.Kind
    /// Text that the event contains, without regard to case, accents and punctuation, or has exactly (``isExact``).
    var text: String?
    var isExact = false
    /// Whether only reconnects match, not the first connection of a session.
    var isAgain = false
    var isError = false
    /// The event type without `EVENT_TYPE_`.
    var type: String?

    init(_ kind: ObservedEvent.Kind, _ text: String? = nil, isExact: Bool = false) {
        self.kind = kind
        self.text = text
        self.isExact = isExact
    }

    /// The client asked the agent to join.
    public static let join = Pattern(.join)
    /// A message of the agent. A message to a chat of the mock matches only when the chat shows it.
    public static let reply = Pattern(.reply)
    /// A message of the user.
    public static let userMessage = Pattern(.userMessage)
    /// A message of a live agent.
    public static let liveAgentMessage = Pattern(.liveAgentMessage)
    /// A heartbeat of a client.
    public static let heartbeat = Pattern(.heartbeat)
    /// A position in a queue.
    public static let queue = Pattern(.queue)
    /// A live agent took over.
    public static let liveAgentJoined = Pattern(.liveAgentJoined)
    /// A live agent left.
    public static let liveAgentLeft = Pattern(.liveAgentLeft)
    /// Any step of a handoff.
    public static let handoff = Pattern(.handoff)
    /// A system message: a notice outside the conversation, or an error of the agent.
    public static let system = Pattern(.system)
    /// Any system message that is an error, such as the error of an agent under high load.
    public static let agentError: Pattern = {
        var pattern = Pattern(.system)
        pattern.isError = true
        return pattern
    }()
    /// The user, the agent or a live agent types or thinks.
    public static let typing = Pattern(.typing)
    /// A session began.
    public static let sessionStarted = Pattern(.sessionStarted)
    /// The session ended, for whatever reason.
    public static let sessionEnded = Pattern(.sessionEnded)
    /// A client connected, for the first time or again.
    public static let connection = Pattern(.connection)
    /// A connection ended.
    public static let disconnection = Pattern(.disconnection)
    /// A client connected again to its session.
    public static let reconnect: Pattern = {
        var pattern = Pattern(.connection)
        pattern.isAgain = true
        return pattern
    }()
    /// A message without a matching rule.
    public static let unmatchedMessage = Pattern(.unmatchedMessage)
    /// A request without a route.
    public static let unmatchedRequest = Pattern(.unmatchedRequest)

    /// The agent's reply contains `text`, ignoring case, accents and punctuation.
    public static func reply(_ text: String) -> Pattern { Pattern(.reply, text) }

    /// The user's message contains `text`, ignoring case, accents and punctuation.
    public static func userMessage(_ text: String) -> Pattern { Pattern(.userMessage, text) }

    /// The live agent's message contains `text`, ignoring case, accents and punctuation.
    public static func liveAgentMessage(_ text: String) -> Pattern { Pattern(.liveAgentMessage, text) }

    /// The system message contains `text`, ignoring case, accents and punctuation.
    public static func system(_ text: String) -> Pattern { Pattern(.system, text) }

    /// An agent error whose text contains `text`, or whose name in fixtures is `text`, such as `high load`.
    public static func agentError(_ text: String) -> Pattern {
        var pattern = Pattern(.system, text)
        pattern.isError = true
        return pattern
    }

    /// A queue update with this position; 1 is the front.
    public static func queue(_ position: Int) -> Pattern { Pattern(.queue, "\(position)", isExact: true) }

    /// This step of a handoff.
    public static func handoff(_ step: Handoff) -> Pattern {
        Pattern(.handoff, step.rawValue, isExact: true)
    }

    /// The session ended for this reason.
    public static func sessionEnded(_ reason: Ending) -> Pattern {
        Pattern(.sessionEnded, reason.rawValue, isExact: true)
    }

    /// A fault of this name fired. A preset such as `lift` also matches its parts, such as `lift (doors)`.
    public static func fault(_ name: String) -> Pattern { Pattern(.fault, name, isExact: true) }

    /// A violation of the protocol rule with this name, or with these words in its title (protocol-rules.md).
    public static func violation(_ protocolRule: String) -> Pattern {
        guard let named = Server.protocolRules.first(where: { $0.id == protocolRule }) else {
            return Pattern(.violation, protocolRule)
        }
        return Pattern(.violation, named.title, isExact: true)
    }

    /// An event of this wire type, with or without `EVENT_TYPE_`.
    public static func event(_ type: String) -> Pattern {
        var pattern = Pattern(.event)
        pattern.type = Server.shortType(type)
        return pattern
    }

    package func matches(_ observed: ObservedEvent) -> Bool {
        if let type { return observed.type == type }
        guard observed.kind == kind, observed.hasArrived else { return false }
        if isAgain, (observed.connection ?? 0) < 2 { return false }
        if isError, !observed.isError { return false }
        guard let text else { return true }
        if kind == .fault, observed.text != text {
            return FaultPreset(rawValue: text)?.faults.contains { $0.name == observed.text } ?? false
        }
        if isExact { return observed.text == text }
        if let problem = observed.problem, problem == text { return true }
        return Folding.fold(observed.text).holds(Folding.fold(text))
    }

    var hasName: Bool {
        type != nil || text != nil && (kind == .fault || kind == .violation || isError)
    }

    /// Whether the event has the kind of this pattern.
    func isRelated(to observed: ObservedEvent) -> Bool { type == nil && observed.kind == kind }
}
