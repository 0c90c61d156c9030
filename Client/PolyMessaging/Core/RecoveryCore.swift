package import Clocks

/// Decides when to ask the agent to join: once per session, and again when the server lost the conversation
/// (protocol.md#join-once, protocol.md#join-invitations).
///
/// | state | input | next state | join |
/// | --- | --- | --- | --- |
/// | unasked | SESSION_START of a session just made | asked | now |
/// | unasked, asked | SESSION_START of a session that may have an agent, or a replay | settling | – |
/// | unasked | a connection on which a session goes on | settling, 3 s | – |
/// | settling | another frame of the history | settling, 500 ms from it | – |
/// | settling | 500 ms | asked | now |
/// | any | the echo of a join, or the agent joined | joined | – |
/// | asked | connection lost | unasked | – |
/// | joined, asked | one of three error texts | the same | after 1, 2, 4 s; not a fourth time |
/// | any | the agent said something | joined | the count starts anew |
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

    /// True until it is decided whether to join again. Nothing is sent before: the server would not know the session.
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

    /// SESSION_START arrived, after all that came with it was looked through. True: send a join.
    package mutating func sessionStarted(isFresh: Bool, at now: Instant) -> Bool {
        switch state {
        case .unasked where isFresh:
            state = .asked
            return true
        case .unasked:
            state = .settling(until: now + Limits.replaySettle)
            return false
        case .settling, .asked, .joined:
            return false
        }
    }

    /// A frame of the history, or after it.
    package mutating func frameArrived(at now: Instant) {
        if case .settling = state { state = .settling(until: now + Limits.replaySettle) }
    }

    /// The connection is new, and the session was started on an earlier one: what we asked may be lost.
    package mutating func reopened(at now: Instant) {
        if case .unasked = state { state = .settling(until: now + Limits.replayWait) }
    }

    /// Its first frame.
    package mutating func replayBegan(at now: Instant) {
        switch state {
        case .unasked, .settling: state = .settling(until: now + Limits.replaySettle)
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

    /// A join goes out. False when so many went out without a trace that no answer is expected any more.
    package mutating func expectsAnswer() -> Bool {
        joinCount += 1
        return joinCount <= Limits.maxRecoveryJoins
    }

    /// The server has our join, or an agent is there.
    package mutating func joinSeen() {
        state = .joined
    }

    package mutating func agentSpoke() {
        state = .joined
        lostCount = 0
        recoversAt = nil
    }

    /// SYSTEM_MESSAGE. True when a join will follow.
    package mutating func heard(_ text: String, level: SystemMessageLevel, at now: Instant) -> Bool {
        guard level == .error, Self.isLostConversation(text), recoversAt == nil,
            lostCount < Limits.maxRecoveryJoins
        else { return false }
        recoversAt = now + Limits.recoveryPause * (1 << lostCount)
        lostCount += 1
        return true
    }

    /// True: send a join.
    package mutating func advance(to now: Instant) -> Bool {
        if let due = recoversAt, due <= now {
            recoversAt = nil
            return true
        }
        guard case .settling(let until) = state, until <= now else { return false }
        state = .asked
        return true
    }

    /// One of the texts that say that the server has no conversation.
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
