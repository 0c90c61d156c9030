package import Matching

/// Number of a connection, assigned by the shell.
package struct ConnectionID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Placeholder for a client that uses requests instead of a connection.
    package static let none = ConnectionID(.max)
}

/// Command for the shell; performed in order.
package enum Effect: Equatable, Sendable {
    /// Send `entry` to `audience`, which may be empty. An entry that some connection waited for or requested again is
    /// repeated with the same id and sequence.
    case deliver(SessionHandle, JournalEntry, audience: Audience)
    /// An event of a run, for the connection that asked for it (``RunInfo/connection``).
    case run(SessionHandle, RunInfo, RunEntry)
    /// Send the history after a sequence, before later effects, as far as earlier effects have delivered it: newer
    /// entries have their own effects. Sequence 1 comes first if `includesStart`.
    case replay(SessionHandle, to: ConnectionID, after: UInt64, includesStart: Bool)
    /// A fault for the next `deliver` or `replay` of the session.
    case fire(SessionHandle, FiredFault)
    case close(ConnectionID, CloseCause)
    /// The session was removed.
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
    /// Too many connections (``ProtocolDefaults/OverLimit/closeOldest``).
    case tooManyConnections
}

/// Unmet expectations of a run's request.
package struct MissedExpectation: Equatable, Sendable {
    package var text: String
    package var run: String
    /// One per failed condition.
    package var reasons: [String]
    package var place: SourcePlace
    /// The shell's number of the request (``ClientInput/mark``).
    package var mark: UInt32

    package var report: String { "the run \(run) lacks something: \(reasons.joined(separator: "; "))" }
}

/// Diagnostic note for the log. Large values are indirect, since effects are copied.
package enum Note: Equatable, Sendable {
    case agentJoined(String)
    indirect case heard(text: String, rule: String, place: SourcePlace, stage: String, cause: Cause = Cause())
    /// No rule matched a message. ``Conversation/report(on:)`` has the reasons.
    indirect case unmatched(UnmatchedMessage)
    /// A request does not meet an expectation.
    indirect case missed(MissedExpectation)
    case ignored(reason: String)
    /// A run broke the protocol's order and failed.
    case brokenOff(String)
    /// A placeholder of a text had no value; the step is at `place`.
    case emptyGap(name: String, place: SourcePlace)
    case handoff(name: String, state: String)
    /// An action of an operator; `unusual` names any difference from production.
    case takeover(action: String, by: String, unusual: String?)
    /// A `fault` step added a fault.
    case faultAdded(String)
    /// A fault fired. The last client's input before it has this mark (``ClientInput/mark``).
    case faultFired(String, mark: UInt32 = 0)
    case ended(EndReason)
}
