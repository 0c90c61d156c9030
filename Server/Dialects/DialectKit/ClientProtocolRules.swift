package import Clocks
package import ConversationEngine

/// The rules that clients of a protocol have to follow, with the state needed to check them.
///
/// The server reports every client action in order and takes no decisions.
package protocol ClientProtocolRules: Sendable {
    /// All rules, broken or not.
    var all: [ProtocolRule] { get }

    /// Checks an action of a client, or of the server towards it. `place` is an index that the rules assign
    /// and the server keeps with the session, to save a look-up; -1 before one is assigned.
    mutating func judge(_ deed: ClientDeed, at now: Instant, place: inout Int) -> [Violation]

    /// The next time for ``check(at:)``: an omission of a client can violate a protocol rule, too.
    var nextCheck: Instant? { get }

    /// Finds omissions that are due by now. Called shortly after ``nextCheck``, once all arrived bytes have been read.
    mutating func check(at now: Instant) -> [Violation]

    /// Forgets all clients and their history, because the record begins anew or time has gone back.
    mutating func forget()
}

extension ClientProtocolRules {
    package var nextCheck: Instant? { nil }
    package mutating func check(at now: Instant) -> [Violation] { [] }
    package mutating func forget() {}
}

/// An action of a client, or of the server towards a client.
package enum ClientDeed: Sendable {
    /// A request was answered; `retryAfter` is that of the answer.
    indirect case asked(
        operation: String, RequestInfo, status: Int, retryAfter: Interval?, connection: UInt64)
    /// The connection is open. `cursor` is the one the client asked with, as the server understood it.
    case connected(session: String, connection: UInt64, cursor: UInt64)
    /// A message arrived.
    case said(session: String, connection: UInt64, [UInt8], Decoded)
    /// A message exceeded the rate limit and was ignored.
    case flooded(session: String, connection: UInt64)
    /// A ping or a pong arrived.
    case signalled(session: String, connection: UInt64)
    /// An entry was written to the client; not reported for one that a fault lost or still delays. The
    /// entries of a history page are reported one by one, in order. `localID` is the client's own id of the
    /// message that a live entry echoes.
    case told(session: String, connection: UInt64, JournalEntry, localID: String?, isReplay: Bool)
    /// A fault started or stopped holding back the connection's bytes. While it does, silence proves nothing.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    /// The connection is closed.
    case dropped(session: String, connection: UInt64, DropCause)
    /// The session has ended. Clients that reconnect to it are still checked.
    case ended(session: String)
    /// The server has forgotten the session.
    case forgotten(session: String)
}

/// Why a connection was closed.
package enum DropCause: Sendable, Equatable {
    /// A close frame from the client; nil when it carried no code.
    case client(code: UInt16?)
    /// The client's side vanished without a close frame.
    case lost
    /// The server closed by its own rules.
    case server(code: UInt16)
    /// A fault closed it; nil when there was no close frame.
    case fault(code: UInt16?)
}

/// One rule of a protocol that a correct client never breaks and that the server can see broken.
package struct ProtocolRule: Sendable, Equatable {
    /// Stable: files and tests name protocol rules by it.
    package var id: String
    /// The rule in a few words, phrased as correct behaviour.
    package var title: String
    /// The source of the rule: a page of `Shared/Docs` with an anchor.
    package var source: String
    /// One sentence: how to fix the client.
    package var advice: String

    package init(id: String, title: String, source: String, advice: String) {
        self.id = id
        self.title = title
        self.source = source
        self.advice = advice
    }
}

/// One protocol rule broken once.
package struct Violation: Sendable, Equatable {
    package var protocolRule: ProtocolRule
    /// Empty when the request belonged to no session.
    package var session: String
    package var connection: UInt64?
    package var at: Instant
    /// The client's message that broke the rule, counted on its connection from 1.
    package var event: Int?
    /// The violation in one sentence, with its numbers.
    package var detail: String
    /// Server-wide number, from 1; assigned by the server.
    package var number = 0
    /// The row of the message or request that broke the rule; 0 if there is none, or it is unknown.
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
