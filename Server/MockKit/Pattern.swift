import ConversationEngine
import DialectKit
import Fixtures
import Matching
import MockServer
import Patterns
import Texts

/// What a test expects to see.
///
/// ```swift
/// try await mock.expect(.reply("For how many"))    // these words, wherever they stand
/// try await mock.expect(.reply, atLeast: 2)        // the greeting, and this one
/// try await mock.expect(.agentError, exactly: 0)
/// ```
public struct Pattern: Sendable, Equatable {
    /// A step of a handoff.
    public enum Handoff: String, Sendable, Equatable, CaseIterable {
        /// The agent asks for a person.
        case triggered
        /// A queue, or a person, took it.
        case accepted
        /// Nobody could take it.
        case failed
        /// Nobody took it in time.
        case timedOut = "timed out"
        /// The client has to bring the user to a person itself.
        case clientRequired = "required of the client"
    }

    /// Why a session ends.
    public enum Ending: String, Sendable, Equatable, CaseIterable {
        /// The agent or a person ended it.
        case natural
        /// The user ended it.
        case user
        /// Nobody was there any more.
        case abandoned
    }

    var kind: Sighting.Kind
    /// What its text has to contain, after folding; for a queue its position.
    var text: String?
    /// The text has to be exactly this.
    var isExact = false
    /// Only connections after the first one of a session.
    var isAgain = false
    /// Only system messages that are errors.
    var isError = false
    /// The event type, without `EVENT_TYPE_`, or the engine's word for it.
    var type: String?

    init(_ kind: Sighting.Kind, _ text: String? = nil, isExact: Bool = false) {
        self.kind = kind
        self.text = text
        self.isExact = isExact
    }

    /// The client asked the agent to join.
    public static let join = Pattern(.join)
    /// The agent said anything. What is said to a chat of the mock counts once the chat shows it.
    public static let reply = Pattern(.reply)
    /// The user said anything.
    public static let userMessage = Pattern(.userMessage)
    /// A live person said anything.
    public static let personMessage = Pattern(.personMessage)
    /// A client told that it is alive.
    public static let heartbeat = Pattern(.heartbeat)
    /// Any place in a queue was told.
    public static let queue = Pattern(.queue)
    /// A live person took over.
    public static let personJoined = Pattern(.personJoined)
    /// A live person left.
    public static let personLeft = Pattern(.personLeft)
    /// Any step of a handoff.
    public static let handoff = Pattern(.handoff)
    /// Any system message: words beside the talk, and errors of the agent.
    public static let system = Pattern(.system)
    /// Any system message that is an error, such as those of an agent under high load.
    public static let agentError: Pattern = {
        var pattern = Pattern(.system)
        pattern.isError = true
        return pattern
    }()
    /// Somebody types or thinks.
    public static let typing = Pattern(.typing)
    /// A session began.
    public static let sessionStarted = Pattern(.sessionStarted)
    /// The session ended, for whatever reason.
    public static let sessionEnded = Pattern(.sessionEnded)
    /// A client connected, for the first time or again.
    public static let connection = Pattern(.connection)
    /// A connection ended.
    public static let disconnection = Pattern(.disconnection)
    /// A client connected to a session that it had been connected to before.
    public static let reconnect: Pattern = {
        var pattern = Pattern(.connection)
        pattern.isAgain = true
        return pattern
    }()
    /// A message that no rule heard.
    public static let unheard = Pattern(.unheard)
    /// A request that no route takes.
    public static let strayRequest = Pattern(.stray)

    /// - Parameter text: what the agent's reply contains, letter case, accents and punctuation aside.
    /// - Returns: the pattern.
    public static func reply(_ text: String) -> Pattern { Pattern(.reply, text) }

    /// - Parameter text: what the user's message contains, letter case, accents and punctuation aside.
    /// - Returns: the pattern.
    public static func userMessage(_ text: String) -> Pattern { Pattern(.userMessage, text) }

    /// - Parameter text: what the person's message contains, letter case, accents and punctuation aside.
    /// - Returns: the pattern.
    public static func personMessage(_ text: String) -> Pattern { Pattern(.personMessage, text) }

    /// - Parameter text: what the system message contains, letter case, accents and punctuation aside.
    /// - Returns: the pattern.
    public static func system(_ text: String) -> Pattern { Pattern(.system, text) }

    /// - Parameter text: what the error contains; or its name in fixtures, such as `high load`.
    /// - Returns: the pattern.
    public static func agentError(_ text: String) -> Pattern {
        var pattern = Pattern(.system, text)
        pattern.isError = true
        return pattern
    }

    /// - Parameter position: the place that is told; 1 is the front.
    /// - Returns: the pattern.
    public static func queue(_ position: Int) -> Pattern { Pattern(.queue, "\(position)", isExact: true) }

    /// - Parameter step: the step of the handoff.
    /// - Returns: the pattern.
    public static func handoff(_ step: Handoff) -> Pattern {
        Pattern(.handoff, step.rawValue, isExact: true)
    }

    /// - Parameter reason: why it ended.
    /// - Returns: the pattern.
    public static func sessionEnded(_ reason: Ending) -> Pattern {
        Pattern(.sessionEnded, reason.rawValue, isExact: true)
    }

    /// - Parameter name: the name of a trouble that struck; that of a profile, such as `lift`, stands for each of its
    ///   parts, such as `lift (doors)`.
    /// - Returns: the pattern.
    public static func trouble(_ name: String) -> Pattern { Pattern(.trouble, name, isExact: true) }

    /// - Parameter law: the name of a law that was broken, such as `join-once`, or words of it. `Shared/Docs/laws.md`
    ///   has all of them.
    /// - Returns: the pattern.
    public static func breach(_ law: String) -> Pattern {
        guard let named = Server.laws.first(where: { $0.id == law }) else {
            return Pattern(.breach, law)
        }
        return Pattern(.breach, named.title, isExact: true)
    }

    /// - Parameter type: the wire's event type, with or without `EVENT_TYPE_`.
    /// - Returns: the pattern.
    public static func event(_ type: String) -> Pattern {
        var pattern = Pattern(.event)
        pattern.type = Server.shortType(type)
        return pattern
    }

    package func matches(_ sighting: Sighting) -> Bool {
        if let type { return sighting.type == type }
        guard sighting.kind == kind, sighting.hasArrived else { return false }
        if isAgain, (sighting.connection ?? 0) < 2 { return false }
        if isError, !sighting.isError { return false }
        guard let text else { return true }
        if kind == .trouble, sighting.text != text {
            return TroubleProfile(rawValue: text)?.troubles.contains { $0.name == sighting.text } ?? false
        }
        if isExact { return sighting.text == text }
        if let problem = sighting.problem, problem == text { return true }
        return Folding.fold(sighting.text).holds(Folding.fold(text))
    }

    /// It has a name that can be misspelt.
    var hasName: Bool {
        type != nil || text != nil && (kind == .trouble || kind == .breach || isError)
    }

    /// Of the same kind, and so worth comparing with what was expected.
    func isRelated(to sighting: Sighting) -> Bool {
        type == nil && sighting.kind == kind
    }
}
