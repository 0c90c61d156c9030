import Clocks

/// A violation before the report limit is applied.
struct Finding: Sendable {
    var protocolRule: ProtocolRuleID
    var connection: UInt64?
    var event: Int?
    var detail: String

    init(_ protocolRule: ProtocolRuleID, connection: UInt64? = nil, event: Int? = nil, _ detail: String) {
        self.protocolRule = protocolRule
        self.connection = connection
        self.event = event
        self.detail = detail
    }
}

struct SessionRecord: Sendable {
    /// Id of the access token that created the session.
    let subject: String
    var tally = Tally()

    // The small values follow the optional ones, whose last seven bytes they fill.

    // Values announced by SESSION_START; nil or 0 before.
    var heartbeat: Interval?
    var isOver = false
    var isEndedByClient = false
    /// Whether a client ended the session and then closed its connection.
    var isLeftByClient = false
    /// Number of handshakes refused in a row.
    var refusals: Int32 = 0
    var maxMessageBytes = 0
    var maxReconnectAttempts = 0

    var highestSent: UInt64 = 0
    var joinedSequence: UInt64?
    var hasJoined = false
    /// Whether an error has asked for a join and the agent has not joined since.
    var isInvited = false
    /// Number of connections opened without a cursor, or with 0.
    var cursorlessConnects: Int32 = 0
    var endSequence: UInt64?
    /// Number of consecutive reconnects within ``ProtocolRuleLimits/hastyReturn`` after ``cutShortAt``.
    var hastyReturns: Int32 = 0

    var connections: [ConnectionRecord] = []
    /// Time at which the last connection was lost, until a client tries to resume the session.
    @Packed var lostAt: Instant?
    /// Time at which the server or a fault cut the last connection soon after its opening, or nil.
    @Packed var cutShortAt: Instant?
    /// Time until which the client has to wait after a handshake was refused with 429.
    @Packed var connectNotBefore: Instant?
    /// Cursor of the last handshake, refused or not.
    var refusedCursor: String?
    @Packed var lastRefusedAt: Instant?
    var connectRate = Rate()
    var sharedConnectRate = Rate()
    var echoes = EchoMemory()

    init(subject: String) { self.subject = subject }

    var isOneClient: Bool { cursorlessConnects <= 1 }

    func index(_ connection: UInt64) -> Int? { connections.firstIndex { $0.id == connection } }

    var silenceDeadline: Instant? {
        guard let heartbeat, heartbeat > .zero, !isOver else { return nil }
        return connections.compactMap { $0.silenceDeadline(interval: heartbeat) }.min()
    }

    /// Returns a finding for each connection without heartbeats, once for each period of silence.
    mutating func silences(at now: Instant) -> [Finding] {
        guard let heartbeat, heartbeat > .zero, !isOver else { return [] }
        var findings: [Finding] = []
        for place in connections.indices {
            guard let deadline = connections[place].silenceDeadline(interval: heartbeat), deadline <= now
            else { continue }
            guard now - deadline <= ProtocolRuleLimits.checkSlack else {
                connections[place].quietSince = now
                continue
            }
            connections[place].isSilent = true
            findings.append(
                Finding(
                    .heartbeatKept, connection: connections[place].id,
                    "no heartbeat for \((now - connections[place].quietSince).inSeconds),"
                        + " one is due every \(heartbeat.inSeconds)"))
        }
        return findings
    }

    // MARK: - Sent events

    mutating func delivered(
        _ kind: DeliveredEvent, sequence: UInt64?, on connection: UInt64, isReplay: Bool, at now: Instant
    ) {
        if let sequence, sequence > highestSent { highestSent = sequence }
        // Chunks and most other events do not change a connection's record, so its look-up is skipped.
        if case .other = kind { return }
        guard let place = index(connection) else { return }
        switch kind {
        case .sessionStart(let interval, let bytes, let attempts):
            (heartbeat, maxMessageBytes, maxReconnectAttempts) = (interval, bytes, attempts)
            if connections[place].startSentAt == nil { connections[place].startSentAt = now }
        case .joinEcho: if connections[place].lastJoinAt != nil { connections[place].isJoinAnswered = true }
        case .agentJoined:
            joinedSequence = joinedSequence ?? sequence
            isInvited = false
            if connections[place].lastJoinAt != nil { connections[place].isJoinAnswered = true }
            if isReplay { connections[place].knowsJoined = true }
            if connections[place].joinSentAt == nil { connections[place].joinSentAt = now }
        case .messageEcho(let localID): echoed(localID, sequence: sequence, on: connection, at: now)
        case .endEcho: connections[place].isEndAnswered = true
        case .sessionEnd:
            endSequence = sequence ?? endSequence
            connections[place].endSentAt = connections[place].endSentAt ?? now
        case .joinInvitation: isInvited = true
        case .agentLeft:
            joinedSequence = nil
            connections[place].knowsJoined = false
            connections[place].joinSentAt = nil
            connections[place].lastJoinAt = nil
        case .other: break
        }
    }

    mutating func echoed(_ localID: Substring?, sequence: UInt64?, on connection: UInt64, at now: Instant) {
        if let sequence, sequence > highestSent { highestSent = sequence }
        guard let localID, index(connection) != nil else { return }
        echoes.echoed(localID, on: CollectionOfOne(connection), at: now)
    }

    /// Like ``echoed(_:sequence:on:at:)`` for each connection.
    mutating func echoed(_ localID: Substring?, sequence: UInt64?, onEach numbers: [UInt32], at now: Instant)
    {
        if let sequence, sequence > highestSent { highestSent = sequence }
        guard let localID else { return }
        let known = numbers.compactMap { index(UInt64($0)) == nil ? nil : UInt64($0) }
        echoes.echoed(localID, on: known, at: now)
    }
}

extension Interval {
    var inSeconds: String {
        let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000)
        guard rest != 0 else { return "\(whole) s" }
        var digits = String(1_000 + abs(rest)).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) s"
    }
}

extension String {
    var isBlank: Bool {
        if let first = utf8.first, first > UInt8(ascii: " "), first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }

    /// The text in quotes, on one line, shortened to ``ProtocolRuleLimits/quotedCharacters``.
    var quoted: String { "\"" + shortened + "\"" }

    /// The text on one line, shortened to ``ProtocolRuleLimits/quotedCharacters``.
    var shortened: String {
        let limit = ProtocolRuleLimits.quotedCharacters
        let short = count > limit ? prefix(limit) + "…" : self[...]
        return String(short.map { $0.isNewline ? " " : $0 })
    }
}

/// Number of reports per protocol rule. Empty until the first violation.
struct Tally: Sendable {
    private var counts: [UInt8] = []

    /// Counts a violation. Returns false if the rule has reached its report limit.
    mutating func admit(_ protocolRule: ProtocolRuleID) -> Bool {
        if counts.isEmpty { counts = Array(repeating: 0, count: ProtocolRuleID.allCases.count) }
        guard Int(counts[protocolRule.rawValue]) < ProtocolRuleLimits.tellingsPerProtocolRule else {
            return false
        }
        counts[protocolRule.rawValue] += 1
        return true
    }
}
