package import Clocks

/// State machine of the connection (protocol.md#reconnect-backoff, protocol.md#reconnect-budget).
///
/// | state | input | next state | outputs |
/// | --- | --- | --- | --- |
/// | idle, waiting, refused, closed, failed | connect | connecting | connecting, dial |
/// | connecting, open | connect | replacing | closed 4000, close 1001 |
/// | closing | connect | replacing | closed |
/// | replacing | 150 ms | connecting | connecting, dial |
/// | connecting | opened | open | open |
/// | open, connecting | close 1000 or 4000 | closed | closed, lost |
/// | open, connecting | close 4001 | refused; the fourth time in a row failed | closed, sessionRefused |
/// | open | another close code, network lost, no answer, age 2 h | waiting 1, 2 … 30 s ± 20 % | closed, reconnecting |
/// | open | 5 s with SESSION_START, or 30 s without it | open, and good: losses count from 1 again | – |
/// | open, connecting | network fault, timeout, 4003 | waiting 10 s | closed, reconnecting |
/// | connecting | HTTP 429 or 5xx | waiting, for `Retry-After` if that is longer | closed, reconnecting |
/// | connecting | HTTP 401, 403 | refused; the second time failed | closed, sessionRefused |
/// | connecting | no WebSocket: HTTP status below 400, invalid handshake | failed; waiting if ever open | closed |
/// | connecting | another close or refusal | refused; the fourth time failed | closed, sessionRefused |
/// | waiting | its deadline | connecting | connecting, dial |
/// | waiting, failed, closed by the server | network restored, foreground | connecting | connecting, dial |
/// | connecting, open | a loss beyond the limit, unless the network is lost | failed | closed, failed |
/// | connecting, open | disconnect | closing | closing, close |
/// | idle, waiting, replacing, refused, failed | disconnect | closed | closed |
/// | connecting, open | hang up, not with 1000 | as if the peer had sent this code; 4001 is not counted | close, … |
/// | waiting | hang up with 4001 | refused | sessionRefused |
/// | closing | the peer's close, 1 s | closed | closed |
/// | any | the user wants a new session | refused | closed 4000, close 1001 |
package struct ConnectionCore: Sendable {
    package enum State: Equatable, Sendable {
        case idle
        case connecting(attempt: Int, until: Instant)
        case open(attempt: Int, since: Instant)
        /// `number` counts consecutive losses from 1.
        case waiting(number: Int, until: Instant)
        case replacing(until: Instant)
        /// Without a usable session.
        case refused
        case closing(attempt: Int, ConnectionCloseEvent, until: Instant)
        /// `isLocal`: only a call of the app opens another connection.
        case closed(isLocal: Bool)
        case failed(PolyError)
    }

    package enum Output: Equatable, Sendable {
        case dial(attempt: Int)
        case close(attempt: Int, code: Int, reason: String)
        case status(ConnectionStatus)
        /// The end of a connection attempt.
        case closed(ConnectionCloseEvent)
        /// Closed with code 1000 or 4000, so no reconnect is scheduled.
        case lost(ConnectionCloseEvent)
        /// The session cannot be used any more.
        case sessionRefused
    }

    package private(set) var state = State.idle
    /// Maximum reconnects since the last good connection. 0 means unlimited.
    package private(set) var limit: Int
    private let configuredLimit: Int
    private var lossCount = 0
    private var refusalCount = 0
    /// Whether `refusalCount` includes the refusal that caused the current replacement of the session.
    private var isRefusalCounted = false
    /// Whether only a call of the app can open another connection.
    package private(set) var isClosedByApp = false
    private var goodAt: Instant?
    private var isProved = false
    /// Whether a connection has ever opened.
    private var hasOpened = false
    private var lastAttempt = 0
    private var isNetworkLost = false
    private var generator: SeededGenerator

    package init(limit: Int = MessagingLimits.reconnectAttempts, generator: SeededGenerator) {
        self.limit = limit
        configuredLimit = limit
        self.generator = generator
    }

    // MARK: State

    /// The attempt with an open socket. Not inlined: the optimiser of Swift 6.3.1 would crash (CopyPropagation).
    @inline(never)
    package var openAttempt: Int? {
        if case .open(let attempt, _) = state { attempt } else { nil }
    }

    package var openSince: Instant? {
        if case .open(_, let since) = state { since } else { nil }
    }

    package var currentAttempt: Int? {
        switch state {
        case .connecting(let attempt, _), .open(let attempt, _), .closing(let attempt, _, _): attempt
        default: nil
        }
    }

    /// Whether the client is connecting or about to connect.
    package var isRecovering: Bool {
        switch state {
        case .connecting, .waiting, .replacing, .refused: true
        default: false
        }
    }

    package var nextDeadline: Instant? {
        switch state {
        case .connecting(_, let until), .waiting(_, let until), .replacing(let until),
            .closing(_, _, let until):
            until
        case .open(_, let since): since + MessagingLimits.maxConnectionAge + Interval(nanoseconds: 1)
        case .idle, .refused, .closed, .failed: nil
        }
    }

    // MARK: Requests

    /// Opens a connection, and replaces an active one.
    package mutating func connect(at now: Instant) -> [Output] {
        if state != .refused { lossCount = 0 }
        isClosedByApp = false
        switch state {
        case .connecting(let attempt, _), .open(let attempt, _):
            state = .replacing(until: now + MessagingLimits.replacementPause)
            return Self.replaced(attempt)
        case .closing(_, let event, _):
            state = .replacing(until: now + MessagingLimits.replacementPause)
            return [.closed(event)]
        case .replacing:
            return []
        case .idle, .waiting, .refused, .closed, .failed:
            return dial(at: now)
        }
    }

    /// Reconnects now if the state allows it. `isExplicit`: the app asked for the connection.
    package mutating func reconnect(isExplicit: Bool = false, at now: Instant) -> [Output] {
        switch state {
        case .waiting, .failed: break
        case .closed(let isLocal) where isExplicit || !isLocal: break
        case .idle where isExplicit: break
        default: return []
        }
        lossCount = 0
        if isExplicit {
            refusalCount = 0
            isClosedByApp = false
        }
        return dial(at: now)
    }

    /// Records that the app wants a connection again.
    package mutating func openAgain() {
        isClosedByApp = false
    }

    /// Closes the connection, without a reconnect.
    package mutating func disconnect(code: Int, reason: String, at now: Instant) -> [Output] {
        let code = ConnectionCloseEvent.sendable(code)
        let event = ConnectionCloseEvent(code: code, reason: reason, wasClean: true)
        isClosedByApp = true
        switch state {
        case .connecting(let attempt, _), .open(let attempt, _):
            state = .closing(attempt: attempt, event, until: now + MessagingLimits.closeTimeout)
            return [.status(.closing), .close(attempt: attempt, code: code, reason: reason)]
        case .waiting, .replacing, .refused, .failed, .idle:
            state = .closed(isLocal: true)
            return [.status(.closed(event))]
        case .closed:
            state = .closed(isLocal: true)
            return []
        case .closing:
            return []
        }
    }

    /// Closes the socket at the app's request.
    package mutating func hangUp(code: Int, reason: String, at now: Instant) -> [Output] {
        let code = ConnectionCloseEvent.sendable(code)
        if code == CloseCode.normal.rawValue { return disconnect(code: code, reason: reason, at: now) }
        switch state {
        case .connecting(let attempt, _), .open(let attempt, _):
            let isAbnormal = code == CloseCode.abnormal.rawValue
            let event = ConnectionCloseEvent(code: code, reason: reason, wasClean: !isAbnormal)
            let close = Output.close(attempt: attempt, code: code, reason: reason)
            guard code == CloseCode.sessionUnknown.rawValue else {
                return [close] + ended(event, wasOpen: true, at: now)
            }
            forgetIfGood(at: now)
            return [close, .closed(event)] + giveSessionUp()
        case .waiting where code == CloseCode.sessionUnknown.rawValue:
            return giveSessionUp()
        case .idle, .waiting, .replacing, .refused, .closing, .closed, .failed:
            return []
        }
    }

    private mutating func giveSessionUp() -> [Output] {
        isRefusalCounted = false
        state = .refused
        return [.sessionRefused]
    }

    package mutating func shutDown() -> [Output] {
        let event = ConnectionCloseEvent(code: CloseCode.normal.rawValue, reason: "", wasClean: true)
        defer { state = .closed(isLocal: true) }
        switch state {
        case .connecting(let attempt, _), .open(let attempt, _):
            return [
                .close(attempt: attempt, code: event.code, reason: event.reason), .closed(event),
                .status(.closed(event)),
            ]
        case .closing(_, let event, _): return [.closed(event), .status(.closed(event))]
        case .closed: return []
        case .idle, .waiting, .replacing, .refused, .failed: return [.status(.closed(event))]
        }
    }

    package mutating func fail(_ error: PolyError) -> [Output] {
        var outputs: [Output] = []
        if case .connecting(let attempt, _) = state { outputs = cut(attempt, "Given up") }
        if case .open(let attempt, _) = state { outputs = cut(attempt, "Given up") }
        state = .failed(error)
        return outputs + [.status(.failed(reason: error))]
    }

    /// Closes the socket for a new session, and resets all counts.
    package mutating func setAside() -> [Output] {
        lossCount = 0
        refusalCount = 0
        isRefusalCounted = false
        isClosedByApp = false
        defer { state = .refused }
        switch state {
        case .connecting(let attempt, _), .open(let attempt, _):
            return Self.replaced(attempt)
        case .closing(_, let event, _): return [.closed(event)]
        case .idle, .waiting, .replacing, .refused, .closed, .failed: return []
        }
    }

    package mutating func cancelDial() {
        isRefusalCounted = false
        state = .refused
    }

    /// Cuts an open connection, which counts as a loss.
    package mutating func recycle(_ reason: String, at now: Instant) -> [Output] {
        guard let attempt = openAttempt else { return [] }
        return cut(attempt, reason) + lose(pause: nil, at: now)
    }

    // MARK: Signals

    package mutating func networkLost(at now: Instant) -> [Output] {
        isNetworkLost = true
        return recycle("Network lost", at: now)
    }

    /// Records that the network is back, without a reconnect.
    package mutating func networkRestored() {
        isNetworkLost = false
        lossCount = 0
    }

    /// Applies the reconnect limit of SESSION_START. 0 means unlimited; nil or a negative number, the configured limit.
    package mutating func apply(capability count: Int?) {
        limit = Self.limit(count, fallback: configuredLimit)
    }

    /// Handles a frame. With `isStarted`, the session has had its SESSION_START, so the connection is good 5 s later.
    package mutating func sessionProved(isStarted: Bool, at now: Instant) {
        guard isStarted, !isProved else { return }
        isProved = true
        goodAt = min(goodAt ?? .distantFuture, now + MessagingLimits.goodConnection)
    }

    /// Resets counts after a good connection.
    private mutating func forgetIfGood(at now: Instant) {
        if let goodAt, goodAt <= now {
            lossCount = 0
            if isProved { refusalCount = 0 }
        }
        goodAt = nil
    }

    /// Stops counting the refusal that caused a replacement of the session, because the replacement failed.
    package mutating func rollBackRefusal() {
        guard isRefusalCounted else { return }
        isRefusalCounted = false
        refusalCount = max(0, refusalCount - 1)
    }

    // MARK: Reports of the socket

    /// Handles an opened connection. `isStarted`: the session has had its SESSION_START.
    package mutating func opened(attempt: Int, isStarted: Bool, at now: Instant) -> [Output] {
        guard case .connecting(attempt, _) = state else { return [] }
        isProved = isStarted
        goodAt = now + (isStarted ? MessagingLimits.goodConnection : MessagingLimits.goodSilence)
        hasOpened = true
        state = .open(attempt: attempt, since: now)
        return [.status(.open)]
    }

    package mutating func closed(attempt: Int, _ event: ConnectionCloseEvent, at now: Instant) -> [Output] {
        switch state {
        case .closing(attempt, let asked, _):
            return finishClosing(ConnectionCloseEvent(code: asked.code, reason: asked.reason, wasClean: true))
        case .open(attempt, _): return ended(event, wasOpen: true, at: now)
        case .connecting(attempt, _): return ended(event, wasOpen: false, at: now)
        default: return []
        }
    }

    package mutating func closedForGood(attempt: Int, _ event: ConnectionCloseEvent) -> [Output] {
        guard attempt == currentAttempt else { return [] }
        if case .closing(_, let asked, _) = state { return finishClosing(asked) }
        return finishClosing(event)
    }

    package mutating func failed(attempt: Int, _ fault: TransportFault, at now: Instant) -> [Output] {
        guard attempt == currentAttempt else { return [] }
        if case .closing(_, let event, _) = state { return finishClosing(event) }
        switch fault {
        case .network(let text):
            let event = ConnectionCloseEvent(code: Self.networkCode, reason: text, wasClean: false)
            return lose(event, pause: MessagingLimits.networkPause, at: now)
        case .refused(let status, let retryAfter):
            return refused(status, retryAfter, at: now)
        case .protocolViolation(let text):
            let event = ConnectionCloseEvent(code: 1006, reason: text, wasClean: false)
            guard openAttempt == nil else { return lose(event, pause: nil, at: now) }
            return noWebSocket(event, .transport(.protocolError(reason: text)), at: now)
        }
    }

    private mutating func refused(_ status: Int, _ retryAfter: String?, at now: Instant) -> [Output] {
        let event = ConnectionCloseEvent(code: 1006, reason: "HTTP \(status)", wasClean: false)
        switch status {
        case 429, 500...:
            let asked = status == 429 || retryAfter != nil ? RetryAfter.pause(retryAfter) : nil
            return lose(event, pause: nil, atLeast: asked, at: now)
        case 401, 403:
            let words = "The server refused the WebSocket with HTTP \(status), also with a new token."
            return refuse(
                event, atMost: MessagingLimits.maxTokenRefusals,
                .session(.unexpectedDisconnect(code: event.code, reason: words)), at: now)
        case 400..<500: return refuse(event, at: now)
        default:
            let words =
                "The WebSocket address answered with HTTP \(status), not with 101. "
                + "Is it the address of the Messaging API?"
            return noWebSocket(event, .transport(.protocolError(reason: words)), at: now)
        }
    }

    /// Handles a response which shows that the address is not that of a WebSocket server.
    private mutating func noWebSocket(
        _ event: ConnectionCloseEvent, _ error: PolyError, at now: Instant
    ) -> [Output] {
        if hasOpened { return lose(event, pause: nil, exhausted: error, at: now) }
        state = .failed(error)
        return [.closed(event), .status(.failed(reason: error))]
    }

    package mutating func violated(attempt: Int, code: Int, reason: String, at now: Instant) -> [Output] {
        guard attempt == openAttempt else { return [] }
        return [.close(attempt: attempt, code: code, reason: reason)]
            + lose(ConnectionCloseEvent(code: code, reason: reason, wasClean: false), pause: nil, at: now)
    }

    package mutating func advance(to now: Instant) -> [Output] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        switch state {
        case .connecting(let attempt, _):
            let event = ConnectionCloseEvent(
                code: Self.networkCode, reason: "The connection took too long", wasClean: false)
            return [.close(attempt: attempt, code: 1006, reason: "")]
                + lose(event, pause: MessagingLimits.networkPause, at: now)
        case .waiting, .replacing: return dial(at: now)
        case .open: return recycle("Older than two hours", at: now)
        case .closing(let attempt, let event, _):
            return [.close(attempt: attempt, code: 1006, reason: "")] + finishClosing(event)
        case .idle, .refused, .closed, .failed: return []
        }
    }

    // MARK: Steps

    private static func replaced(_ attempt: Int) -> [Output] {
        let event = ConnectionCloseEvent(
            code: CloseCode.clientReplaced.rawValue, reason: "Replaced by a new connection", wasClean: true)
        return [.closed(event), .close(attempt: attempt, code: 1001, reason: "Replaced")]
    }

    /// Close code with which the SDK reports a network fault.
    static let networkCode = 4003
    private static let exhausted = PolyError.session(.maxReconnectAttemptsExceeded)

    private mutating func dial(at now: Instant) -> [Output] {
        lastAttempt += 1
        state = .connecting(attempt: lastAttempt, until: now + MessagingLimits.connectTimeout)
        return [.status(.connecting), .dial(attempt: lastAttempt)]
    }

    private mutating func ended(_ event: ConnectionCloseEvent, wasOpen: Bool, at now: Instant) -> [Output] {
        switch event.code {
        case CloseCode.normal.rawValue, CloseCode.clientReplaced.rawValue:
            state = .closed(isLocal: false)
            return [.closed(event), .status(.closed(event)), .lost(event)]
        case Self.networkCode: return lose(event, pause: MessagingLimits.networkPause, at: now)
        case CloseCode.sessionUnknown.rawValue: return refuse(event, at: now)
        default: return wasOpen ? lose(event, pause: nil, at: now) : refuse(event, at: now)
        }
    }

    private mutating func refuse(
        _ event: ConnectionCloseEvent, atMost count: Int = MessagingLimits.maxRefusals,
        _ error: PolyError = .session(.sessionExpired), at now: Instant
    ) -> [Output] {
        forgetIfGood(at: now)
        refusalCount += 1
        isRefusalCounted = true
        guard refusalCount <= count else {
            refusalCount = 0
            state = .failed(error)
            return [.closed(event), .status(.failed(reason: error))]
        }
        state = .refused
        return [.closed(event), .sessionRefused]
    }

    private func cut(_ attempt: Int, _ reason: String) -> [Output] {
        [
            .close(attempt: attempt, code: CloseCode.abnormal.rawValue, reason: reason),
            .closed(
                ConnectionCloseEvent(code: CloseCode.abnormal.rawValue, reason: reason, wasClean: false)),
        ]
    }

    private mutating func lose(
        _ event: ConnectionCloseEvent, pause: Interval?, atLeast: Interval? = nil,
        exhausted: PolyError = Self.exhausted, at now: Instant
    ) -> [Output] {
        let outputs = lose(pause: pause, atLeast: atLeast, exhausted: exhausted, at: now)
        guard case .failed = state else { return [.closed(event)] + outputs }
        let last = ConnectionCloseEvent(
            code: event.code, reason: "Max reconnect attempts exceeded", wasClean: false)
        return [.closed(last)] + outputs
    }

    /// Handles a loss. A nil `pause` means exponential backoff.
    private mutating func lose(
        pause: Interval?, atLeast: Interval? = nil, exhausted: PolyError = Self.exhausted, at now: Instant
    ) -> [Output] {
        forgetIfGood(at: now)
        lossCount += 1
        guard limit == 0 || lossCount <= limit || isNetworkLost else {
            state = .failed(exhausted)
            return [.status(.failed(reason: exhausted))]
        }
        let delay = pause ?? Self.backoff(lossCount, &generator)
        state = .waiting(number: lossCount, until: now + max(delay, atLeast ?? .zero))
        return [.status(.reconnecting(attempt: lossCount))]
    }

    private mutating func finishClosing(_ event: ConnectionCloseEvent) -> [Output] {
        state = .closed(isLocal: true)
        return [.closed(event), .status(.closed(event))]
    }
}
