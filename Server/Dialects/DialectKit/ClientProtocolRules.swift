package import Clocks
package import ConversationEngine

/// The protocol rules that a protocol's clients are judged by, with what has to be remembered of these clients.
///
/// The server passes everything on in the order in which it happened, and decides nothing.
package protocol ClientProtocolRules: Sendable {
    /// Each of them, broken or not.
    var all: [ProtocolRule] { get }

    /// Judges what a client did, or what was done to it. `place` is a number of the protocol rules' own that the server
    /// keeps with the session, to spare a look-up; -1 before there is one.
    mutating func judge(_ deed: ClientDeed, at now: Instant, place: inout Int) -> [Violation]

    /// The next time for ``check(at:)``: an omission of a client can violate a protocol rule, too.
    var nextCheck: Instant? { get }

    /// Finds omissions that are due by now. Called shortly after ``nextCheck``, once all arrived bytes have been read.
    mutating func check(at now: Instant) -> [Violation]

    /// Forgets the clients and what they did when: the record begins anew, or time has gone back.
    mutating func forget()
}

extension ClientProtocolRules {
    package var nextCheck: Instant? { nil }
    package mutating func check(at now: Instant) -> [Violation] { [] }
    package mutating func forget() {}
}

/// An action of a client, or of the server towards a client.
package enum ClientDeed: Sendable {
    /// A request was answered; `retryAfter` as the answer says it.
    indirect case asked(
        operation: String, RequestInfo, status: Int, retryAfter: Interval?, connection: UInt64)
    /// The connection is open. `cursor` is what the client asked with, as the server understood it.
    case connected(session: String, connection: UInt64, cursor: UInt64)
    /// A message came.
    case said(session: String, connection: UInt64, [UInt8], Decoded)
    /// A message came too fast, and is not heard.
    case flooded(session: String, connection: UInt64)
    /// A ping or a pong came.
    case signalled(session: String, connection: UInt64)
    /// An entry was written to the client: not one that a fault lost or still holds back. Each entry of a page of the
    /// history comes alone, in order. `localID` is the client's own id of what a live entry echoes.
    case told(session: String, connection: UInt64, JournalEntry, localID: String?, isReplay: Bool)
    /// A fault holds the connection's bytes back, or has let go: meanwhile silence proves nothing.
    case stalled(session: String, connection: UInt64, isStalled: Bool)
    /// The connection is gone.
    case dropped(session: String, connection: UInt64, DropCause)
    /// The session is over. Clients that reconnect to it are still checked.
    case ended(session: String)
    /// The server has forgotten the session.
    case forgotten(session: String)
}

/// Why a connection is gone.
package enum DropCause: Sendable, Equatable {
    /// A close frame of the client; nil when it carried no code.
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
    /// The rule as a good client keeps it, in a few words.
    package var title: String
    /// The statement it rests on: a page of `Shared/Docs` and an anchor on it.
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
    /// The client's message that broke it, counted on its connection from 1.
    package var event: Int?
    /// The event, in one sentence with its numbers.
    package var detail: String
    /// From 1 upwards, server-wide; given by the server.
    package var number = 0
    /// The row of the message or request that broke it; 0: none did, or it is not known.
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
