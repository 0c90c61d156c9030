import Clocks

extension SessionRecord {
    mutating func received(_ heard: HeardMessage, on connection: UInt64, at now: Instant) -> [Finding] {
        if case .message(let localID, let text, let bytes) = heard {
            return received(text, localID: localID, bytes: bytes, on: connection, at: now)
        }
        guard let place = index(connection) else { return [] }
        connections[place].lastHeardAt = now
        switch heard {
        case .serverField(let name, let sent):
            return [finding(.serverFields, place, "the message carried \(name.quoted)" + Self.shown(sent))]
        case .metadataNotStrings(let sent):
            let detail = "metadata.custom held a value that is no string" + Self.shown(sent)
            return [finding(.metadataStrings, place, detail)]
        case .control: return []
        default: connections[place].heardCount += 1
        }
        switch heard {
        case .join: return joined(place, at: now)
        case .typing: return typed(place, at: now)
        case .end: return ended(place, at: now)
        case .heartbeat: return beat(place, at: now)
        case .serverOnly(let type): return [finding(.allowedTypes, place, "it sent \(type.quoted)")]
        case .unknown(let type): return [finding(.knownTypes, place, "it sent \(type.quoted)")]
        case .unreadable(let sent):
            return [finding(.readableMessages, place, "the message could not be read" + Self.shown(sent))]
        case .badPayload(let type, let sent):
            return [
                finding(
                    .payloadShape, place,
                    "the payload of \(type.quoted) is not what the type asks" + Self.shown(sent))
            ]
        case .binary: return [finding(.textFrames, place, "it sent a binary message")]
        case .oversized(let bytes): return tooLong(bytes, place)
        case .message, .rateLimited, .serverField, .metadataNotStrings, .control: return []
        }
    }

    private static func shown(_ sent: String) -> String { sent.isEmpty ? "" : ": " + sent }

    private func finding(_ protocolRule: ProtocolRuleID, _ place: Int, _ detail: String) -> Finding {
        Finding(
            protocolRule, connection: connections[place].id, event: Int(connections[place].heardCount), detail
        )
    }

    /// Checks a join (protocol.md#join-invitations).
    private mutating func joined(_ place: Int, at now: Instant) -> [Finding] {
        defer {
            hasJoined = true
            connections[place].lastJoinAt = now
            connections[place].isJoinAnswered = false
        }
        var findings = afterEnd(place, "a join", at: now)
        if !connections[place].joinRate.consume(
            full: ProtocolRuleLimits.joinsInTenSeconds, every: .seconds(1), at: now)
        {
            findings.append(
                finding(.joinLoop, place, "more than \(ProtocolRuleLimits.joinsInTenSeconds) joins in 10 s"))
        }
        guard findings.isEmpty, !isInvited else { return findings }
        if connections[place].knowsJoined {
            findings.append(finding(.joinOnce, place, "the agent was already in the session it resumed"))
        } else if let sentAt = connections[place].joinSentAt, connections[place].hasHad(sentAt, at: now) {
            findings.append(
                finding(.joinOnce, place, "the agent had joined \((now - sentAt).inSeconds) before"))
        } else if let last = connections[place].lastJoinAt,
            connections[place].isJoinAnswered || now - last < ProtocolRuleLimits.echoWait
        {
            findings.append(
                finding(.joinOnce, place, "it had asked on this connection \((now - last).inSeconds) before"))
        }
        return findings
    }

    /// Checks a user's message. `bytes` is the size of the whole event.
    mutating func received(
        _ text: String, localID: Substring?, bytes: Int, on connection: UInt64, at now: Instant
    ) -> [Finding] {
        guard let place = index(connection) else { return [] }
        connections[place].lastHeardAt = now
        connections[place].heardCount &+= 1
        var findings = afterEnd(place, "a message", at: now)
        if !hasJoined, let start = connections[place].startSentAt, connections[place].hasHad(start, at: now) {
            findings.append(
                finding(.joinFirst, place, "no join in the \((now - start).inSeconds) since SESSION_START"))
        }
        if bytes > maxMessageBytes { findings += tooLong(bytes, place) }
        if text.isBlank {
            findings.append(finding(.messageNotEmpty, place, "the text has \(text.count) blanks and no word"))
        }
        guard let localID, let known = echoes.note(localID, text: text) else { return findings }
        if echoes.isOther(text, than: known) {
            findings.append(
                finding(.localIDUnique, place, "\(String(localID).quoted) had been sent with another text"))
        } else if known.connection == connections[place].id, let echoedAt = known.echoedAt,
            connections[place].hasHad(echoedAt, at: now)
        {
            findings.append(
                finding(
                    .echoIsReceipt, place,
                    "\(String(localID).quoted) was echoed here \((now - echoedAt).inSeconds) before"))
        }
        return findings
    }

    private mutating func typed(_ place: Int, at now: Instant) -> [Finding] {
        var findings = afterEnd(place, "a typing event", at: now)
        if !connections[place].typingRate.consume(
            full: ProtocolRuleLimits.typingBurst, every: ProtocolRuleLimits.typingPeriod, at: now)
        {
            findings.append(
                finding(
                    .typingRate, place,
                    "more than \(ProtocolRuleLimits.typingPerSecond) typing events a second"))
        }
        return findings
    }

    private mutating func ended(_ place: Int, at now: Instant) -> [Finding] {
        defer {
            isEndedByClient = true
            connections[place].lastEndAt = now
            connections[place].isEndAnswered = false
        }
        guard let last = connections[place].lastEndAt else { return afterEnd(place, "an end", at: now) }
        guard connections[place].isEndAnswered || now - last < ProtocolRuleLimits.echoWait else { return [] }
        return [finding(.endOnce, place, "it had ended the session \((now - last).inSeconds) before")]
    }

    private mutating func beat(_ place: Int, at now: Instant) -> [Finding] {
        connections[place].quietSince = now
        connections[place].isSilent = false
        connections[place].heartbeats &+= 1
        let interval = heartbeat ?? ProtocolRuleLimits.defaultHeartbeat
        let elapsed = now - connections[place].heartbeatsSince
        let due = interval > .zero ? 2 * Int(elapsed.nanoseconds / interval.nanoseconds) : 0
        guard Int(connections[place].heartbeats) > due + ProtocolRuleLimits.spareHeartbeats else { return [] }
        let count = connections[place].heartbeats
        connections[place].heartbeats = 0
        connections[place].heartbeatsSince = now
        let announced = interval > .zero ? "one is due every \(interval.inSeconds)" : "none are wanted"
        return [finding(.heartbeatRate, place, "\(count) heartbeats in \(elapsed.inSeconds), \(announced)")]
    }

    private func tooLong(_ bytes: Int, _ place: Int) -> [Finding] {
        guard connections[place].startSentAt != nil, maxMessageBytes > 0, bytes > maxMessageBytes else {
            return []
        }
        return [finding(.messageSize, place, "\(bytes) bytes, announced were \(maxMessageBytes)")]
    }

    /// Reports a message after the session's end.
    private func afterEnd(_ place: Int, _ what: String, at now: Instant) -> [Finding] {
        if connections[place].lastEndAt != nil {
            return [finding(.talkAfterEnd, place, "\(what) after it had ended the session itself")]
        }
        guard let sentAt = connections[place].endSentAt, connections[place].hasHad(sentAt, at: now) else {
            return []
        }
        return [finding(.talkAfterEnd, place, "\(what) \((now - sentAt).inSeconds) after SESSION_END")]
    }
}
