package enum LoadError: Hashable, Sendable, CustomStringConvertible {
    case refused(request: String, status: Int)
    case unanswered(request: String, reason: String)
    case noSession(String)
    case notOpened
    /// A connection of a session ended with this close code.
    case closed(code: Int)
    case notDelivered
    case noEcho
    /// The echo arrived in time, but not all expected replies.
    case noReply
    case endedEarly
    case noGreeting
    /// No session was free to send the message before the end of the run.
    case neverSent
    /// Description of an error that another process of the run counted.
    case reported(String)
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
        case .reported(let text): text
        case .other: "other errors"
        }
    }
}
