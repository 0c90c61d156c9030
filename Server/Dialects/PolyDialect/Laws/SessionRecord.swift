import Clocks

/// One law found broken, before the book has decided whether it is told.
struct Finding: Sendable {
    var law: LawID
    var connection: UInt64?
    var event: Int?
    var detail: String

    init(_ law: LawID, connection: UInt64? = nil, event: Int? = nil, _ detail: String) {
        self.law = law
        self.connection = connection
        self.event = event
        self.detail = detail
    }
}

/// What the book knows of one session.
struct SessionRecord: Sendable {
    let id: String
    /// Owner of the token that made it.
    let subject: String
    var tally = Tally()

    // What SESSION_START announced; nil until it was told.
    var heartbeat: Interval?
    var maxMessageBytes = 0
    var maxReconnectAttempts = 0

    // The journal as told
    var highestTold: UInt64 = 0
    var joinedSequence: UInt64?
    var endSequence: UInt64?
    var isOver = false
    /// A client ended it.
    var isEndedByClient = false
    /// It did so and then closed its connection.
    var isLeftByClient = false
    /// Some connection asked the agent to join.
    var hasJoined = false
    /// An error asked to join again, and the agent has not joined since.
    var isInvited = false

    var connections: [ConnectionRecord] = []
    /// Connections opened without a cursor. A second client starts with one, so up to one of them the cursors
    /// belong to one client.
    var cursorlessConnects = 0
    /// When the last open connection dropped without the client's doing; nil once it tried to come back.
    var lostAt: Instant?
    /// When the server cut the last open connection that had hardly lived; nil once the client came back.
    var cutShortAt: Instant?
    /// How often in a row it came back from that within a moment.
    var hastyReturns = 0
    /// Handshakes refused since the last one accepted.
    var refusals = 0
    /// The last handshake was answered with 429 and this wait.
    var connectNotBefore: Instant?
    /// The cursor of that handshake: the same one again is the same client again.
    var refusedCursor: String?
    var lastRefusedAt: Instant?
    var connectRate: Rate
    var sharedConnectRate: Rate
    var echoes = EchoMemory()

    init(id: String, subject: String, at now: Instant) {
        self.id = id
        self.subject = subject
        connectRate = Rate(full: LawLimits.connectsPerSecond, at: now)
        sharedConnectRate = Rate(full: LawLimits.sharedConnectsPerSecond, at: now)
    }

    /// Whether all that is known fits one client alone.
    var isOneClient: Bool { cursorlessConnects <= 1 }

    func index(_ connection: UInt64) -> Int? { connections.firstIndex { $0.id == connection } }

    /// When this session is next to be looked at for silence.
    var silenceDeadline: Instant? {
        guard let heartbeat, heartbeat > .zero, !isOver else { return nil }
        return connections.compactMap { $0.silenceDeadline(interval: heartbeat) }.min()
    }

    /// The connections that were silent for too long, each told once for a silence.
    mutating func silences(at now: Instant) -> [Finding] {
        guard let heartbeat, heartbeat > .zero, !isOver else { return [] }
        var findings: [Finding] = []
        for place in connections.indices {
            guard let deadline = connections[place].silenceDeadline(interval: heartbeat), deadline <= now
            else { continue }
            guard now - deadline <= LawLimits.checkSlack else {
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

    // MARK: - What was told

    mutating func told(
        _ kind: DeliveredEvent, sequence: UInt64?, on connection: UInt64, isReplay: Bool, at now: Instant
    ) {
        if let sequence, sequence > highestTold { highestTold = sequence }
        guard let place = index(connection) else { return }
        switch kind {
        case .sessionStart(let interval, let bytes, let attempts):
            (heartbeat, maxMessageBytes, maxReconnectAttempts) = (interval, bytes, attempts)
            if connections[place].startToldAt == nil { connections[place].startToldAt = now }
        case .joinEcho:
            if connections[place].lastJoinAt != nil { connections[place].isJoinAnswered = true }
        case .agentJoined:
            joinedSequence = joinedSequence ?? sequence
            isInvited = false
            if connections[place].lastJoinAt != nil { connections[place].isJoinAnswered = true }
            if isReplay { connections[place].knowsJoined = true }
            if connections[place].joinedToldAt == nil { connections[place].joinedToldAt = now }
        case .messageEcho(let localID):
            if let localID { echoes.echoed(localID, on: connection, at: now) }
        case .endEcho:
            connections[place].isEndAnswered = true
        case .sessionEnd:
            endSequence = sequence ?? endSequence
            connections[place].endToldAt = connections[place].endToldAt ?? now
        case .joinInvitation:
            isInvited = true
        case .agentLeft:
            joinedSequence = nil
            connections[place].knowsJoined = false
            connections[place].joinedToldAt = nil
            connections[place].lastJoinAt = nil
        case .other:
            break
        }
    }
}

extension Interval {
    /// Seconds with at most three decimals, for people.
    var inSeconds: String {
        let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000)
        guard rest != 0 else { return "\(whole) s" }
        var digits = String(1_000 + abs(rest)).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) s"
    }
}

extension String {
    /// Nothing but white space. Nearly every text says by its first byte that it has more.
    var isBlank: Bool {
        if let first = utf8.first, first > UInt8(ascii: " "), first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }

    /// A client's word, short enough for one line.
    var quoted: String {
        let limit = LawLimits.quotedCharacters
        let short = count > limit ? prefix(limit) + "…" : self[...]
        return "\"" + String(short.map { $0.isNewline ? " " : $0 }) + "\""
    }
}

/// How often each rule was told of one session or caller. Empty until the first breach.
struct Tally: Sendable {
    private var counts: [UInt8] = []

    /// Counts one breach and says whether it is still to be told.
    mutating func admit(_ law: LawID) -> Bool {
        if counts.isEmpty { counts = Array(repeating: 0, count: LawID.allCases.count) }
        guard Int(counts[law.rawValue]) < LawLimits.tellingsPerLaw else { return false }
        counts[law.rawValue] += 1
        return true
    }
}
