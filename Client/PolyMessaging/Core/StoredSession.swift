package import Clocks

package struct StoredSession: Equatable, Sendable {
    package var sessionID: String
    /// Token to which the session is bound; a secret.
    package var accessToken: String
    package var tokenIssuedAt: Instant
    package var tokenExpiresAt: Instant
    /// Time of the last chat message, opened connection or return to the foreground.
    package var lastActivity: Instant

    /// Whether a start at `now` can resume this session: idle for less than `window`, with a usable token.
    package func isResumable(window: Interval, at now: Instant) -> Bool {
        !sessionID.isEmpty && now < lastActivity + window && TokenCheck.isUsable(accessToken, at: now)
            && !isTokenExpiring(at: now)
    }

    package func isTokenOver(at now: Instant) -> Bool {
        tokenExpiresAt < now
    }

    /// Whether the token has fewer than 300 s left. For a lifetime of 300 s or less: whether it has expired.
    package func isTokenExpiring(at now: Instant) -> Bool {
        let isShortLived = tokenExpiresAt <= tokenIssuedAt + MessagingLimits.tokenMargin
        return tokenExpiresAt < now + (isShortLived ? .zero : MessagingLimits.tokenMargin)
    }
}
