import Clocks

extension ClientCore {
    mutating func apply(_ list: [SessionCore.Output], at now: Instant) {
        for output in list {
            switch output {
            case .request(let request): outputs.append(.request(request))
            case .state(let state): outputs.append(.notify(.sessionState(state)))
            case .store(let record): outputs.append(.store(record))
            case .log(let level, let text): log(level, text)
            case .ready(let record, let isFresh): sessionReady(record, isFresh: isFresh, at: now)
            case .refetchFailed: connection.rollBackRefusal()
            case .failed(let error, let purpose): becomeBroken(error, purpose, at: now)
            case .expired: expire(at: now)
            }
        }
    }

    mutating func start(_ stored: StoredSession?, at now: Instant) {
        guard phase == .idle else { return }
        makeSession(stored, at: now)
    }

    mutating func startAgain(at now: Instant) {
        makeSession(nil, at: now)
    }

    private mutating func makeSession(_ stored: StoredSession?, at now: Instant) {
        phase = .making
        delivery.setRecovering(true, at: now)
        show(.connecting)
        apply(session.start(stored: stored, at: now), at: now)
    }

    mutating func replaceSession(at now: Instant) {
        guard phase == .running else { return }
        process(receive.flush(), at: now)
        finishStream()
        guard phase == .running else { return }
        phase = .making
        log(.info, "replacing session \(shownSession)")
        show(.connecting)
        apply(session.replace(at: now), at: now)
    }

    private mutating func sessionReady(_ record: StoredSession, isFresh: Bool, at now: Instant) {
        phase = .running
        adopt(record.sessionID, at: now)
        self.isFresh = isFresh
        isTokenUnused = isFresh
        log(.info, "using session \(shownSession)\(isFresh ? "" : ", resumed")")
        if connection.isClosedByApp {
            // The app closed the connection meanwhile.
            delivery.setRecovering(false, at: now)
        } else {
            apply(connection.connect(at: now), at: now)
        }
        finish([.session])
    }

    /// Resets the state for a created or resumed session, and announces the session.
    private mutating func adopt(_ id: String, at now: Instant) {
        if sessionID != nil { apply(delivery.sessionChanged()) }
        sessionID = id
        hasStarted = false
        address = nil
        receive.reset()
        stream.reset()
        recovery.reset()
        outgoingTyping.reset()
        heartbeat.reset(at: now)
        connection.apply(capability: nil)
        outputs.append(.notify(.sessionChanged(id)))
    }

    private mutating func becomeBroken(_ error: PolyError, _ purpose: SessionCore.Purpose, at now: Instant) {
        phase = .broken(error)
        apply(connection.fail(error), reportedAs: Self.reported(error, purpose), at: now)
        finish([.session, .open], error)
    }

    private static func reported(_ error: PolyError, _ purpose: SessionCore.Purpose) -> PolyError {
        switch (purpose, error) {
        case (.newSession, .transport), (.newSession, .invalidConfiguration):
            .session(.sessionCreationFailed(.unknown))
        default: error
        }
    }

    private mutating func expire(at now: Instant) {
        let error = PolyError.session(.sessionExpired)
        guard leave(.expired, at: now) else { return }
        notify(.disconnected(error))
        apply(delivery.giveUp())
        apply(connection.disconnect(code: 1000, reason: "", at: now), at: now)
        finish([.session, .open, .close], error)
    }

    /// Delivers held events, then changes the phase to `next`. If the session is over by then, returns false and keeps
    /// the phase.
    mutating func leave(_ next: Phase, at now: Instant) -> Bool {
        process(receive.flush(), at: now)
        switch phase {
        case .ended, .expired: return false
        default: break
        }
        finishStream()
        phase = next
        heartbeat.stop()
        recovery.reset()
        outgoingTyping.reset()
        closesAt = nil
        silentUntil = nil
        pollsAt = nil
        return true
    }

    mutating func endByAgent(at now: Instant) {
        guard phase == .running else { return }
        let reason = "agent_ended"
        guard leave(.ended(reason: reason, byUser: false), at: now) else { return }
        notify(.sessionEnd(localEnvelope(at: now), SessionEndPayload(reason: reason)))
        apply(session.end(), at: now)
        apply(delivery.stopSending())
        closesAt = now + MessagingLimits.agentEndGrace
        finish([.session, .open], .session(.sessionEnded(reason: reason)))
    }

    mutating func endByServer(_ envelope: Envelope, _ payload: SessionEndPayload, at now: Instant) {
        guard leave(.ended(reason: payload.reason, byUser: false), at: now) else { return }
        notify(.sessionEnd(envelope, payload))
        apply(session.end(), at: now)
        finish([.session, .open], .session(.sessionEnded(reason: payload.reason)))
        closeEnded(at: now)
    }

    mutating func endByClose(_ event: ConnectionCloseEvent, at now: Instant) {
        guard phase == .running else { return }
        let reason = event.reason.isEmpty ? nil : event.reason
        guard leave(.ended(reason: reason, byUser: false), at: now) else { return }
        apply(session.end(), at: now)
        apply(delivery.giveUp())
        finish([.session, .open], .session(.sessionEnded(reason: reason)))
    }

    mutating func closeEnded(at now: Instant) {
        closesAt = nil
        process(receive.flush(), at: now)
        apply(delivery.giveUp())
        apply(connection.disconnect(code: 1000, reason: "", at: now), at: now)
        finish([.close])
    }

    var shownSession: String { sessionID.map { settings.redaction.session($0) } ?? "none" }

    /// Sends a join request. Only the first three of a session must be answered in time, so that a silent server does
    /// not cause endless reconnects.
    mutating func sendJoin(at now: Instant) {
        guard transmit(.requestPolyAgentJoin), recovery.expectsAnswer() else { return }
        silentUntil = now + MessagingLimits.answerWait
    }

    /// Handles an event after the end of the session.
    mutating func processAfterEnd(_ event: MessagingEvent, at now: Instant) {
        guard case .ended(_, let byUser) = phase else { return }
        switch event {
        case .userMessage(let envelope, let payload): processEcho(envelope, payload, at: now)
        case .sessionEnd: closeEnded(at: now)
        case .userEndSession where byUser: closeEnded(at: now)
        default: if !byUser { notify(event) }
        }
    }
}
