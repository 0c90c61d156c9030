import Clocks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ClientCore {
    static let shutDownError = PolyError.session(.sessionEnded(reason: "The client was shut down"))

    mutating func type(_ call: CallID, at now: Instant) {
        if case .broken(let error) = phase { return finish(call, error) }
        if phase == .running, connection.openAttempt != nil, outgoingTyping.keystroke(at: now) {
            transmit(.userTyping(.started))
        }
        finish(call)
    }

    // MARK: Life

    mutating func end(_ reason: String?, _ call: CallID, at now: Instant) {
        switch phase {
        case .ended, .expired, .shutDown: return finish(call)
        case .idle, .making, .running, .broken: break
        }
        let isHeard = phase == .running && transmit(.userEndConversation)
        guard leave(.ended(reason: reason, byUser: true), at: now) else { return finish(call) }
        if !isHeard { notify(.disconnected(.session(.sessionEnded(reason: "Connection closed abnormally")))) }
        notify(.sessionEnd(localEnvelope(at: now), SessionEndPayload(reason: reason)))
        apply(session.end(), at: now)
        apply(delivery.stopSending())
        finish([.session, .open], .session(.sessionEnded(reason: reason)))
        waiters.append(Waiter(call: call, goal: .close))
        if isHeard {
            closesAt = now + MessagingLimits.endGrace
        } else {
            closeEnded(at: now)
        }
    }

    mutating func localEnvelope(at now: Instant) -> Envelope {
        Envelope(
            id: UUID(from: &generator).uuidString, sequence: nil,
            timestamp: Date(nanosecondsSince1970: now.nanoseconds))
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

    /// Allows a connection again after a disconnect by the app.
    private mutating func openAgain(at now: Instant) {
        guard connection.isClosedByApp else { return }
        connection.openAgain()
        delivery.setRecovering(true, at: now)
        show(.connecting)
    }

    mutating func startNewSession(_ call: CallID, at now: Instant) {
        if phase == .running { transmit(.userEndConversation) }
        if phase == .running { _ = leave(.making, at: now) }
        for event in stream.finish() { notify(event) }
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

    /// Handles an input after the shutdown.
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

    /// Closes the connection at the app's request.
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
