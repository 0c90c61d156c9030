package import Clocks

/// State machine that resumes, creates, replaces and ends the session. "store nil" removes the record.
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | idle, failed | start, a resumable record | active | restored, active, ready |
/// | idle, failed | start, no resumable record | calling (token) | store nil if there was a record, request |
/// | calling (token) | 2xx with a token | calling (session) | request |
/// | calling (session) | 2xx with an id | active | active, store, ready |
/// | calling | 429, 5xx, network fault; fewer than 4 attempts | pausing | – |
/// | pausing | its deadline, network restored, foreground | calling | request |
/// | calling | another answer, at a start or for a new session | failed | failed |
/// | calling | another answer: first or second replacement failed | debouncing, about 1 s, 2 s | refetchFailed |
/// | calling | another answer: third replacement failed, or token refused | failed | refetchFailed, failed |
/// | active | refused by the server, or token expired | debouncing, 300 ms | store nil |
/// | any | the user wants a new session | debouncing, 300 ms | store nil |
/// | debouncing | its deadline | calling (token) | request |
/// | active | no activity for longer than the timeout | expired | store nil, expired |
/// | any except expired | ended by user, agent or server | ended | store nil |
package struct SessionCore: Sendable {
    package enum Output: Equatable, Sendable {
        case request(RESTRequest)
        case state(SessionState)
        case store(StoredSession?)
        /// Connect with these credentials. `isFresh`: the session was just created.
        case ready(StoredSession, isFresh: Bool)
        /// Replacing the session failed.
        case refetchFailed
        case failed(PolyError, Purpose)
        case expired
        case log(LogLevel, String)
    }

    package enum Purpose: Equatable, Sendable {
        case start
        /// The old session cannot be used any more.
        case replacement
        case newSession
    }

    package enum State: Equatable, Sendable {
        case idle
        case calling(Purpose, RESTCall, id: Int)
        case pausing(Purpose, RESTCall, until: Instant)
        case debouncing(Purpose, until: Instant)
        case active
        case ended
        case expired
        case failed(PolyError)
    }

    package private(set) var state = State.idle
    package private(set) var record: StoredSession?
    package private(set) var shown = SessionState(.unknown)

    private let settings: ClientSettings
    private var generator: SeededGenerator
    private var lastRequest = 0
    private var failedReplacements = 0
    private var abnormalAt: Instant?
    private var writtenAt: Instant?
    private var writesAt: Instant?
    /// Whether a later start should resume the session.
    private var isWorthResuming = true

    package init(_ settings: ClientSettings, generator: SeededGenerator) {
        self.settings = settings
        self.generator = generator
    }

    // MARK: State

    /// Whether a token and a session are being requested, or will be after a pause.
    package var isMaking: Bool {
        switch state {
        case .calling, .pausing, .debouncing: true
        default: false
        }
    }

    package var nextDeadline: Instant? {
        [stateDeadline, idleDeadline, abnormalAt, writesAt].compactMap { $0 }.min()
    }

    private var stateDeadline: Instant? {
        switch state {
        case .pausing(_, _, let until), .debouncing(_, let until): until
        default: nil
        }
    }

    /// Expiry time of the session, plus one nanosecond, because the idle time has to exceed the timeout.
    private var idleDeadline: Instant? {
        guard case .active = state, let record else { return nil }
        return record.lastActivity + settings.sessionTimeout + Interval(nanoseconds: 1)
    }

    // MARK: Making a session

    package mutating func start(stored: StoredSession?, at now: Instant) -> [Output] {
        guard !isMaking else { return [] }
        if var stored, stored.isResumable(window: settings.sessionTimeout, at: now) {
            stored.lastActivity = min(stored.lastActivity, now)
            isWorthResuming = true
            record = stored
            state = .active
            shown = SessionState(.restored, of: stored.sessionID)
            var outputs: [Output] = [.state(shown)]
            outputs += show { $0.status = .active }
            return outputs + [.ready(stored, isFresh: false)]
        }
        let forget: [Output] = stored == nil ? [] : [.store(nil)]
        return forget + begin(.start, at: now)
    }

    /// Replaces the session after a short delay.
    package mutating func replace(at now: Instant) -> [Output] {
        guard !isMaking, state != .ended, state != .expired else { return [] }
        return debounce(.replacement, MessagingLimits.refetchDebounce, at: now)
    }

    package mutating func startNew(at now: Instant) -> [Output] {
        failedReplacements = 0
        return debounce(.newSession, MessagingLimits.refetchDebounce, at: now)
    }

    /// Ends a pause, and sends the next request now.
    package mutating func hurry(at now: Instant) -> [Output] {
        guard case .pausing(let purpose, let call, _) = state else { return [] }
        return request(call, purpose)
    }

    package mutating func answered(request id: Int, _ reply: RESTReply, at now: Instant) -> [Output] {
        guard case .calling(let purpose, let call, id) = state else { return [] }
        switch call.outcome(of: reply) {
        case .retry(let pause, let error):
            guard call.attempt < MessagingLimits.restAttempts else {
                return fail(error, code: nil, purpose, at: now)
            }
            state = .pausing(purpose, call, until: now + pause)
            return [.log(.warn, "\(call.endpoint.rawValue): \(error.log); trying again")]
        case .failure(let error, let code):
            let reason = RESTCall.reason(reply, hiding: [settings.connectorToken, call.token])
            return fail(error, code: code, reason: reason, purpose, at: now)
        case .token(let token, let lifetime):
            let next = RESTCall(
                endpoint: .sessions, token: token, issuedAt: now, expiresAt: now + lifetime,
                correlationID: correlationID())
            return request(next, purpose)
        case .session(let id): return created(id, call, at: now)
        }
    }

    private mutating func created(_ id: String, _ call: RESTCall, at now: Instant) -> [Output] {
        let new = StoredSession(
            sessionID: id, accessToken: call.token, tokenIssuedAt: call.issuedAt,
            tokenExpiresAt: call.expiresAt, lastActivity: now)
        failedReplacements = 0
        isWorthResuming = true
        record = new
        state = .active
        let outputs = show { $0 = SessionState(.active, of: id) }
        return outputs + write(at: now) + [.ready(new, isFresh: true)]
    }

    private mutating func begin(_ purpose: Purpose, at now: Instant) -> [Output] {
        let outputs = show { $0 = SessionState(.unknown, isLoading: true) }
        let call = RESTCall(endpoint: .accessToken, correlationID: correlationID())
        return outputs + request(call, purpose)
    }

    private mutating func debounce(_ purpose: Purpose, _ pause: Interval, at now: Instant) -> [Output] {
        let forget = self.forget()
        state = .debouncing(purpose, until: now + pause)
        return forget + show { $0 = SessionState(.unknown, isLoading: true) }
    }

    private mutating func request(_ call: RESTCall, _ purpose: Purpose) -> [Output] {
        var call = call
        call.attempt += 1
        lastRequest += 1
        state = .calling(purpose, call, id: lastRequest)
        return [.request(call.request(id: lastRequest, settings))]
    }

    private mutating func fail(
        _ error: PolyError, code: SessionErrorCode?, reason: String? = nil, _ purpose: Purpose,
        at now: Instant
    ) -> [Output] {
        let isKey = RESTCall.blamesKey(error)
        var outputs: [Output] = [
            .log(.error, "no session: \(error.log)" + (code.map { ", because: \($0.rawValue)" } ?? ""))
        ]
        if purpose == .replacement {
            failedReplacements += 1
            outputs.append(.refetchFailed)
            if !isKey, failedReplacements < MessagingLimits.maxRefetches {
                let pause = ConnectionCore.backoff(failedReplacements, &generator)
                return outputs + debounce(.replacement, pause, at: now)
            }
        }
        state = .failed(error)
        outputs += show {
            $0 = SessionState(.unknown)
            ($0.error, $0.hasInvalidApiKey, $0.serverMessage) = (code ?? .unknown, isKey, reason)
        }
        return outputs + [.failed(error, purpose)]
    }

    /// Returns a new upper-case correlation id, shared by a request and its retries (protocol.md#correlation-id).
    private mutating func correlationID() -> String { UniqueID.version4(from: &generator).text.uppercased() }

    // MARK: A session in use

    package mutating func socketOpened(at now: Instant) -> [Output] {
        abnormalAt = nil
        return show {
            $0.isReady = true
            $0.error = nil
        } + touch(at: now)
    }

    package mutating func socketClosed(code: Int, at now: Instant) -> [Output] {
        if code == CloseCode.abnormal.rawValue, case .active = state {
            abnormalAt = now + MessagingLimits.abnormalCloseGrace
        }
        return show { $0.isReady = false }
    }

    /// Handles a frame other than a heartbeat.
    package mutating func messageReceived() -> [Output] {
        abnormalAt = nil
        guard shown.error == .connectionClosedAbnormally else { return [] }
        return show { $0.error = nil }
    }

    package mutating func touch(at now: Instant) -> [Output] {
        guard case .active = state, record != nil else { return [] }
        record?.lastActivity = now
        guard isWorthResuming else { return [] }
        if let writtenAt, now - writtenAt < MessagingLimits.storeInterval {
            writesAt = writesAt ?? writtenAt + MessagingLimits.storeInterval
            return []
        }
        return write(at: now)
    }

    /// Sets whether a later start should resume the session.
    package mutating func setWorthResuming(_ isWorth: Bool) -> [Output] {
        guard isWorth != isWorthResuming else { return [] }
        isWorthResuming = isWorth
        writesAt = nil
        return isWorth ? [] : [.store(nil)]
    }

    package mutating func expireIfIdle(at now: Instant) -> [Output] {
        guard let idleDeadline, idleDeadline <= now else { return [] }
        let forget = self.forget()
        state = .expired
        return forget + show { $0 = SessionState(.expired) } + [.expired]
    }

    package mutating func end() -> [Output] {
        guard state != .ended, state != .expired else { return [] }
        let forget = self.forget()
        state = .ended
        return forget + show { $0 = SessionState(.ended) }
    }

    /// Writes a pending record, and stops the machine.
    package mutating func shutDown(at now: Instant) -> [Output] {
        let last: [Output] = writesAt == nil ? [] : write(at: now)
        let outputs = show {
            $0.isReady = false
            $0.isLoading = false
        }
        state = .idle
        abnormalAt = nil
        return last + outputs
    }

    package mutating func advance(to now: Instant) -> [Output] {
        var outputs: [Output] = []
        if let due = writesAt, due <= now { outputs += write(at: now) }
        if let due = abnormalAt, due <= now {
            abnormalAt = nil
            outputs += show { $0.error = .connectionClosedAbnormally }
        }
        switch state {
        case .pausing(let purpose, let call, let until) where until <= now: outputs += request(call, purpose)
        case .debouncing(let purpose, let until) where until <= now: outputs += begin(purpose, at: now)
        default: break
        }
        return outputs + expireIfIdle(at: now)
    }

    // MARK: Steps

    private mutating func write(at now: Instant) -> [Output] {
        writesAt = nil
        guard isWorthResuming, let record else { return [] }
        writtenAt = now
        return [.store(record)]
    }

    private mutating func forget() -> [Output] {
        let hadRecord = record != nil
        record = nil
        writesAt = nil
        writtenAt = nil
        abnormalAt = nil
        return hadRecord ? [.store(nil)] : []
    }

    private mutating func show(_ change: (inout SessionState) -> Void) -> [Output] {
        let before = shown
        change(&shown)
        return shown == before ? [] : [.state(shown)]
    }
}

extension SessionState {
    init(_ status: SessionStatus, of id: String? = nil, isLoading: Bool = false) {
        self.init(sessionId: id, status: status, isReady: false, isLoading: isLoading, error: nil)
    }
}
