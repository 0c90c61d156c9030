import Clocks
import DialectKit
import PolyDialect

/// A book, a moment, and one client's words to put into it.
struct Watch {
    var rules = PolyProtocolRules()
    var now = Instant(secondsSince1970: 1_700_000_000)
    /// The protocol rules told, in order.
    private(set) var told: [Violation] = []
    var sequence: UInt64 = 0
    let interval = Interval.seconds(30)

    var protocolRules: [String] { told.map(\.protocolRule.id) }

    mutating func see(_ observation: Observation) {
        told += rules.observe(observation, at: now)
    }

    /// Lets time pass, looking for silence whenever the book asks for it.
    mutating func wait(_ interval: Interval) {
        let end = now + interval
        while let next = rules.nextCheck, next <= end {
            now = max(now, next)
            told += rules.check(at: now)
        }
        now = end
    }

    // MARK: - Requests

    mutating func token(
        _ status: Int = 200, retryAfter: Interval? = nil, connector: String = "c", origin: String? = "app",
        call: String? = nil, client: String? = nil
    ) {
        see(
            .tokenRequest(
                connector: connector, origin: origin, caller: Caller(client: client, correlation: call),
                status: status, retryAfter: retryAfter))
    }

    mutating func session(
        _ session: String? = "s", subject: String = "ada", status: Int = 200, retryAfter: Interval? = nil,
        expiry: Instant? = nil, client: String? = nil, call: String? = nil
    ) {
        see(
            .sessionRequest(
                subject: subject, caller: Caller(client: client, correlation: call), tokenExpiry: expiry,
                status: status, retryAfter: retryAfter, session: status == 200 ? session : nil))
    }

    mutating func handshake(
        _ session: String = "s", subject: String = "ada", cursor: String? = nil, status: Int = 101,
        retryAfter: Interval? = nil, expiry: Instant? = nil
    ) {
        see(
            .connectRequest(
                session: session, subject: subject, tokenExpiry: expiry, cursorText: cursor, status: status,
                retryAfter: retryAfter))
    }

    /// A handshake, the open connection and SESSION_START.
    mutating func connect(
        _ connection: UInt64, session: String = "s", subject: String = "ada", cursor: UInt64? = nil,
        isStartTold: Bool = true
    ) {
        handshake(session, subject: subject, cursor: cursor.map(String.init))
        see(.connected(session: session, connection: connection, cursor: cursor))
        guard isStartTold else { return }
        tell(
            .sessionStart(heartbeat: interval, maxMessageBytes: 1_000, maxReconnectAttempts: 2), 1,
            on: connection,
            in: session, isReplay: true)
    }

    // MARK: - Talk

    mutating func tell(
        _ kind: DeliveredEvent, _ sequence: UInt64?, on connection: UInt64 = 1, in session: String = "s",
        isReplay: Bool = false
    ) {
        if let sequence, sequence > self.sequence { self.sequence = sequence }
        see(
            .delivered(
                session: session, connection: connection, sequence: sequence, kind: kind, isReplay: isReplay))
    }

    mutating func hear(_ heard: HeardMessage, on connection: UInt64 = 1, in session: String = "s") {
        see(.heard(session: session, connection: connection, heard))
    }

    mutating func drop(_ connection: UInt64 = 1, _ cause: DropCause = .lost, in session: String = "s") {
        see(.dropped(session: session, connection: connection, cause: cause))
    }

    mutating func say(_ text: String, id: String? = nil, bytes: Int = 100, on connection: UInt64 = 1) {
        hear(.message(localID: id?[...], text: text, bytes: bytes), on: connection)
    }

    /// A session, its first connection, and an agent in it: the journal ends at 3.
    mutating func begin() {
        session()
        connect(1)
        join()
    }

    mutating func join(on connection: UInt64 = 1) {
        hear(.join, on: connection)
        tell(.joinEcho, 2, on: connection)
        tell(.agentJoined, 3, on: connection)
    }

    /// A message and its echo.
    mutating func turn(_ text: String, id: String, on connection: UInt64 = 1) {
        say(text, id: id, on: connection)
        tell(.messageEcho(localID: id[...]), sequence + 1, on: connection)
    }

    /// SESSION_END, as the server sends it.
    mutating func end(on connection: UInt64 = 1) {
        tell(.sessionEnd, sequence + 1, on: connection)
        see(.ended(session: "s"))
    }

    /// Passes time with a heartbeat at each interval.
    mutating func idle(_ intervals: Int, on connection: UInt64 = 1) {
        for _ in 0..<intervals {
            wait(interval)
            hear(.heartbeat, on: connection)
        }
    }
}

/// One protocol rule with a client that breaks it once and clients that come as near as a correct one can.
struct ProtocolRuleCase: Sendable, CustomStringConvertible {
    let protocolRule: String
    let breaks: @Sendable (inout Watch) -> Void
    let keeps: @Sendable (inout Watch) -> Void

    var description: String { protocolRule }

    init(
        _ protocolRule: String, breaks: @escaping @Sendable (inout Watch) -> Void,
        keeps: @escaping @Sendable (inout Watch) -> Void
    ) {
        self.protocolRule = protocolRule
        self.breaks = breaks
        self.keeps = keeps
    }
}
