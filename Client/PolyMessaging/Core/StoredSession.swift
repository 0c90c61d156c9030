package import Clocks

/// The stored record of a session. A later start can resume the session from it.
package struct StoredSession: Equatable, Sendable {
    package var sessionID: String
    /// The token to which the session is bound; a secret.
    package var accessToken: String
    package var tokenIssuedAt: Instant
    package var tokenExpiresAt: Instant
    /// Time of the last activity: a chat message, an opened connection, or the app's return to the foreground.
    package var lastActivity: Instant

    package init(
        sessionID: String, accessToken: String, tokenIssuedAt: Instant, tokenExpiresAt: Instant,
        lastActivity: Instant
    ) {
        self.sessionID = sessionID
        self.accessToken = accessToken
        self.tokenIssuedAt = tokenIssuedAt
        self.tokenExpiresAt = tokenExpiresAt
        self.lastActivity = lastActivity
    }

    /// Whether a start at `now` can resume this session. The session must have been idle for less than `window`, and
    /// its token must still be usable.
    package func isResumable(window: Interval, at now: Instant) -> Bool {
        !sessionID.isEmpty && now < lastActivity + window && TokenCheck.isUsable(accessToken, at: now)
            && !isTokenExpiring(at: now)
    }

    package func isTokenOver(at now: Instant) -> Bool {
        tokenExpiresAt < now
    }

    /// Whether the token has fewer than 300 s left. For a token with a lifetime of 300 s or less: whether it has
    /// expired.
    package func isTokenExpiring(at now: Instant) -> Bool {
        let isShortLived = tokenExpiresAt <= tokenIssuedAt + MessagingLimits.tokenMargin
        return tokenExpiresAt < now + (isShortLived ? .zero : MessagingLimits.tokenMargin)
    }
}
