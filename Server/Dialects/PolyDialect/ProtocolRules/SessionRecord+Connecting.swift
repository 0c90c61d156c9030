import Clocks
import DialectKit

extension SessionRecord {
    mutating func handshake(
        subject: String, cursorText: String?, status: Int, retryAfter: Interval?, connectionLimit: Int,
        at now: Instant
    ) -> [Finding] {
        var findings: [Finding] = []
        lostAt = nil
        if !subject.isEmpty, subject != self.subject {
            findings.append(Finding(.sessionToken, "the token belongs to another user than the session"))
        }
        let cursor = Cursor(cursorText)
        if cursor.isOdd {
            findings.append(Finding(.cursorNumber, "the cursor was \((cursorText ?? "").quoted)"))
        }
        if cursor.value > highestSent {
            findings.append(
                Finding(.cursorAhead, "the cursor was \(cursor.value), the last event sent \(highestSent)"))
        }
        if !cursor.isOdd, cursorText?.isEmpty == false, cameBack(after: cursor.value) {
            findings.append(Finding(.connectAfterEnd, "the session had ended, and the client knew"))
        }
        if let notBefore = connectNotBefore, now < notBefore, isOneClient, refusedCursor == cursorText {
            findings.append(
                Finding(.connectRetryAfter, "\((notBefore - now).inSeconds) before the wait was over"))
        }
        findings += pace(at: now) + haste(at: now)
        findings += refused(status: status, connectionLimit: connectionLimit, at: now)
        refusedCursor = cursorText
        connectNotBefore = status == 429 ? retryAfter.map { now + $0.binding } : nil
        return findings
    }

    private mutating func pace(at now: Instant) -> [Finding] {
        let many = ProtocolRuleLimits.sharedConnectsPerSecond
        let few = ProtocolRuleLimits.connectsPerSecond
        let isPacedShared = sharedConnectRate.consume(perSecond: many, at: now)
        let isPaced = connectRate.consume(perSecond: few, at: now)
        guard !(isOneClient ? isPaced : isPacedShared) else { return [] }
        return [Finding(.reconnectBackoff, "more than \(isOneClient ? few : many) connects in a second")]
    }

    /// Checks the back-off after connections that were cut soon after opening.
    private mutating func haste(at now: Instant) -> [Finding] {
        let isHasty = cutShortAt.map { now - $0 < ProtocolRuleLimits.hastyReturn } ?? false
        cutShortAt = nil
        hastyReturns = isHasty ? hastyReturns + 1 : 0
        let most = isOneClient ? ProtocolRuleLimits.hastyReturns : ProtocolRuleLimits.sharedHastyReturns
        guard Int(hastyReturns) > most else { return [] }
        defer { hastyReturns = 0 }
        return [
            Finding(
                .reconnectBackoff,
                "\(hastyReturns) times in a row it came back within \(ProtocolRuleLimits.hastyReturn.inSeconds), though"
                    + " each connection was cut as soon as it was open")
        ]
    }

    private mutating func refused(status: Int, connectionLimit: Int, at now: Instant) -> [Finding] {
        guard status != 101 else {
            refusals = 0
            return []
        }
        var findings: [Finding] = []
        refusals &+= 1
        if let last = lastRefusedAt, now - last > ProtocolRuleLimits.longestBackoff { refusals = 1 }
        lastRefusedAt = now
        // A user may start a second round of attempts.
        if maxReconnectAttempts > 0, Int(refusals) == 2 * (maxReconnectAttempts + 1) + 1 {
            findings.append(
                Finding(
                    .reconnectBudget,
                    "\(refusals) refused connects in a row, announced were \(maxReconnectAttempts)"))
        }
        let lively = connections.filter { now - $0.lastHeardAt <= ProtocolRuleLimits.livelyWithin }
        if status == 429, lively.count >= connectionLimit {
            findings.append(Finding(.connectionLimit, "\(lively.count) connections were open and in use"))
        }
        return findings
    }

    /// Whether the client has reconnected although it knew of the session's end.
    private func cameBack(after sequence: UInt64) -> Bool {
        if let endSequence, sequence >= endSequence, sequence <= highestSent { return true }
        return isLeftByClient && isOneClient
    }

    mutating func connected(_ connection: UInt64, cursor: UInt64?, at now: Instant) {
        refusals = 0
        lostAt = nil
        if (cursor ?? 0) == 0 { cursorlessConnects &+= 1 }
        guard index(connection) == nil, connections.count < ProtocolRuleLimits.connectionsPerSession else {
            return
        }
        let knowsJoined = joinedSequence.map { (cursor ?? 0) >= $0 } ?? false
        connections.append(ConnectionRecord(id: connection, at: now, knowsJoined: knowsJoined))
    }

    mutating func dropped(_ connection: UInt64, cause: DropCause, at now: Instant) -> [Finding] {
        guard let place = index(connection) else { return [] }
        defer {
            if case .client = cause, connections[place].lastEndAt != nil { isLeftByClient = true }
            let isShort = now - connections[place].openedAt < ProtocolRuleLimits.hardlyLived
            connections.remove(at: place)
            cutShortAt = connections.isEmpty && isShort && cause.isServerSide ? now : nil
            connectNotBefore = nil
            if connections.isEmpty, cause.isResumable, !isOver, !isEndedByClient { lostAt = now }
        }
        guard case .client(let code?) = cause, !Self.maySend(code) else { return [] }
        return [
            Finding(
                .closeCode, connection: connection, event: Int(connections[place].heardCount),
                "it closed with \(code)")
        ]
    }

    /// Whether an endpoint may send the close code (RFC 6455 §7.4).
    private static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension Interval {
    var binding: Interval {
        min(self, ProtocolRuleLimits.retryAfterCap).scaled(by: ProtocolRuleLimits.retryAfterShare)
    }
}
