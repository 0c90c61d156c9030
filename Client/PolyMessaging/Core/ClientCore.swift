package import Clocks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The whole client without a socket, a timer or a store: inputs in, one ordered list of outputs out.
///
/// Of the machines it is made of, this one knows only where the conversation stands:
///
/// | phase | input | next phase |
/// | --- | --- | --- |
/// | idle | start | running with a resumed session, or making |
/// | making | session made | running |
/// | making | no session to be had | broken |
/// | broken | resume, new session, network restored, foreground | making |
/// | running | session refused or its token about to end | making |
/// | running | no chat message for too long | expired |
/// | running | SESSION_END, clean close, the agent's end flag, `end()` | ended |
/// | making, broken | `end()` | ended |
/// | running, ended, expired | `startNewSession()` | making |
/// | any | shutdown | shut down |
package struct ClientCore: StateMachine, Sendable {
    enum Phase: Equatable, Sendable {
        case idle
        case making
        case running
        case broken(PolyError)
        /// `byUser`: nothing more is shown of this session, but its echoes still count.
        case ended(reason: String?, byUser: Bool)
        case expired
        case shutDown
    }

    /// A call of the app that waits for something.
    struct Waiter: Equatable, Sendable {
        enum Goal: Equatable, Sendable {
            /// A session.
            case session
            /// An open connection.
            case open
            /// The connection is being closed.
            case close
        }

        var call: CallID
        var goal: Goal
    }

    let settings: ClientSettings
    var phase = Phase.idle
    var session: SessionCore
    var connection: ConnectionCore
    var heartbeat: HeartbeatCore
    var delivery: DeliveryCore
    var receive = ReceiveCore()
    var stream = StreamCore()
    var outgoingTyping = OutgoingTyping()
    var recovery = RecoveryCore()
    var mapping: WireMapping
    var generator: SeededGenerator

    /// The session last announced to the app.
    var sessionID: String?
    /// The session was made by us just now: nobody else can have asked the agent to join.
    var isFresh = true
    /// No connection was made with the token that came with the session.
    var isTokenUnused = false
    /// SESSION_START was seen on an earlier connection of this session.
    var hasStarted = false
    /// No frame came yet on the present connection.
    var awaitsFirstFrame = false
    var lastStatus = ConnectionStatus.idle
    var lastClose: ConnectionCloseEvent?
    /// The instant at which the connection of an ended session is closed.
    var closesAt: Instant?
    /// Deadline after which a silent peer counts as gone: SESSION_START after the opening, anything after a
    /// join.
    var silentUntil: Instant?
    /// Backpressure: listeners have not taken all reported events, so the socket may not be read, and echoes
    /// wait unread in the socket.
    package var isBehind = false
    /// The instant of the next network poll.
    var pollsAt: Instant?
    /// An address the escape hatch asked for.
    var address: URL?
    var waiters: [Waiter] = []
    var outputs: [Output] = []

    package init(_ settings: ClientSettings, seed: UInt64) {
        self.settings = settings
        let generator = SeededGenerator(seed: seed)
        session = SessionCore(settings, generator: generator.stream("session"))
        connection = ConnectionCore(limit: settings.reconnectAttempts, generator: generator.stream("backoff"))
        heartbeat = HeartbeatCore(interval: settings.heartbeatInterval)
        delivery = DeliveryCore(resendsOnOpenConnection: settings.resendsOnOpenConnection)
        mapping = WireMapping(generator: generator.stream("parts"))
        self.generator = generator.stream("ids")
    }

    /// The value of `sessionState`.
    package var sessionState: SessionState { session.shown }

    /// Opening time of the present connection; nil while there is none.
    package var openSince: Instant? { connection.openSince }

    /// Between two heartbeats; nil: none.
    package var heartbeatInterval: Interval? { heartbeat.interval }

    /// The number of the last event the app has, what a reconnect asks the server to continue from.
    package var cursor: UInt64 { receive.cursor }

    /// Messages after a hole wait for a replay.
    package var waitsForReplay: Bool { receive.waitsForReplay }

    // MARK: Time

    private enum Machine: CaseIterable {
        case session, connection, receive, recovery, delivery, typing, heartbeat, silence, closing, poll
    }

    private func deadline(of machine: Machine) -> Instant? {
        switch machine {
        case .session: session.nextDeadline
        case .connection: connection.nextDeadline
        case .receive: receive.nextDeadline
        case .recovery: recovery.nextDeadline
        case .delivery: delivery.nextDeadline
        case .typing: outgoingTyping.nextDeadline
        case .heartbeat: heartbeat.nextDeadline
        case .silence: silentUntil
        case .closing: closesAt
        case .poll: pollsAt
        }
    }

    private var next: (deadline: Instant, machine: Machine)? {
        guard phase != .shutDown else { return nil }
        var next: (deadline: Instant, machine: Machine)?
        for machine in Machine.allCases {
            guard let deadline = deadline(of: machine) else { continue }
            if let present = next, present.deadline <= deadline { continue }
            next = (deadline, machine)
        }
        return next
    }

    /// The earliest instant for ``advance(to:)``; nil when nothing is pending.
    package var nextDeadline: Instant? { next?.deadline }

    /// Does what is due at or before `now`, in the order of the deadlines, ``Limits/runsOfTurn`` things at most. What
    /// is left stays due: ``nextDeadline`` is not after `now` then, and the next call goes on.
    package mutating func advance(to now: Instant) -> [Output] {
        var left = Limits.runsOfTurn
        while left > 0, let next, next.deadline <= now {
            left -= 1
            run(next.machine, at: now)
        }
        return takeOutputs()
    }

    private mutating func run(_ machine: Machine, at now: Instant) {
        switch machine {
        case .session: apply(session.advance(to: now), at: now)
        case .connection: apply(connection.advance(to: now), at: now)
        case .receive:
            switch receive.advance(to: now) {
            case .askForReplay: apply(connection.recycle("An event is missing", at: now), at: now)
            case .deliver(let deliveries): process(deliveries, at: now)
            case nil: break
            }
        case .recovery: if recovery.advance(to: now) { sendJoin(at: now) }
        case .delivery: apply(delivery.advance(to: now))
        case .typing: if outgoingTyping.advance(to: now) { transmit(.userTyping(.stopped)) }
        case .heartbeat:
            switch heartbeat.advance(to: now, isBehind: isBehind) {
            case .send: transmit(.heartbeat)
            case .unanswered: apply(connection.recycle("No answer to heartbeats", at: now), at: now)
            case nil: break
            }
        case .silence:
            silentUntil = nil
            apply(connection.recycle("The server says nothing", at: now), at: now)
        case .closing: closeEnded(at: now)
        case .poll:
            pollsAt = now + Limits.offlinePoll
            outputs.append(.checkNetwork)
        }
    }

    // MARK: Inputs

    /// Takes one input. What falls due by `now` has to be taken first, with ``advance(to:)``.
    package mutating func handle(_ input: Input, at now: Instant) -> [Output] {
        if phase == .shutDown {
            refuse(input)
        } else {
            take(input, at: now)
        }
        return takeOutputs()
    }

    private mutating func take(_ input: Input, at now: Instant) {
        switch input {
        case .start(let stored): start(stored, at: now)
        case .shutdown: shutDown(at: now)
        case .restEnded(let request, let reply):
            apply(session.answered(request: request, reply, at: now), at: now)
        case .socketOpened(let attempt):
            apply(connection.opened(attempt: attempt, isStarted: hasStarted, at: now), at: now)
        case .socketText(let attempt, let frame): receive(frame, attempt: attempt, at: now)
        case .socketBinary(let attempt): receiveBinary(attempt: attempt, at: now)
        case .socketClosed(let attempt, let event): socketClosed(attempt, event, at: now)
        case .socketFailed(let attempt, let fault): socketFailed(attempt, fault, at: now)
        case .send(let text, let metadata, let call): send(text, metadata, call, at: now)
        case .retry(let draftID, let call): retry(draftID, call, at: now)
        case .typing(let call): type(call, at: now)
        case .end(let reason, let call): end(reason, call, at: now)
        case .resume(let call): resume(call, at: now)
        case .startNewSession(let call): startNewSession(call, at: now)
        case .removeDraft(let id): removeDraft(id)
        case .networkLost: networkLost(at: now)
        case .networkRestored: networkRestored(at: now)
        case .foregrounded: foregrounded(at: now)
        case .rawEvent(let event, let call):
            sendRaw(WireMapping.frame(event, greeting: settings.greeting), call)
        case .rawFrame(let frame, let call): sendRaw(frame, call)
        case .rawConnect(let url): connectRaw(url, at: now)
        case .rawDisconnect(let code, let reason):
            disconnectRaw(code: code, reason: reason, at: now)
        }
    }

    private mutating func takeOutputs() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    // MARK: Words for the other files

    mutating func tell(_ event: MessagingEvent) {
        outputs.append(.tell(.event(event)))
    }

    mutating func log(_ level: LogLevel, _ text: String) {
        outputs.append(.log(level, text))
    }

    /// Sends the frame if there is an open connection.
    @discardableResult
    mutating func transmit(_ frame: [UInt8]) -> Bool {
        guard let attempt = connection.openAttempt else { return false }
        outputs.append(.transmit(attempt: attempt, frame))
        return true
    }

    @discardableResult
    mutating func transmit(_ event: OutgoingEvent) -> Bool {
        transmit(WireMapping.frame(event, greeting: settings.greeting))
    }

    /// Its answer is waited for a few times at most: a server that answers no join is not left for ever.
    mutating func sendJoin(at now: Instant) {
        guard transmit(.requestPolyAgentJoin), recovery.expectsAnswer() else { return }
        silentUntil = now + Limits.answerWait
    }

    mutating func finish(_ call: CallID, _ error: PolyError? = nil) {
        outputs.append(.finished(call, error))
    }

    /// Answers those who wait for one of these goals.
    mutating func finish(_ goals: [Waiter.Goal], _ error: PolyError? = nil) {
        let due = waiters.filter { goals.contains($0.goal) }
        waiters.removeAll { goals.contains($0.goal) }
        for waiter in due { finish(waiter.call, error) }
    }

    /// An envelope for what the server did not say.
    mutating func localEnvelope(at now: Instant) -> Envelope {
        Envelope(
            id: UUID(from: &generator).uuidString, sequence: nil,
            timestamp: Date(nanosecondsSince1970: now.nanoseconds))
    }
}
