import ClientSupport
import Clocks

extension ChatCore {
    // MARK: - Calls

    mutating func connect(_ new: ChatDetails, _ call: Call, at now: Instant) {
        let isSame = details?.participantToken == new.participantToken
        if isSame, phase == .active, link.live != nil { return finish([call], .success) }
        if isSame, phase == .connecting || phase == .active {
            connectCalls.append(call)
            connectDeadline = connectDeadline ?? now + ConnectLimits.connect
            return resume(at: now)
        }
        // The rows are kept until the app connects to another chat.
        if let rowsToken, rowsToken != new.participantToken {
            reset(.superseded, at: now)
            transcript.ownID = ""
        }
        (details, rowsToken) = (new, new.participantToken)
        transcript.ownID = new.participantId ?? transcript.ownID
        phase = .connecting
        connectCalls = [call]
        connectDeadline = now + ConnectLimits.connect
        (link.isSuspended, link.isHalted) = (false, false)
        (link.failures, link.pausesUntil, typingUntil) = (0, nil, nil)
        startAttempt(at: now)
    }

    mutating func connectTimedOut(at now: Instant) {
        connectDeadline = nil
        var reason = ConnectChatError.timedOut(seconds: Double(ConnectLimits.connect.seconds))
        if let last = link.lastError, case .timedOut = last {} else { reason = link.lastError ?? reason }
        failConnect(reason, at: now)
    }

    /// Fails the waiting `connect` calls.
    private mutating func failConnect(_ error: ConnectChatError, at now: Instant) {
        let calls = connectCalls
        (connectCalls, connectDeadline) = ([], nil)
        if phase == .connecting {
            hangUp(code: 1_000)
            phase = .idle
            (details, credentials) = (nil, nil)
            reportState()
            // The messages fail, but are kept for a resend.
            let texts = outbox.texts
            transcript.end(time: WireTime.text(now), at: now)
            dropFiles()
            failEverything(error)
            outbox.keep(texts)
        }
        finish(calls, .failure(error))
    }

    mutating func suspend() {
        guard phase == .connecting || phase == .active, !link.isSuspended else { return }
        link.isSuspended = true
        pause()
    }

    mutating func resume(at now: Instant) {
        (link.isSuspended, link.isHalted) = (false, false)
        connectNow(at: now)
    }

    mutating func front(_ isAtFront: Bool, at now: Instant) {
        guard link.isBehind == isAtFront else { return }
        link.isBehind = !isAtFront
        guard phase == .connecting || phase == .active, !link.isSuspended else { return }
        if isAtFront {
            link.isHalted = false
            connectNow(at: now)
        } else {
            pause()
        }
    }

    mutating func reachable(_ isReachable: Bool, at now: Instant) {
        guard link.isReachable != isReachable else { return }
        link.isReachable = isReachable
        guard isReachable else {
            link.pausesUntil = nil
            return
        }
        (link.isHalted, link.failures) = (false, 0)
        connectNow(at: now)
    }

    private mutating func connectNow(at now: Instant) {
        guard phase == .connecting || phase == .active, link.live == nil, link.attempt == nil else { return }
        (link.failures, link.pausesUntil) = (0, nil)
        startAttempt(at: now)
    }

    private mutating func pause() {
        hangUp(code: 1_001)
    }

    mutating func hangUp(code: UInt16) {
        if let socket = link.live?.socket { outputs.append(.close(socket, code: code)) }
        abandonAttempt(code: code)
        (link.live, link.pausesUntil) = (nil, nil)
    }

    private mutating func abandonAttempt(code: UInt16) {
        if let socket = link.attemptSocket { outputs.append(.close(socket, code: code)) }
        if case .requesting(let request, _) = link.attempt { pending[request] = nil }
        link.attempt = nil
    }

    // MARK: - Attempts

    private mutating func startAttempt(at now: Instant) {
        guard link.attempt == nil, link.mayConnect, let details else { return }
        link.pausesUntil = nil
        if link.live == nil { notify(.connecting) }
        let request = request(
            .createConnection(participantToken: details.participantToken), .attempt, at: now)
        link.attempt = .requesting(request: request, since: now)
    }

    mutating func attemptAnswered(_ number: Int, _ reply: Reply, at now: Instant) {
        guard case .requesting(number, let since) = link.attempt else { return }
        link.attempt = nil
        guard case .connection(let new) = reply else {
            return attemptRefused(
                reply.error ?? .unexpectedAnswer("The service's answer is another one."), at: now)
        }
        adopt(new, at: now)
        guard now - since <= ConnectLimits.addressAge else { return startAttempt(at: now) }
        let socket = nextNumber()
        link.attempt = .dialling(socket: socket, deadline: now + ConnectLimits.dial)
        outputs.append(.dial(socket, url: new.url))
    }

    mutating func adopt(_ new: Credentials, at now: Instant) {
        credentials = new
        link.credentialsAt = now
        reportState()
    }

    private mutating func attemptRefused(_ error: ConnectChatError, at now: Instant) {
        log(.error, "CreateParticipantConnection failed: \(error.text)")
        if phase == .connecting {
            notify(.connectionFailed(error))
            return failConnect(error, at: now)
        }
        if error.isAccessDenied { return accessDenied(at: now) }
        if let status = error.status, 400..<500 ~= status, status != 429 {
            link.isHalted = true
            return failConnect(error, at: now)
        }
        attemptFailed(error, at: now)
    }

    private mutating func handshakeFailed(_ error: ConnectChatError?, at now: Instant) {
        if let error { log(.error, "The connection could not be made: \(error.text)") }
        attemptFailed(error, at: now)
    }

    /// Schedules the next attempt, or fails `connect` after a permanent error.
    private mutating func attemptFailed(_ error: ConnectChatError?, at now: Instant) {
        abandonAttempt(code: 1_000)
        guard phase == .connecting || phase == .active else { return }
        if let error {
            link.lastError = error
            notify(.connectionFailed(error))
            if phase == .connecting, error.isFinal { return failConnect(error, at: now) }
        }
        link.failures += 1
        guard link.mayConnect else { return }
        let pause = Backoff.pause(link.failures, longest: ConnectLimits.longestPause, &generator)
        link.pausesUntil = now + pause
        if link.live == nil {
            notify(.waiting(seconds: Double(pause.milliseconds) / 1_000, attempt: link.failures))
        }
    }

    mutating func opened(_ socket: Int, at now: Instant) {
        guard case .dialling(socket, _) = link.attempt else { return }
        outputs.append(.transmit(socket, WireFrame.subscribe))
        link.attempt = .subscribing(socket: socket, asked: 1, next: now + ConnectLimits.subscribePause)
    }

    mutating func closed(_ socket: Int, because error: ConnectChatError?, at now: Instant) {
        if link.attemptSocket == socket {
            link.attempt = nil
            return handshakeFailed(error, at: now)
        }
        if link.live?.socket == socket { lost(error, at: now) }
    }

    private mutating func lost(_ error: ConnectChatError? = nil, at now: Instant) {
        guard let live = link.live else { return }
        link.live = nil
        log(.error, "The connection was lost" + (error.map { ": \($0.text)" } ?? "."))
        notify(.connectionBroken)
        if now - live.since >= ConnectLimits.settled {
            link.failures = 0
            if link.attempt == nil { startAttempt(at: now) }
        } else if link.attempt == nil {
            attemptFailed(nil, at: now)
        }
    }

    mutating func advanceLink(to due: Instant, _ now: Instant) {
        if let pause = link.pausesUntil, link.attempt == nil, pause <= due {
            link.pausesUntil = nil
            return startAttempt(at: now)
        }
        switch link.attempt {
        case .dialling(_, let deadline) where deadline <= due:
            return handshakeFailed(.timedOut(seconds: Double(ConnectLimits.dial.seconds)), at: now)
        case .subscribing(let socket, let asked, let next) where next <= due:
            guard asked < ConnectLimits.subscribeTries else {
                return handshakeFailed(.network("The service does not answer the subscription."), at: now)
            }
            outputs.append(.transmit(socket, WireFrame.subscribe))
            link.attempt = .subscribing(
                socket: socket, asked: asked + 1, next: due + ConnectLimits.subscribePause)
            return
        default: break
        }
        guard let live = link.live else { return }
        if link.attempt == nil, link.pausesUntil == nil, live.renewsAt <= due {
            link.live?.renewsAt = .distantFuture
            return startAttempt(at: now)
        }
        guard live.heartbeats.next <= due else { return }
        var heartbeats = live.heartbeats
        let tick = heartbeats.tick(at: now, isUnread: link.isUnread)
        link.live?.heartbeats = heartbeats
        switch tick {
        case .send:
            outputs.append(.transmit(live.socket, WireFrame.pingFrame))
            outputs.append(.transmit(live.socket, WireFrame.heartbeatFrame))
        case .failed(let isDeep): heartbeatFailed(isDeep: isDeep, at: now)
        }
    }

    private mutating func heartbeatFailed(isDeep: Bool, at now: Instant) {
        guard let live = link.live else { return }
        if isDeep { notify(.deepHeartbeatFailure) }
        outputs.append(.close(live.socket, code: 1_006))
        lost(at: now)
    }

    // MARK: - Frames

    mutating func receive(_ socket: Int, _ bytes: [UInt8], at now: Instant) {
        let isLive = link.live?.socket == socket
        guard isLive || link.attemptSocket == socket else { return }
        switch WireFrame(bytes) {
        case .subscription(let isSuccess):
            if !isLive, isSuccess { subscribed(socket, at: now) }
        case .heartbeat: if isLive { link.live?.heartbeats.heartbeatAnswered() }
        case .ping(let isFine):
            guard isLive, let bad = link.live?.heartbeats.pingAnswered(isFine: isFine), bad > 0 else {
                return
            }
            notify(.deepHeartbeatFailure)
            if bad > 1 { heartbeatFailed(isDeep: false, at: now) }
        case .item(let item): if phase == .active || isLive { receive(item, at: now) }
        case .other: log(.debug, "A frame of \(bytes.count) bytes is not for this client.")
        }
    }

    private mutating func subscribed(_ socket: Int, at now: Instant) {
        let previous = link.live?.socket
        var renewsAt = now + ConnectLimits.connectionAge
        if let renewal = credentials?.urlExpiry.flatMap({ link.renewal(before: $0) }) {
            renewsAt = min(renewsAt, max(renewal, now + ConnectLimits.renewPause))
        }
        (link.attempt, link.lastError) = (nil, nil)
        link.live = ChatLink.Live(
            socket: socket, since: now, heartbeats: Heartbeats(openedAt: now), renewsAt: renewsAt)
        if let previous {
            outputs.append(.close(previous, code: 1_000))
            return
        }
        let calls = connectCalls
        (connectCalls, connectDeadline) = ([], nil)
        if phase == .connecting {
            phase = .active
            reportState()
            finish(calls, .success)
            notify(.connectionEstablished)
            startFirstPage(at: now)
            sendNext(at: now)
        } else {
            finish(calls, .success)
            notify(.connectionReEstablished)
            startCatchUp(at: now)
        }
    }
}

extension ChatSessionEvent {
    /// Log line of the event, or nil.
    var logLine: (ChatCore.LogLevel, String)? {
        switch self {
        case .connecting: (.info, "Connecting.")
        case .waiting(let seconds, let attempt):
            (.info, "Attempt \(attempt) to connect again is in \(seconds) s.")
        case .connectionEstablished: (.info, "Connected.")
        case .connectionReEstablished: (.info, "Connected again.")
        case .deepHeartbeatFailure: (.error, "The service missed a heartbeat.")
        case .chatEnded: (.info, "The chat has ended.")
        default: nil
        }
    }
}
