import Clocks

struct RetryPlan: Sendable {
    private(set) var tries = 0

    /// Counts a failed attempt. Returns the pause before the next attempt, or nil if none follows.
    mutating func pause(after error: ConnectChatError, _ generator: inout SeededGenerator) -> Interval? {
        tries += 1
        guard tries < ConnectLimits.requestTries else { return nil }
        switch error {
        case .network, .timedOut: break
        case .service(let answer):
            guard [429, 500, 502, 503, 504].contains(answer.status) else { return nil }
            if let wait = answer.retryAfter, wait >= 0 {
                return min(.seconds(wait), ConnectLimits.longestRetryAfter)
            }
        default: return nil
        }
        return Interval.milliseconds(500 << Int64(tries - 1)).scaled(by: 0.8 + 0.4 * generator.unit())
    }
}
