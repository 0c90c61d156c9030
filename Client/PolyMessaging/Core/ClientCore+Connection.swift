import Clocks

extension ClientCore {
    /// Handles outputs of the connection. `error`: reported in place of the error of a failed connection.
    mutating func apply(
        _ list: [ConnectionCore.Output], reportedAs error: PolyError? = nil, at now: Instant
    ) {
        for output in list {
            switch output {
            case .dial(let attempt): dial(attempt, at: now)
            case .close(let attempt, let code, let reason):
                outputs.append(.close(attempt: attempt, code: code, reason: reason))
            case .status(let status): statusChanged(status, error: error, at: now)
            case .closed(let event): socketGone(event, at: now)
            case .lost(let event):
                if event.code == CloseCode.normal.rawValue { endByClose(event, at: now) }
            case .sessionRefused: replaceSession(at: now)
            }
        }
    }

    mutating func socketClosed(_ attempt: Int, _ event: ConnectionCloseEvent, at now: Instant) {
        if isOver {
            apply(connection.closedForGood(attempt: attempt, event), at: now)
        } else {
            apply(connection.closed(attempt: attempt, event, at: now), at: now)
        }
    }

    mutating func socketFailed(_ attempt: Int, _ fault: TransportFault, at now: Instant) {
        if isOver {
            let event = ConnectionCloseEvent(code: 1006, reason: "", wasClean: false)
            apply(connection.closedForGood(attempt: attempt, event), at: now)
        } else {
            apply(connection.failed(attempt: attempt, fault, at: now), at: now)
        }
    }

    /// Whether the session has ended or expired.
    var isOver: Bool {
        switch phase {
        case .ended, .expired: true
        default: false
        }
    }

    mutating func show(_ status: ConnectionStatus) {
        guard status != lastStatus else { return }
        lastStatus = status
        outputs.append(.notify(.status(status)))
    }

    private mutating func dial(_ attempt: Int, at now: Instant) {
        if let address {
            outputs.append(.open(attempt: attempt, url: address))
            return
        }
        guard let record = session.record else {
            connection.cancelDial()
            return
        }
        // A new token needs a new session, which loses the transcript, so a token is used until it expires. An unused
        // token that seems expired may only show that the clocks differ, so it is tried once.
        if record.isTokenOver(at: now), !isTokenUnused {
            connection.cancelDial()
            replaceSession(at: now)
            return
        }
        let url = SocketURL.make(
            base: settings.socketURL, accessToken: record.accessToken, sessionID: record.sessionID,
            cursor: receive.cursor)
        guard let url else {
            let error = PolyError.invalidConfiguration("The WebSocket URL of the environment is not a URL.")
            apply(connection.fail(error), at: now)
            return
        }
        isTokenUnused = false
        outputs.append(.open(attempt: attempt, url: url))
    }

    private mutating func statusChanged(_ status: ConnectionStatus, error: PolyError?, at now: Instant) {
        show(status)
        switch status {
        case .idle, .connecting, .closing: break
        case .open: opened(at: now)
        case .reconnecting(let attempt):
            notify(.reconnecting(attempt: attempt))
            finish([.open], lossError)
        case .failed(let reason):
            notify(.disconnected(error ?? reason))
            process(receive.flush(), at: now)
            apply(delivery.giveUp())
            if reason == .session(.sessionExpired) { apply(session.setWorthResuming(false), at: now) }
            finish([.open], reason ?? .transport(.notConnected))
        case .closed(let event): closed(event, at: now)
        }
    }

    private mutating func opened(at now: Instant) {
        awaitsFirstFrame = true
        // No answer is required after a reconnect, because there may be nothing to replay, nor from a URL of the app.
        silentUntil = hasStarted || address != nil ? nil : now + MessagingLimits.answerWait
        if hasStarted { recovery.reopened(at: now) }
        receive.connectionOpened(at: now)
        heartbeat.start(at: now)
        delivery.connectionOpened(at: now)
        outputs.append(.raw(.opened))
        apply(session.socketOpened(at: now), at: now)
        notify(.connected)
        finish([.open])
    }

    private mutating func closed(_ event: ConnectionCloseEvent?, at now: Instant) {
        delivery.setRecovering(false, at: now)
        finish([.open], lossError)
        if isOver {
            closesAt = nil
            apply(delivery.giveUp())
            finish([.close])
        }
        switch phase {
        case .expired, .shutDown: break
        default:
            let isReplaced = event?.code == CloseCode.clientReplaced.rawValue
            notify(.disconnected(isReplaced ? lossError : nil))
        }
        if phase == .running { process(receive.flush(), at: now) }
    }

    private mutating func socketGone(_ event: ConnectionCloseEvent, at now: Instant) {
        lastClose = event
        log(.info, "connection over with \(event.code)")
        outputs.append(.raw(.closed(event)))
        heartbeat.stop()
        receive.connectionLost(at: now)
        silentUntil = nil
        recovery.connectionLost()
        outgoingTyping.reset()
        if event.code == 1009 { apply(delivery.messageWasTooLarge()) }
        delivery.connectionLost(isRecovering: true, at: now)
        apply(session.socketClosed(code: event.code, at: now), at: now)
    }

    private var lossError: PolyError {
        guard let event = lastClose else { return .transport(.notConnected) }
        guard event.code == ConnectionCore.networkCode else {
            return .session(.unexpectedDisconnect(code: event.code, reason: event.reason))
        }
        return .transport(.networkError(event.reason))
    }

    // MARK: Signals

    mutating func networkLost(at now: Instant) {
        if !isOver { pollsAt = now + MessagingLimits.offlinePoll }
        apply(connection.networkLost(at: now), at: now)
    }

    mutating func networkRestored(at now: Instant) {
        pollsAt = nil
        connection.networkRestored()
        reviveIfNeeded(at: now)
    }

    /// Handles the app's return to the foreground. The return counts as activity, so the idle time is checked first.
    mutating func foregrounded(at now: Instant) {
        apply(session.expireIfIdle(at: now), at: now)
        apply(session.touch(at: now), at: now)
        reviveIfNeeded(at: now)
    }

    private mutating func reviveIfNeeded(at now: Instant) {
        switch phase {
        case .running: reconnect(isExplicit: false, at: now)
        case .making: apply(session.hurry(at: now), at: now)
        case .broken(let error):
            if !RESTCall.blamesKey(error), !connection.isClosedByApp { startAgain(at: now) }
        case .idle, .ended, .expired, .shutDown: break
        }
    }

    mutating func reconnect(isExplicit: Bool, at now: Instant) {
        delivery.setRecovering(true, at: now)
        apply(connection.reconnect(isExplicit: isExplicit, at: now), at: now)
        delivery.setRecovering(connection.isRecovering, at: now)
    }

    mutating func receiveBinary(attempt: Int, at now: Instant) {
        guard attempt == connection.openAttempt else { return }
        let reason = "A binary message, where only text is allowed."
        outputs.append(.raw(.fault(.transport(.protocolError(reason: reason)))))
        apply(connection.violated(attempt: attempt, code: 1003, reason: reason, at: now), at: now)
    }

    mutating func apply(_ capabilities: SessionCapabilities, at now: Instant) {
        heartbeat.apply(capability: capabilities.heartbeatIntervalSeconds, at: now)
        connection.apply(capability: capabilities.maxReconnectAttempts)
        delivery.apply(maxBytes: capabilities.maxMessageSize)
    }
}
