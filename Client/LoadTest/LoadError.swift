/// Category of an error, without its details.
package enum LoadError: Hashable, Sendable, CustomStringConvertible {
    /// A request was answered with this status.
    case refused(request: String, status: Int)
    /// A request or an upgrade was not answered at all.
    case unanswered(request: String, reason: String)
    /// A session was given up; the SDK's word for it.
    case noSession(String)
    /// A session was not open in time.
    case notOpened
    /// An open connection ended with this code while the session went on.
    case closed(code: Int)
    /// The SDK gave a message up.
    case notDelivered
    case noEcho
    /// The echo came, and no reply in time.
    case noReply
    /// The session was over before the reply.
    case endedEarly
    /// The agent never greeted.
    case noGreeting
    /// Every session was waiting for an answer until the end of the run.
    case neverSent
    /// An error reported by another process of the run.
    case told(String)
    case other

    package var description: String {
        switch self {
        case .refused(let request, let status): "\(request): HTTP \(status)"
        case .unanswered(let request, let reason): "\(request): \(reason)"
        case .noSession(let reason): "session given up: \(reason)"
        case .notOpened: "session not open in time"
        case .closed(let code): "connection lost: close code \(code)"
        case .notDelivered: "message not delivered"
        case .noEcho: "no echo in time"
        case .noReply: "no reply in time"
        case .endedEarly: "session ended too early"
        case .noGreeting: "no greeting in time"
        case .neverSent: "message never sent: every session was waiting"
        case .told(let text): text
        case .other: "other errors"
        }
    }
}
