package import Matching

/// A connection as the shell numbers it.
package struct ConnectionID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Stands for a client that speaks by requests.
    package static let none = ConnectionID(.max)
}

/// What the shell has to do, in order.
package enum Effect: Equatable, Sendable {
    /// Send `entry` to each of `audience`. An empty audience still means that it happened; an entry that some
    /// connection had to wait for, or asked for again, comes once more for it, with the same id and sequence.
    case tell(SessionHandle, JournalEntry, audience: Audience)
    /// An event of a run, for the connection that asked for it (``RunFacts/connection``).
    case run(SessionHandle, RunFacts, RunEntry)
    /// Send the history from `after` on, before anything later: what earlier effects told, and no more. The
    /// journal may be ahead by now; its newer entries have effects of their own behind this one. Sequence 1
    /// leads when `includesStart`.
    case replay(SessionHandle, to: ConnectionID, after: UInt64, includesStart: Bool)
    /// A trouble acts on the very next `tell` or `replay` of the session.
    case strike(SessionHandle, Strike)
    case close(ConnectionID, CloseCause)
    /// The session is gone; whatever was kept for it can go as well.
    case forgotten(SessionHandle)
    case note(SessionHandle, Note)
}

package enum Audience: Equatable, Sendable {
    case nobody
    case one(ConnectionID)
    case many([ConnectionID])

    package var connections: [ConnectionID] {
        switch self {
        case .nobody: []
        case .one(let id): [id]
        case .many(let ids): ids
        }
    }

    package var count: Int {
        switch self {
        case .nobody: 0
        case .one: 1
        case .many(let ids): ids.count
        }
    }
}

package enum CloseCause: Equatable, Sendable {
    case sessionEnded
    case connectionIdle
    case connectionTooOld
    /// One more was opened than the session may have (``SessionTerms/OverLimit/closeOldest``).
    case tooManyConnections
}

/// What the request of a run did not bring along.
package struct MissedExpectation: Equatable, Sendable {
    /// What the client said.
    package var text: String
    package var run: String
    /// One for each condition that does not hold.
    package var reasons: [String]
    package var place: SourcePlace
    /// What the shell calls the request (``ClientInput/mark``).
    package var mark: UInt32

    /// In one sentence.
    package var report: String { "the run \(run) lacks something: \(reasons.joined(separator: "; "))" }
}

/// What a developer wants to read in the log.
///
/// Effects and happenings hold notes and are copied: what is large is elsewhere in memory.
package enum Note: Equatable, Sendable {
    case agentJoined(String)
    indirect case heard(text: String, rule: String, place: SourcePlace, stage: String, cause: Cause = Cause())
    /// No rule heard a message. ``Conversation/report(on:)`` says why, for whoever wants to know.
    indirect case unheard(Unheard)
    /// A request lacks what the script expects of it.
    indirect case missed(MissedExpectation)
    case ignored(reason: String)
    /// A run told what must not come where it stands in the script; it has failed.
    case brokenOff(String)
    /// A text had nothing to put in this gap; the step stands at `place`.
    case emptyGap(name: String, place: SourcePlace)
    case handoff(name: String, state: String)
    /// A human at the controls did something; `unusual` says what production would not do.
    case chair(action: String, by: String, unusual: String?)
    /// A `trouble` step put a trouble in force.
    case armed(String)
    /// A trouble struck. The last client's input before it has this mark (``ClientInput/mark``).
    case troubled(String, mark: UInt32 = 0)
    case ended(EndReason)
}
