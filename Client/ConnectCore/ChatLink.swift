import Clocks

/// State of the connection: the running attempt, the open socket, and reasons that forbid a connection.
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
    /// Number of consecutive failures. The pause before the next attempt grows with this number.
    var failures = 0
    var isSuspended = false
    var isBehind = false
    var isReachable = true
    /// Whether backpressure has paused reading. If so, a heartbeat answer may have arrived unread. A missing answer
    /// then does not count as a failure.
    var isUnread = false
    var lastError: ConnectChatError?
    /// Whether the service's last refusal is final. If true, no further attempt is made.
    var isHalted = false
    var credentialsAt = Instant(secondsSince1970: 0)
    /// Expiry time of the latest token that was renewed, successfully or not. Each token is renewed at most once.
    var triedTokenOf: Instant?

    var mayConnect: Bool { !isSuspended && !isBehind && isReachable && !isHalted }

    /// Returns the time at which to renew credentials that expire at `expiry`. Nil if they had already expired when
    /// they arrived.
    func renewal(before expiry: Instant) -> Instant? {
        let life = expiry - credentialsAt
        guard life > .zero else { return nil }
        let earliest = credentialsAt + max(ConnectLimits.renewPause, .nanoseconds(life.nanoseconds / 2))
        return max(expiry - ConnectLimits.renewBefore, earliest)
    }

    /// The socket of the attempt; nil before a socket is opened.
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
