package import Clocks
package import ConversationEngine

/// A protocol's rules for clients, with the state to check them.
package protocol ClientProtocolRules: Sendable {
    var all: [ProtocolRule] { get }

    /// Checks an action. `place` caches the index of the session's state; -1 if unknown.
    mutating func judge(
        _ activity: borrowing ClientActivity, at now: Instant, place: inout Int
    ) -> [Violation]

    /// Checks a client's message. Not an activity, since its values would be retained.
    mutating func judge(
        _ decoded: Decoded, _ bytes: [UInt8], of session: String, on connection: UInt64, at now: Instant,
        place: inout Int
    ) -> [Violation]

    /// Notes an entry that was sent to a client. `localID` is the client's id of the message that the entry echoes.
    mutating func note(
        _ entry: JournalEntry, localID: Substring?, to session: String, on connection: UInt64,
        isReplay: Bool, at now: Instant, place: inout Int)

    /// Time for the next ``check(at:)``, or nil.
    var nextCheck: Instant? { get }

    /// Finds missing client actions, such as heartbeats.
    mutating func check(at now: Instant) -> [Violation]

    mutating func forget()
}

extension ClientProtocolRules {
    package mutating func judge(
        _ decoded: Decoded, _ bytes: [UInt8], of session: String, on connection: UInt64, at now: Instant,
        place: inout Int
    ) -> [Violation] { [] }
    package mutating func note(
        _ entry: JournalEntry, localID: Substring?, to session: String, on connection: UInt64,
        isReplay: Bool, at now: Instant, place: inout Int
    ) {}
    package var nextCheck: Instant? { nil }
    package mutating func check(at now: Instant) -> [Violation] { [] }
    package mutating func forget() {}
}

/// An action of a client, or of the server towards a client. Not copyable, so that rules retain only what they keep.
package enum ClientActivity: Sendable, ~Copyable {
    case asked(
        operation: String, RequestInfo, status: Int, retryAfter: Interval?, connection: UInt64)
    /// `cursor` is the sequence number that the server read from the client's request.
    case connected(session: String, connection: UInt64, cursor: UInt64)
    case flooded(session: String, connection: UInt64)
    case signalled(session: String, connection: UInt64)
    /// An entry was sent to several clients, as if to one after the other.
    case deliveredToMany(session: String, connections: [UInt32], JournalEntry, localID: Substring?)
    /// A fault began or stopped delaying the connection's bytes.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    case dropped(session: String, connection: UInt64, DropCause)
    case ended(session: String)
    case forgotten(session: String)
}

package enum DropCause: Sendable, Equatable {
    /// The client sent a close frame; `code` is nil if the frame had none.
    case client(code: UInt16?)
    /// The connection ended without a close frame from the client.
    case lost
    case server(code: UInt16)
    /// A fault closed the connection; `code` is nil without a close frame.
    case fault(code: UInt16?)
}

/// A rule that correct clients of a protocol follow.
package struct ProtocolRule: Sendable, Equatable {
    package var id: String
    package var title: String
    /// The source of the rule: an anchor in a page of `Shared/Docs`.
    package var source: String
    /// One sentence that says how to fix the client.
    package var advice: String

    package init(id: String, title: String, source: String, advice: String) {
        self.id = id
        self.title = title
        self.source = source
        self.advice = advice
    }
}

package struct Violation: Sendable, Equatable {
    package var protocolRule: ProtocolRule
    /// Session id; empty if unknown.
    package var session: String
    package var connection: UInt64?
    package var at: Instant
    /// Number of the client's message, counted from 1 on its connection.
    package var event: Int?
    /// One sentence about this violation.
    package var detail: String
    /// Number of the violation on this server, from 1.
    package var number = 0
    /// Row of the message or request, or 0.
    package var row: UInt32 = 0

    package init(
        protocolRule: ProtocolRule, session: String, connection: UInt64?, at: Instant, event: Int?,
        detail: String
    ) {
        self.protocolRule = protocolRule
        self.session = session
        self.connection = connection
        self.at = at
        self.event = event
        self.detail = detail
    }
}
