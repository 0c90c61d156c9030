package import Clocks
import MessagingWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// State machine of the client, for the phase of the conversation.
///
/// | phase | input | next phase |
/// | --- | --- | --- |
/// | idle | start with a resumable record | running |
/// | idle | start without a resumable record | making |
/// | making | session created | running |
/// | making | session could not be created | broken |
/// | broken | resume; often also network restored, foreground | making |
/// | running | session refused, or its token expired | making |
/// | running | no activity for too long | expired |
/// | running | SESSION_END, close code 1000, the agent's end flag, `end()` | ended |
/// | idle, making, broken | `end()` | ended |
/// | any except shut down | `startNewSession()` | making |
/// | any | shutdown | shut down |
package struct ClientCore: StateMachine, Sendable {
    enum Phase: Equatable, Sendable {
        case idle
        case making
        case running
        case broken(PolyError)
        /// `byUser`: the user ended the session.
        case ended(reason: String?, byUser: Bool)
        case expired
        case shutDown
    }

    /// Call of the app that waits for the session, or for an open or closed connection.
    struct Waiter: Equatable, Sendable {
        enum Goal: Equatable, Sendable {
            case session
            case open
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

    var sessionID: String?
    /// Whether this client created the session.
    var isFresh = true
    /// Whether the session is new, and its token still unused.
    var isTokenUnused = false
    var hasStarted = false
    var awaitsFirstFrame = false
    var lastStatus = ConnectionStatus.idle
    var lastClose: ConnectionCloseEvent?
    var closesAt: Instant?
    /// Deadline for a usable frame after an opening or a join request.
    var silentUntil: Instant?
    /// Whether a listener has untaken updates (backpressure).
    package var isBehind = false
    var pollsAt: Instant?
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

    package var sessionState: SessionState { session.shown }

    package var openSince: Instant? { connection.openSince }

    /// Nil if heartbeats are off.
    package var heartbeatInterval: Interval? { heartbeat.interval }

    /// Sequence after which the next replay starts.
    package var cursor: UInt64 { receive.cursor }

    package var waitsForReplay: Bool { receive.waitsForReplay }

    // MARK: Inputs

    package mutating func handle(_ input: Input, at now: Instant) -> [Output] {
        if phase == .shutDown {
            refuse(input)
        } else {
            apply(input, at: now)
        }
        return takeOutputs()
    }

    private mutating func apply(_ input: Input, at now: Instant) {
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

    mutating func takeOutputs() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    // MARK: Outputs

    mutating func notify(_ event: MessagingEvent) {
        outputs.append(.notify(.event(event)))
    }

    mutating func log(_ level: LogLevel, _ text: String) {
        outputs.append(.log(level, text))
    }

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

    mutating func finish(_ call: CallID, _ error: PolyError? = nil) {
        outputs.append(.finished(call, error))
    }

    mutating func finish(_ goals: [Waiter.Goal], _ error: PolyError? = nil) {
        let due = waiters.filter { goals.contains($0.goal) }
        waiters.removeAll { goals.contains($0.goal) }
        for waiter in due { finish(waiter.call, error) }
    }

    // MARK: Sending

    /// Sends a text as a new draft, in place of the failed draft `old` if given.
    mutating func send(
        _ text: String, _ metadata: [String: String], replacing old: String? = nil, _ call: CallID,
        at now: Instant
    ) {
        let text = text.trimmed
        if text.isEmpty, metadata["files"] == nil { return finish(call) }
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
        if let replyTo = metadata["reply_to"] {
            outputs.append(.notify(.reply(draftID: id, text: text, replyTo: replyTo)))
        } else {
            notify(.messagePending(draftId: id, text: text))
        }
        var isConnectionFailed = false
        if case .failed = connection.state, phase == .running { isConnectionFailed = true }
        guard delivery.hasRoom, !isConnectionFailed else {
            delivery.addFailed(draft)
            notify(.messageFailed(draftId: id))
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

    /// Sends a failed draft again, as a new draft.
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
            case .failed(let draftID): notify(.messageFailed(draftId: draftID))
            }
        }
    }

    var sendingError: PolyError? {
        switch phase {
        case .idle, .making, .running: nil
        case .broken(let error): error
        case .ended(let reason, _): .session(.sessionEnded(reason: reason))
        case .expired: .session(.sessionExpired)
        case .shutDown: Self.shutDownError
        }
    }

    // MARK: Receiving

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
                confirmReceipts(of: frame, at: now)
            }
        case .dropped(let drop, let place):
            log(.warn, "an unusable frame of \(frame.count) bytes")
            if case .incomplete = drop { confirmReceipts(of: frame, at: now) }
            guard let place else { return }
            arrivals = Self.merged([], with: [place])
        }
        notifyRaw(arrivals.compactMap(\.event), isBatch: isBatch)
        // Before SESSION_START, a frame with only unusable events does not count as an answer.
        guard hasStarted || !arrivals.allSatisfy(\.isPlace) || arrivals.isEmpty else { return }
        silentUntil = nil
        guard acceptsFrames else { return }
        heartbeat.frameArrived(isEcho: arrivals.contains(where: \.isHeartbeat))
        if arrivals.contains(where: { !$0.isHeartbeat }) { apply(session.messageReceived(), at: now) }
        beginReplay(isBatch: isBatch, at: now)
        if arrivals.contains(where: \.showsJoin) { recovery.joinSeen() }
        for arrival in arrivals { noteEcho(arrival) }
        let heldCount = receive.heldCount
        process(receive.receive(arrivals, isBatch: isBatch, at: now), at: now)
        // A held reply also proves that the agent joined.
        if receive.heldCount > heldCount, arrivals.contains(where: \.isReply) { recovery.agentSpoke() }
        connection.sessionProved(isStarted: hasStarted, at: now)
        guard phase == .running else { return }
        let frame = delivery.frameArrived(
            isBatch: isBatch, isUndecided: recovery.isUndecided, hasHole: receive.hasHole, at: now)
        apply(frame)
    }

    private mutating func arrival(_ wire: WireEvent, at now: Instant) -> ReceiveCore.Arrival {
        ReceiveCore.Arrival(id: wire.id, sequence: wire.sequence, event: mapping.event(wire, at: now))
    }

    /// Inserts a placeholder for each unusable event, so that no gap remains (protocol.md#needed-fields).
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

    private mutating func notifyRaw(_ events: [MessagingEvent], isBatch: Bool) {
        if isBatch { return outputs.append(.raw(.batch(events))) }
        for event in events { outputs.append(.raw(.message(event))) }
    }

    /// Whether received frames are processed.
    private var acceptsFrames: Bool {
        switch phase {
        case .running: true
        case .ended: closesAt != nil
        case .idle, .making, .broken, .expired, .shutDown: false
        }
    }

    /// Records the echo of a draft, so that no more copies are sent.
    private mutating func noteEcho(_ arrival: ReceiveCore.Arrival) {
        guard case .userMessage(let envelope, _)? = arrival.event else { return }
        if let localID = envelope.metadata?.custom?["local_id"] { delivery.noteEcho(localID: localID) }
    }

    /// Confirms drafts whose echoes lack required fields.
    private mutating func confirmReceipts(of frame: [UInt8], at now: Instant) {
        guard acceptsFrames else { return }
        for receipt in WireEventReader.receipts(amongDropped: frame) {
            guard let draftID = delivery.confirm(localID: receipt.localID, text: "") else { continue }
            apply(session.touch(at: now), at: now)
            notify(.messageConfirmed(draftId: draftID, messageId: receipt.messageID))
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
            notify(event)
            if recovery.sessionStarted(isFresh: isFresh, at: now) { sendJoin(at: now) }
        case .sessionEnd(let envelope, let payload): endByServer(envelope, payload, at: now)
        case .userMessage(let envelope, let payload): processEcho(envelope, payload, at: now)
        case .agentMessage, .agentMessageChunk, .liveAgentMessage: processWords(event, at: now)
        case .agentJoined, .liveAgentJoined:
            finishStream()
            notify(event)
            apply(session.setWorthResuming(true), at: now)
        case .agentLeft, .agentTriggeredHandoff, .clientHandoffRequired:
            finishStream()
            notify(event)
        case .liveAgentLeft:
            notify(event)
            apply(session.setWorthResuming(false), at: now)
        case .systemMessage(_, let payload):
            notify(event)
            if recovery.heard(payload.message, level: payload.level, at: now) {
                log(.warn, "the server lost the conversation; asking the agent to join again")
            }
        default: notify(event)
        }
    }

    mutating func processEcho(
        _ envelope: Envelope, _ payload: UserMessageEchoPayload, at now: Instant
    ) {
        apply(session.touch(at: now), at: now)
        let localID = envelope.metadata?.custom?["local_id"]
        if let draftID = delivery.confirm(localID: localID, text: payload.text) {
            notify(.messageConfirmed(draftId: draftID, messageId: payload.messageId))
        } else {
            notify(.userMessage(envelope, payload))
        }
    }

    private mutating func processWords(_ event: MessagingEvent, at now: Instant) {
        apply(session.touch(at: now), at: now)
        recovery.agentSpoke()
        switch event {
        case .agentMessage(_, let payload):
            finishStream(unless: payload.messageId)
            notifyWhole(event, payload, at: now)
        case .agentMessageChunk(let envelope, let chunk):
            for event in stream.receive(envelope, chunk) {
                if case .agentMessage(_, let payload) = event {
                    notifyWhole(event, payload, at: now)
                } else {
                    notify(event)
                }
            }
        case .liveAgentMessage:
            finishStream()
            notify(event)
        default: break
        }
    }

    /// Reports a complete reply, and ends the session if the reply demands it.
    private mutating func notifyWhole(
        _ event: MessagingEvent, _ payload: AgentMessagePayload, at now: Instant
    ) {
        if !payload.isBlank { notify(event) }
        if payload.endConversation { endByAgent(at: now) }
    }

    mutating func finishStream(unless messageID: String? = nil) {
        for event in stream.finish(unless: messageID) {
            if case .agentMessage(_, let payload) = event, payload.isBlank { continue }
            notify(event)
        }
    }
}
