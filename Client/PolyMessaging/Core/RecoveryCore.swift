package import Clocks

/// State machine for join requests: one for each session, and another one if the request or the conversation was lost
/// (protocol.md#join-once, protocol.md#join-invitations).
///
/// | state | input | next state | join request |
/// | --- | --- | --- | --- |
/// | unasked | SESSION_START of a session just created | asked | now |
/// | unasked | SESSION_START of a resumed session, or a replay | settling, 500 ms | – |
/// | unasked | a connection that continues a session | settling, 3 s | – |
/// | settling | another batch of the history | settling, another 500 ms | – |
/// | settling | deadline | asked | now |
/// | any | the echo of a join request, or the agent joined | joined | – |
/// | settling, asked | connection lost | unasked | – |
/// | any | an error text about a lost conversation | same | after 1, 2, 4 s; not a fourth time |
/// | any | a reply of the agent | joined; the count of lost conversations restarts | – |
package struct RecoveryCore: Sendable {
    private enum State: Sendable {
        case unasked
        case settling(until: Instant)
        case asked
        case joined
    }

    private var state = State.unasked
    private var lostCount = 0
    private var recoversAt: Instant?
    private var joinCount = 0

    package init() {}

    /// Whether a join request may have to precede the drafts.
    package var isUndecided: Bool {
        if case .settling = state { true } else { false }
    }

    package var nextDeadline: Instant? {
        var deadline = recoversAt
        if case .settling(let until) = state { deadline = min(until, deadline ?? until) }
        return deadline
    }

    package mutating func reset() {
        self = RecoveryCore()
    }

    /// Returns whether to send a join request now. If the frame of SESSION_START contains one, call ``joinSeen()``
    /// first.
    package mutating func sessionStarted(isFresh: Bool, at now: Instant) -> Bool {
        switch state {
        case .unasked where isFresh:
            state = .asked
            return true
        case .unasked:
            state = .settling(until: now + MessagingLimits.replaySettle)
            return false
        case .settling, .asked, .joined:
            return false
        }
    }

    /// Handles a batch.
    package mutating func frameArrived(at now: Instant) {
        if case .settling = state { state = .settling(until: now + MessagingLimits.replaySettle) }
    }

    /// Handles a new connection that continues a session. A join request follows, unless the agent has joined or the
    /// history shows a request: one on the old connection may have been lost.
    package mutating func reopened(at now: Instant) {
        if case .unasked = state { state = .settling(until: now + MessagingLimits.replayWait) }
    }

    package mutating func replayBegan(at now: Instant) {
        switch state {
        case .unasked, .settling: state = .settling(until: now + MessagingLimits.replaySettle)
        case .asked, .joined: break
        }
    }

    package mutating func connectionLost() {
        recoversAt = nil
        switch state {
        case .settling, .asked: state = .unasked
        case .unasked, .joined: break
        }
    }

    /// Counts a join request. Returns whether to expect an answer.
    package mutating func expectsAnswer() -> Bool {
        joinCount += 1
        return joinCount <= MessagingLimits.maxRecoveryJoins
    }

    package mutating func joinSeen() {
        state = .joined
    }

    package mutating func agentSpoke() {
        state = .joined
        lostCount = 0
        recoversAt = nil
    }

    /// Handles a SYSTEM_MESSAGE. Returns whether a join request is scheduled.
    package mutating func heard(_ text: String, level: SystemMessageLevel, at now: Instant) -> Bool {
        guard level == .error, Self.isLostConversation(text), recoversAt == nil,
            lostCount < MessagingLimits.maxRecoveryJoins
        else { return false }
        recoversAt = now + MessagingLimits.recoveryPause * (1 << lostCount)
        lostCount += 1
        return true
    }

    /// Returns true if a join request must be sent now.
    package mutating func advance(to now: Instant) -> Bool {
        if let due = recoversAt, due <= now {
            recoversAt = nil
            return true
        }
        guard case .settling(let until) = state, until <= now else { return false }
        state = .asked
        return true
    }

    package static func isLostConversation(_ text: String) -> Bool {
        phrases.contains { contains(text, $0) }
    }

    private static let phrases = [
        "conversation not found", "conversation id not found", "unable to start a conversation",
    ]

    private static func contains(_ text: String, _ phrase: String) -> Bool {
        let (text, phrase) = (Array(text.lowercased().utf8), Array(phrase.utf8))
        guard text.count >= phrase.count else { return false }
        return (0...(text.count - phrase.count)).contains {
            text[$0..<($0 + phrase.count)].elementsEqual(phrase)
        }
    }
}
