package import Clocks

/// The persisted record from which a later start resumes a session; written whole.
package struct StoredSession: Equatable, Sendable {
    package var sessionID: String
    /// The token the session is bound to; a secret.
    package var accessToken: String
    package var tokenIssuedAt: Instant
    package var tokenExpiresAt: Instant
    /// Time of the last message, or of the app coming to the front.
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

    /// True when a start at `now` would resume this session: younger than `window`, with a usable token.
    package func isResumable(window: Interval, at now: Instant) -> Bool {
        !sessionID.isEmpty && now < lastActivity + window && TokenCheck.isUsable(accessToken, at: now)
            && !isTokenExpiring(at: now)
    }

    /// Nothing left: a server would refuse it.
    package func isTokenOver(at now: Instant) -> Bool {
        tokenExpiresAt < now
    }

    /// Fewer than 300 s left. A token made for less than that expires when it is over, not before, or no
    /// connection could ever be made with it.
    package func isTokenExpiring(at now: Instant) -> Bool {
        let isShortLived = tokenExpiresAt <= tokenIssuedAt + Limits.tokenMargin
        return tokenExpiresAt < now + (isShortLived ? .zero : Limits.tokenMargin)
    }
}
