import Clocks

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
    /// Consecutive failures, which lengthen the pause before the next attempt.
    var failures = 0
    var isSuspended = false
    var isBehind = false
    var isReachable = true
    /// Whether backpressure paused reading.
    var isUnread = false
    var lastError: ConnectChatError?
    /// Whether reconnecting has stopped: the service's last refusal is final, or the app asked to stop.
    var isHalted = false
    var credentialsAt = Instant(secondsSince1970: 0)
    /// Expiry of the last token whose renewal was tried.
    var triedTokenOf: Instant?

    var mayConnect: Bool { !isSuspended && !isBehind && isReachable && !isHalted }

    /// Returns when to renew credentials that expire at `expiry`, or nil.
    func renewal(before expiry: Instant) -> Instant? {
        let life = expiry - credentialsAt
        guard life > .zero else { return nil }
        let earliest = credentialsAt + max(ConnectLimits.renewPause, .nanoseconds(life.nanoseconds / 2))
        return max(expiry - ConnectLimits.renewBefore, earliest)
    }

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
