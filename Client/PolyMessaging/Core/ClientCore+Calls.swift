import Clocks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Calls of the app.
extension ClientCore {
    private static let shutDownError = PolyError.session(.sessionEnded(reason: "The client was shut down"))

    // MARK: Sending

    /// `old` is a draft that failed: it goes once there is a new one, and can be tried again where that is refused.
    mutating func send(
        _ text: String, _ metadata: [String: String], replacing old: String? = nil, _ call: CallID,
        at now: Instant
    ) {
        let text = text.trimmed
        if text.isEmpty { return finish(call) }
        if let error = sendingError { return finish(call, error) }
        let id = UUID(from: &generator).uuidString
        let localID = UUID(from: &generator).uuidString
        let custom = metadata.merging(["local_id": localID]) { _, ours in ours }
        let frame = WireMapping.frame(.userMessage(text: text, metadata: custom))
        guard delivery.fits(frame) else {
            return finish(call, .message(.payloadTooLarge(maxBytes: delivery.maxBytes)))
        }
        if let old { removeDraft(old) }
        let draft = DeliveryCore.Draft(
            id: id, localID: localID, text: text, metadata: metadata, frame: frame)
        tell(.messagePending(draftId: id, text: text))
        var isConnectionFailed = false
        if case .failed = connection.state, phase == .running { isConnectionFailed = true }
        guard delivery.hasRoom, !isConnectionFailed else {
            delivery.addFailed(draft)
            tell(.messageFailed(draftId: id))
            return finish(call, .message(.deliveryFailed(draftId: id)))
        }
        apply(delivery.add(draft, at: now))
        apply(session.touch(at: now), at: now)
        if phase == .making || phase == .idle {
            waiters.append(Waiter(call: call, goal: .session))
        } else {
            finish(call)
        }
    }

    /// A second copy of what may still arrive would be a second message, so only what failed is said again.
    mutating func retry(_ id: String, _ call: CallID, at now: Instant) {
        guard let draft = delivery.failedDraft(id) else {
            return finish(call, .message(.deliveryFailed(draftId: id)))
        }
        send(draft.text, draft.metadata, replacing: id, call, at: now)
    }

    mutating func removeDraft(_ id: String) {
        delivery.remove(id)
        outputs.append(.draftRemoved(id))
    }

    mutating func apply(_ list: [DeliveryCore.Output]) {
        for output in list {
            switch output {
            case .transmit(let frame): transmit(frame)
            case .failed(let draftID): tell(.messageFailed(draftId: draftID))
            }
        }
    }

    mutating func type(_ call: CallID, at now: Instant) {
        if case .broken(let error) = phase { return finish(call, error) }
        if phase == .running, connection.openAttempt != nil, outgoingTyping.keystroke(at: now) {
            transmit(.userTyping(.started))
        }
        finish(call)
    }

    private var sendingError: PolyError? {
        switch phase {
        case .idle, .making, .running: nil
        case .broken(let error): error
        case .ended(let reason, _): .session(.sessionEnded(reason: reason))
        case .expired: .session(.sessionExpired)
        case .shutDown: Self.shutDownError
        }
    }

    // MARK: Life

    mutating func end(_ reason: String?, _ call: CallID, at now: Instant) {
        switch phase {
        case .ended, .expired, .shutDown: return finish(call)
        case .idle, .making, .running, .broken: break
        }
        let isHeard = phase == .running && transmit(.userEndConversation)
        guard leave(.ended(reason: reason, byUser: true), at: now) else { return finish(call) }
        if !isHeard { tell(.disconnected(.session(.sessionEnded(reason: "Connection closed abnormally")))) }
        tell(.sessionEnd(localEnvelope(at: now), SessionEndPayload(reason: reason)))
        apply(session.end(), at: now)
        apply(delivery.stopSending())
        finish([.session, .open], .session(.sessionEnded(reason: reason)))
        waiters.append(Waiter(call: call, goal: .close))
        if isHeard {
            closesAt = now + Limits.endGrace
        } else {
            closeEnded(at: now)
        }
    }

    mutating func resume(_ call: CallID, at now: Instant) {
        switch phase {
        case .ended, .expired, .shutDown: return finish(call, sendingError)
        case .idle, .making: openAgain(at: now)
        case .broken:
            connection.openAgain()
            startAgain(at: now)
        case .running:
            if connection.openAttempt != nil { return finish(call) }
            reconnect(isExplicit: true, at: now)
        }
        waiters.append(Waiter(call: call, goal: .open))
    }

    /// Reopens the connection that the app closed while a session was being created.
    private mutating func openAgain(at now: Instant) {
        guard connection.isClosedByApp else { return }
        connection.openAgain()
        delivery.setRecovering(true, at: now)
        show(.connecting)
    }

    mutating func startNewSession(_ call: CallID, at now: Instant) {
        if phase == .running { transmit(.userEndConversation) }
        if phase == .running { _ = leave(.making, at: now) }
        for event in stream.finish() { tell(event) }
        finish([.close])
        phase = .making
        closesAt = nil
        show(.connecting)
        apply(connection.setAside(), at: now)
        apply(session.startNew(at: now), at: now)
        delivery.setRecovering(true, at: now)
        waiters.append(Waiter(call: call, goal: .session))
    }

    mutating func shutDown(at now: Instant) {
        if phase == .running {
            process(receive.flush(), at: now)
            finishStream()
        }
        heartbeat.stop()
        outgoingTyping.reset()
        apply(delivery.giveUp())
        finish([.session, .open], Self.shutDownError)
        finish([.close])
        phase = .shutDown
        apply(connection.shutDown(), at: now)
        apply(session.shutDown(at: now), at: now)
        outputs.append(.finishStreams)
    }

    /// After the shutdown: calls are answered, everything else is late.
    mutating func refuse(_ input: Input) {
        switch input {
        case .send(_, _, let call), .retry(_, let call), .typing(let call), .resume(let call),
            .startNewSession(let call),
            .rawEvent(_, let call), .rawFrame(_, let call):
            finish(call, Self.shutDownError)
        case .end(_, let call): finish(call)
        case .removeDraft(let id): removeDraft(id)
        default: break
        }
    }

    // MARK: Escape hatch

    mutating func sendRaw(_ frame: [UInt8], _ call: CallID) {
        if transmit(frame) { return finish(call) }
        let error = PolyError.transport(.notConnected)
        outputs.append(.raw(.fault(error)))
        finish(call, error)
    }

    /// No client comes back to a session that is over, whichever code it sent.
    mutating func disconnectRaw(code: Int, reason: String, at now: Instant) {
        let outputs =
            isOver
            ? connection.disconnect(code: code, reason: reason, at: now)
            : connection.hangUp(code: code, reason: reason, at: now)
        apply(outputs, at: now)
    }

    mutating func connectRaw(_ url: URL, at now: Instant) {
        address = url
        apply(connection.connect(at: now), at: now)
    }
}
