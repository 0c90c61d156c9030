import Clocks

/// A violation before the limit of reports.
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

/// Facts about a session.
struct SessionRecord: Sendable {
    let id: String
    /// Owner of the creating token.
    let subject: String
    var tally = Tally()

    // Announced by SESSION_START; nil before.
    var heartbeat: Interval?
    var maxMessageBytes = 0
    var maxReconnectAttempts = 0

    // Sent events
    var highestTold: UInt64 = 0
    var joinedSequence: UInt64?
    var endSequence: UInt64?
    var isOver = false
    /// A client ended it.
    var isEndedByClient = false
    /// A client ended it and closed its connection.
    var isLeftByClient = false
    /// A connection asked the agent to join.
    var hasJoined = false
    /// An error asked for a join, and the agent has not joined since.
    var isInvited = false

    var connections: [ConnectionRecord] = []
    /// Connections opened without a cursor. A second client also starts without one, so with at most one such
    /// connection all cursors belong to one client.
    var cursorlessConnects = 0
    /// Loss of the last connection, not by the client; nil after a new attempt.
    var lostAt: Instant?
    /// Time of the server's early cut of the last connection; nil after the client returned.
    var cutShortAt: Instant?
    /// Consecutive returns within a moment.
    var hastyReturns = 0
    /// Handshakes refused since the last accepted one.
    var refusals = 0
    /// Wait of the last handshake, if it was 429.
    var connectNotBefore: Instant?
    /// Cursor of that handshake: an equal one is the same client.
    var refusedCursor: String?
    var lastRefusedAt: Instant?
    var connectRate: Rate
    var sharedConnectRate: Rate
    var echoes = EchoMemory()

    init(id: String, subject: String, at now: Instant) {
        self.id = id
        self.subject = subject
        connectRate = Rate(full: ProtocolRuleLimits.connectsPerSecond, at: now)
        sharedConnectRate = Rate(full: ProtocolRuleLimits.sharedConnectsPerSecond, at: now)
    }

    /// True if all facts fit a single client.
    var isOneClient: Bool { cursorlessConnects <= 1 }

    func index(_ connection: UInt64) -> Int? { connections.firstIndex { $0.id == connection } }

    /// Next check for silence.
    var silenceDeadline: Instant? {
        guard let heartbeat, heartbeat > .zero, !isOver else { return nil }
        return connections.compactMap { $0.silenceDeadline(interval: heartbeat) }.min()
    }

    /// Connections that exceeded the silence, each reported once per silence.
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
        if let sequence, sequence > highestTold { highestTold = sequence }
        guard let place = index(connection) else { return }
        switch kind {
        case .sessionStart(let interval, let bytes, let attempts):
            (heartbeat, maxMessageBytes, maxReconnectAttempts) = (interval, bytes, attempts)
            if connections[place].startToldAt == nil { connections[place].startToldAt = now }
        case .joinEcho: if connections[place].lastJoinAt != nil { connections[place].isJoinAnswered = true }
        case .agentJoined:
            joinedSequence = joinedSequence ?? sequence
            isInvited = false
            if connections[place].lastJoinAt != nil { connections[place].isJoinAnswered = true }
            if isReplay { connections[place].knowsJoined = true }
            if connections[place].joinedToldAt == nil { connections[place].joinedToldAt = now }
        case .messageEcho(let localID): if let localID { echoes.echoed(localID, on: connection, at: now) }
        case .endEcho: connections[place].isEndAnswered = true
        case .sessionEnd:
            endSequence = sequence ?? endSequence
            connections[place].endToldAt = connections[place].endToldAt ?? now
        case .joinInvitation: isInvited = true
        case .agentLeft:
            joinedSequence = nil
            connections[place].knowsJoined = false
            connections[place].joinedToldAt = nil
            connections[place].lastJoinAt = nil
        case .other: break
        }
    }
}

extension Interval {
    /// The length in seconds with at most three decimals, for people.
    var inSeconds: String {
        let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000)
        guard rest != 0 else { return "\(whole) s" }
        var digits = String(1_000 + abs(rest)).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) s"
    }
}

extension String {
    /// True if the text is only white space; usually decided by the first byte.
    var isBlank: Bool {
        if let first = utf8.first, first > UInt8(ascii: " "), first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }

    /// Quoted for a line of the log.
    var quoted: String {
        let limit = ProtocolRuleLimits.quotedCharacters
        let short = count > limit ? prefix(limit) + "…" : self[...]
        return "\"" + String(short.map { $0.isNewline ? " " : $0 }) + "\""
    }
}

/// Reports by protocol rule for a session or caller; empty until the first violation.
struct Tally: Sendable {
    private var counts: [UInt8] = []

    /// Counts a violation; true if it is to be reported.
    mutating func admit(_ protocolRule: ProtocolRuleID) -> Bool {
        if counts.isEmpty { counts = Array(repeating: 0, count: ProtocolRuleID.allCases.count) }
        guard Int(counts[protocolRule.rawValue]) < ProtocolRuleLimits.tellingsPerProtocolRule else {
            return false
        }
        counts[protocolRule.rawValue] += 1
        return true
    }
}
