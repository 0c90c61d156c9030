package import Matching

package struct ConnectionID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Stands for a client that uses requests instead of a connection.
    package static let none = ConnectionID(.max)
}

/// Command of the engine to the server. Effects are carried out in order.
package enum Effect: Equatable, Sendable {
    /// Sends `entry` to `audience`, which may be empty.
    case deliver(SessionHandle, JournalEntry, audience: Audience)
    /// Sends an event of a run to the connection that requested the run (``RunInfo/connection``).
    case run(SessionHandle, RunInfo, RunEntry)
    /// Sends the entries with a sequence above `after` that earlier `deliver` effects contained. With `includesStart`,
    /// the entry with sequence 1 comes first.
    case replay(SessionHandle, to: ConnectionID, after: UInt64, includesStart: Bool)
    /// Applies a fault to the next `deliver` or `replay` of the session.
    case fire(SessionHandle, FiredFault)
    case close(ConnectionID, CloseCause)
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
    /// A newer connection exceeded the limit (``ProtocolDefaults/OverLimit/closeOldest``).
    case tooManyConnections
}

/// Run request that does not meet the script's expectations.
package struct MissedExpectation: Equatable, Sendable {
    package var text: String
    package var run: String
    package var reasons: [String]
    package var place: SourcePlace
    /// Number of the request (``ClientInput/mark``).
    package var mark: UInt32

    package var report: String { "the run \(run) lacks something: \(reasons.joined(separator: "; "))" }
}

/// Note for the log.
package enum Note: Equatable, Sendable {
    case agentJoined(String)
    /// Not indirect, which saves an allocation per message.
    case heard(text: String, rule: String, place: SourcePlace, stage: String, cause: Cause = Cause())
    /// No rule matched the message. ``Conversation/report(on:)`` explains why.
    indirect case unmatched(UnmatchedMessage)
    indirect case missed(MissedExpectation)
    case ignored(reason: String)
    /// A run has failed, because its events violate the protocol's order.
    case brokenOff(String)
    /// A placeholder had no value in the step at `place`.
    case emptyGap(name: String, place: SourcePlace)
    case handoff(name: String, state: String)
    /// An operator acted. `unusual` describes how the action differs from production.
    case takeover(action: String, by: String, unusual: String?)
    case faultAdded(String)
    /// A fault fired. `mark` is the number of the client input that caused the firing (``ClientInput/mark``).
    case faultFired(String, mark: UInt32 = 0)
    case ended(EndReason)
}
