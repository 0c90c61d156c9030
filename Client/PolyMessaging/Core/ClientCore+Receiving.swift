import Clocks
import MessagingWire

/// Handling of received frames.
extension ClientCore {
    mutating func receive(_ frame: [UInt8], attempt: Int, at now: Instant) {
        guard attempt == connection.openAttempt else { return }
        outputs.append(.raw(.frame(frame)))
        let arrivals: [ReceiveCore.Arrival]
        var isBatch = false
        switch WireEventReader.read(frame) {
        case .event(let event): arrivals = [arrival(event, at: now)]
        case .batch(let events, let droppedCount, let places):
            isBatch = true
            arrivals = Self.merged(events.map { arrival($0, at: now) }, with: places)
            if droppedCount > 0 {
                log(.warn, "\(droppedCount) unusable events in a batch")
                takeReceipts(of: frame, at: now)
            }
        case .dropped(let drop, let place):
            log(.warn, "an unusable frame of \(frame.count) bytes")
            if case .incomplete = drop { takeReceipts(of: frame, at: now) }
            guard let place else { return }
            arrivals = Self.merged([], with: [place])
        }
        tellRaw(arrivals.compactMap(\.event), isBatch: isBatch)
        // Before SESSION_START the whole history is wanted: an unusable event in its place comes once more.
        guard hasStarted || !arrivals.allSatisfy(\.isPlace) || arrivals.isEmpty else { return }
        silentUntil = nil
        guard hearsServer else { return }
        heartbeat.frameArrived(isEcho: arrivals.contains(where: \.isHeartbeat))
        if arrivals.contains(where: { !$0.isHeartbeat }) { apply(session.messageReceived(), at: now) }
        beginReplay(isBatch: isBatch, at: now)
        if arrivals.contains(where: \.showsJoin) { recovery.joinSeen() }
        for arrival in arrivals { noteEcho(arrival) }
        let heldCount = receive.heldCount
        process(receive.receive(arrivals, isBatch: isBatch, at: now), at: now)
        // Words that are held until an event before them has come; a repeated event is not held.
        if receive.heldCount > heldCount, arrivals.contains(where: \.isWordsOfAgent) { recovery.agentSpoke() }
        connection.sessionProved(isStarted: hasStarted, at: now)
        guard phase == .running else { return }
        let frame = delivery.frameArrived(
            isBatch: isBatch, isUndecided: recovery.isUndecided, hasHole: receive.hasHole, at: now)
        apply(frame)
    }

    mutating func receiveBinary(attempt: Int, at now: Instant) {
        guard attempt == connection.openAttempt else { return }
        let reason = "A binary message, where only text is allowed."
        outputs.append(.raw(.fault(.transport(.protocolError(reason: reason)))))
        apply(connection.violated(attempt: attempt, code: 1003, reason: reason, at: now), at: now)
    }

    private mutating func arrival(_ wire: WireEvent, at now: Instant) -> ReceiveCore.Arrival {
        ReceiveCore.Arrival(id: wire.id, sequence: wire.sequence, event: mapping.event(wire, at: now))
    }

    /// With the places of unusable events, which are no holes (protocol.md#needed-fields). Both are in order.
    private static func merged(
        _ arrivals: [ReceiveCore.Arrival], with places: [UInt64]
    ) -> [ReceiveCore.Arrival] {
        guard !places.isEmpty else { return arrivals }
        var merged: [ReceiveCore.Arrival] = []
        var rest = places[...]
        for arrival in arrivals {
            while let place = rest.first, place < arrival.sequence ?? .max {
                merged.append(ReceiveCore.Arrival(id: "", sequence: place, event: nil))
                rest.removeFirst()
            }
            merged.append(arrival)
        }
        return merged + rest.map { ReceiveCore.Arrival(id: "", sequence: $0, event: nil) }
    }

    private mutating func tellRaw(_ events: [MessagingEvent], isBatch: Bool) {
        if isBatch { return outputs.append(.raw(.batch(events))) }
        for event in events { outputs.append(.raw(.message(event))) }
    }

    /// A socket that outlives its session says nothing that matters.
    private var hearsServer: Bool {
        switch phase {
        case .running: true
        case .ended: closesAt != nil
        case .idle, .making, .broken, .expired, .shutDown: false
        }
    }

    /// An echo may have to wait for an event before it; its draft must not be sent again meanwhile.
    private mutating func noteEcho(_ arrival: ReceiveCore.Arrival) {
        guard case .userMessage(let envelope, _)? = arrival.event else { return }
        if let localID = envelope.metadata?.custom?["local_id"] { delivery.noteEcho(localID: localID) }
    }

    /// The server has a message, whatever its echo lacks: sending the message again would double it.
    private mutating func takeReceipts(of frame: [UInt8], at now: Instant) {
        guard hearsServer else { return }
        for receipt in WireEventReader.receipts(amongDropped: frame) {
            guard let draftID = delivery.confirm(localID: receipt.localID, text: "") else { continue }
            apply(session.touch(at: now), at: now)
            tell(.messageConfirmed(draftId: draftID, messageId: receipt.messageID))
        }
    }

    private mutating func beginReplay(isBatch: Bool, at now: Instant) {
        if awaitsFirstFrame, hasStarted { recovery.replayBegan(at: now) }
        if isBatch { recovery.frameArrived(at: now) }
        awaitsFirstFrame = false
    }

    mutating func process(_ deliveries: [ReceiveCore.Delivery], at now: Instant) {
        for delivery in deliveries {
            switch delivery {
            case .new(let arrival):
                guard let event = arrival.event else { continue }
                if phase == .running { process(event, at: now) } else { processAfterEnd(event, at: now) }
            case .repeated(let arrival):
                guard case .sessionStart(_, let payload)? = arrival.event else { continue }
                apply(payload.capabilities, at: now)
            }
        }
    }

    // MARK: While the conversation runs

    private mutating func process(_ event: MessagingEvent, at now: Instant) {
        switch event {
        case .sessionStart(_, let payload):
            apply(payload.capabilities, at: now)
            hasStarted = true
            tell(event)
            if recovery.sessionStarted(isFresh: isFresh, at: now) { sendJoin(at: now) }
        case .sessionEnd(let envelope, let payload): endByServer(envelope, payload, at: now)
        case .userMessage(let envelope, let payload): processEcho(envelope, payload, at: now)
        case .agentMessage, .agentMessageChunk, .liveAgentMessage: processWords(event, at: now)
        case .agentJoined, .liveAgentJoined:
            finishStream()
            tell(event)
            apply(session.setWorthResuming(true), at: now)
        case .agentLeft, .agentTriggeredHandoff, .clientHandoffRequired:
            finishStream()
            tell(event)
        case .liveAgentLeft:
            tell(event)
            apply(session.setWorthResuming(false), at: now)
        case .systemMessage(_, let payload):
            tell(event)
            if recovery.heard(payload.message, level: payload.level, at: now) {
                log(.warn, "the server lost the conversation; asking the agent to join again")
            }
        default: tell(event)
        }
    }

    /// Before the next message is looked at.
    private mutating func apply(_ capabilities: SessionCapabilities, at now: Instant) {
        heartbeat.apply(capability: capabilities.heartbeatIntervalSeconds, at: now)
        connection.apply(capability: capabilities.maxReconnectAttempts)
        delivery.apply(maxBytes: capabilities.maxMessageSize)
    }

    private mutating func processEcho(
        _ envelope: Envelope, _ payload: UserMessageEchoPayload, at now: Instant
    ) {
        apply(session.touch(at: now), at: now)
        let localID = envelope.metadata?.custom?["local_id"]
        if let draftID = delivery.confirm(localID: localID, text: payload.text) {
            tell(.messageConfirmed(draftId: draftID, messageId: payload.messageId))
        } else {
            tell(.userMessage(envelope, payload))
        }
    }

    private mutating func processWords(_ event: MessagingEvent, at now: Instant) {
        apply(session.touch(at: now), at: now)
        recovery.agentSpoke()
        switch event {
        case .agentMessage(_, let payload):
            finishStream(unless: payload.messageId)
            sayWhole(event, payload, at: now)
        case .agentMessageChunk(let envelope, let chunk):
            for event in stream.receive(envelope, chunk) {
                if case .agentMessage(_, let payload) = event {
                    sayWhole(event, payload, at: now)
                } else {
                    tell(event)
                }
            }
        case .liveAgentMessage:
            finishStream()
            tell(event)
        default: break
        }
    }

    /// Shows a whole reply unless it is empty; its end flag acts all the same.
    private mutating func sayWhole(_ event: MessagingEvent, _ payload: AgentMessagePayload, at now: Instant) {
        if !payload.isBlank { tell(event) }
        if payload.endConversation { endByAgent(at: now) }
    }

    mutating func finishStream(unless messageID: String? = nil) {
        for event in stream.finish(unless: messageID) {
            if case .agentMessage(_, let payload) = event, payload.isBlank { continue }
            tell(event)
        }
    }

    // MARK: After its end

    /// Processes an event after the end: the server may still confirm the user's last messages and the end.
    private mutating func processAfterEnd(_ event: MessagingEvent, at now: Instant) {
        guard case .ended(_, let byUser) = phase else { return }
        switch event {
        case .userMessage(let envelope, let payload): processEcho(envelope, payload, at: now)
        case .sessionEnd: closeEnded(at: now)
        case .userEndSession where byUser: closeEnded(at: now)
        default: if !byUser { tell(event) }
        }
    }
}

extension AgentMessagePayload {
    /// Nothing an app could show.
    var isBlank: Bool {
        text.isEmpty && attachments.isEmpty && responseSuggestions.isEmpty && chatCallActions.isEmpty
    }
}

extension ReceiveCore.Arrival {
    var isHeartbeat: Bool {
        if case .heartbeat? = event { true } else { false }
    }

    /// Nothing but the place of an unusable event.
    var isPlace: Bool { id.isEmpty && event == nil }

    var isWordsOfAgent: Bool {
        switch event {
        case .agentMessage?, .agentMessageChunk?, .liveAgentMessage?: true
        default: false
        }
    }

    /// Somebody asked the agent to join, or it is there.
    var showsJoin: Bool {
        switch event {
        case .requestPolyAgentJoin?, .agentJoined?: true
        default: false
        }
    }
}
