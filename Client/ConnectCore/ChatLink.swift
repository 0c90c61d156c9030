import Clocks

/// State of the connection: the present attempt, the open socket, and the reason when there is neither.
struct ChatLink: Sendable {
    enum Step: Equatable, Sendable {
        case requesting(request: Int, since: Instant)
        case dialling(socket: Int, deadline: Instant)
        case subscribing(socket: Int, asked: Int, next: Instant)
    }

    struct Live: Sendable {
        var socket: Int
        var since: Instant
        var heartbeats: Heartbeats
        var renewsAt: Instant
    }

    var live: Live?
    var attempt: Step?
    var pausesUntil: Instant?
    /// Number of consecutive failures; the pause grows with it.
    var failures = 0
    var isSuspended = false
    var isBehind = false
    var isReachable = true
    /// Received frames are not read: a heartbeat's answer may wait unread, so a missing answer proves nothing.
    var isUnread = false
    var lastError: ConnectChatError?
    /// Whether the last refusal is final, so that no further attempt is made.
    var isHalted = false
    var credentialsAt = Instant(secondsSince1970: 0)
    /// The expiry for which a renewal was tried; each is tried once.
    var triedTokenOf: Instant?

    var mayConnect: Bool { !isSuspended && !isBehind && isReachable && !isHalted }

    /// Renewal time of credentials that expire at `expiry`; nil when they had expired on arrival.
    func renewal(before expiry: Instant) -> Instant? {
        let life = expiry - credentialsAt
        guard life > .zero else { return nil }
        let earliest = credentialsAt + max(Limits.renewPause, .nanoseconds(life.nanoseconds / 2))
        return max(expiry - Limits.renewBefore, earliest)
    }

    /// The socket of the attempt, if it has got that far.
    var attemptSocket: Int? {
        switch attempt {
        case .dialling(let socket, _), .subscribing(let socket, _, _): socket
        case .requesting, nil: nil
        }
    }

    var nextDeadline: Instant? {
        var deadlines: [Instant] = []
        switch attempt {
        case .dialling(_, let deadline): deadlines.append(deadline)
        case .subscribing(_, _, let next): deadlines.append(next)
        case .requesting, nil: break
        }
        if let pausesUntil, attempt == nil { deadlines.append(pausesUntil) }
        if let live {
            deadlines.append(live.heartbeats.next)
            if attempt == nil, pausesUntil == nil { deadlines.append(live.renewsAt) }
        }
        return deadlines.min()
    }
}
