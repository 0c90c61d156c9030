package import Clocks

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Reducer that turns updates of the client into the rows and flags of a chat screen. A "bubble" is the row of a
/// message; a "pill" is a system row.
///
/// | update | messages | flags |
/// | --- | --- | --- |
/// | messagePending, messageConfirmed, messageFailed | the bubble becomes pending, sent, failed | – |
/// | userMessage | a sent bubble, once for each id | – |
/// | messageChanged, messageReceipt | – (kept in ``changes``) | – |
/// | agentThinking, liveAgentTyping started | – | typing |
/// | chunk, if streamed replies are shown | one bubble grows | not typing |
/// | chunk, otherwise | – | typing until the reply is complete |
/// | agentMessage, liveAgentMessage | a new bubble, or the growing bubble is completed | not typing, avatar |
/// | queue status, handoff accepted, system message, idle warning | a pill | – |
/// | other handoff events | a pill | not typing |
/// | liveAgentJoined | a pill | not typing, avatar |
/// | agentJoined | – | avatar |
/// | liveAgentTyping stopped, agentLeft | – | not typing |
/// | sessionStart | – | started, not ended, no failure |
/// | sessionEnd | one pill, unless its reason is `user_ended` | ended, not typing |
/// | liveAgentLeft | the pill of sessionEnd, with the reason of this event | ended, not typing |
/// | a terminal session state | – | ended, not typing |
/// | status open | – | ready, no failure |
/// | status failed | – | failure, not typing |
/// | disconnected because the session expired | – | failure, ended, not typing |
/// | another session | only pending drafts remain | initial values, but ready is unchanged |
package struct ChatTranscript: Sendable {
    /// Rows, oldest first.
    package var messages: [ChatMessage] {
        guard growing?.isBehind == true else { return rows }
        var copy = self
        copy.render()
        return copy.rows
    }
    private var rows: [ChatMessage] = []

    /// One entry of a screen's history: a message, or an event with or without a pill.
    package enum Entry: Sendable {
        case message(ChatMessage)
        case event(MessagingEvent)
    }

    /// The history of a screen, in the order in which the server has it: a draft comes where it was confirmed, not where
    /// the user sent it, as in ``messages``. Without idle warnings that have ended.
    package var history: [Entry] {
        let shown = messages.filter { !endedWarnings.contains($0.id) }
        var entries = shown.map { row in
            (arrivals[row.id] ?? 0, pillEvents[row.id].map { Entry.event($0) } ?? .message(row))
        }
        entries += hiddenEvents.map { ($0.arrival, .event($0.event)) }
        return entries.sorted { $0.0 < $1.0 }.map(\.1)
    }
    package private(set) var connection = ConnectionStatus.idle
    package private(set) var agentAvatarUrl: URL?
    package private(set) var hasStarted = false
    package private(set) var hasEnded = false
    package private(set) var failureReason: PolyError?
    package var isReady: Bool { connection == .open }
    package var isAgentTyping: Bool { dots.areOn }

    private struct Growing: Sendable {
        var assembly: ChunkAssembly
        var id: UUID
        var timestamp: Date
        /// Name and avatar of the agent when the first chunk arrived.
        var agent: Agent
        var isShown = false
        var isBehind = false
    }

    private struct Agent: Sendable {
        var name: String?
        var avatarUrl: URL?
    }

    /// Whether streamed replies are shown before they are complete.
    package var isProgressive: Bool {
        didSet {
            guard isProgressive != oldValue else { return }
            dots.change(isShown: isProgressive)
            guard let reply = growing else { return }
            if isProgressive { return showGrowing() }
            rows.removeAll { $0.id == reply.id }
            growing?.isShown = false
            growing?.isBehind = false
        }
    }
    private var generator: SeededGenerator
    private var dots: TypingDots
    private var growing: Growing?
    /// Latest streamed replies, oldest first, with the row ids of complete replies.
    private var streamed: [(messageID: String, row: UUID?)] = []
    private var poly = Agent()
    private var live = Agent()
    package private(set) var hasSession = false
    private var shownIDs: Set<String> = []
    private var hasEndPill = false
    /// Positions in the history, by the ids of rows.
    private var arrivals: [UUID: Int] = [:]
    private var lastArrival = 0
    /// Row id of the latest idle warning. It moves to ``endedWarnings`` when the user sends something or the next
    /// warning comes.
    private var warning: UUID?
    private var endedWarnings: Set<UUID> = []
    /// Events `messageChanged` and `messageReceipt`.
    package private(set) var changes: [MessagingEvent] = []
    /// Events of pills, by the ids of their rows.
    private var pillEvents: [UUID: MessagingEvent] = [:]
    /// Events that have no row here but change a screen.
    private var hiddenEvents: [(arrival: Int, event: MessagingEvent)] = []
    /// Whether the session itself has ended. After a live agent has left, it may go on.
    package private(set) var isOver = false
    /// Number of times that a streamed reply was assembled. For tests.
    package private(set) var renderCount = 0
    package var growingAddress: UInt? { growing?.assembly.address }

    package init(
        isProgressive: Bool, typingTimeout: Interval = MessagingLimits.typingDots, generator: SeededGenerator
    ) {
        self.isProgressive = isProgressive
        self.generator = generator
        dots = TypingDots(timeout: typingTimeout)
    }

    package var agent: (name: String?, avatarUrl: URL?) { (poly.name, poly.avatarUrl) }
    package var liveAvatarUrl: URL? { live.avatarUrl }
    package var growingMessageID: String? {
        growing.flatMap { $0.assembly.isWhole ? nil : $0.assembly.messageID }
    }

    // MARK: Time

    package var nextDeadline: Instant? { dots.nextDeadline }

    package mutating func advance(to now: Instant) {
        dots.advance(to: now)
    }

    /// Time without a new event after which the typing indicator hides.
    package var typingTimeout: Interval {
        get { dots.timeout }
        set { dots.timeout = newValue }
    }

    // MARK: Changes by the app

    package mutating func removeMessage(draftID: String) {
        for place in rows.indices.reversed() {
            guard case .user(let message) = rows[place], message.draftId == draftID else { continue }
            rows.remove(at: place)
            arrivals[message.id] = nil
        }
    }

    /// Removes the suggestions from a bubble. `id` is the row's id, not the message id of the protocol.
    package mutating func clearSuggestions(of id: UUID) {
        render()
        guard let place = rows.lastIndex(where: { $0.id == id }),
            case .agent(var message) = rows[place]
        else { return }
        message.suggestions = []
        rows[place] = .agent(message)
    }

    package mutating func clearChat() {
        rows = []
        arrivals = [:]
        forgetChat()
    }

    // MARK: Updates of the client

    package mutating func apply(_ update: ClientUpdate, at now: Instant) {
        switch update {
        case .event(let event): apply(event, at: now)
        case .reply(let id, let text, let replyTo): addDraft(id, text, replyTo: replyTo, at: now)
        case .status(let status): apply(status)
        case .sessionState(let state): if state.isTerminal { end(isOver: true) }
        case .sessionChanged: changeSession()
        }
    }

    private mutating func apply(_ status: ConnectionStatus) {
        connection = status
        switch status {
        case .open: failureReason = nil
        case .failed(let reason):
            failureReason = reason
            dots.hide()
        default: break
        }
    }

    private mutating func changeSession() {
        defer { hasSession = true }
        guard hasSession else { return }
        // Pending drafts keep their rows, because they are sent in the new session.
        for row in rows where row.delivery != .pending { arrivals[row.id] = nil }
        rows.removeAll { $0.delivery != .pending }
        forgetChat()
    }

    private mutating func forgetChat() {
        shownIDs = []
        changes = []
        pillEvents = [:]
        hiddenEvents = []
        (warning, endedWarnings) = (nil, [])
        growing = nil
        streamed = []
        hasStarted = false
        hasEnded = false
        isOver = false
        hasEndPill = false
        failureReason = nil
        agentAvatarUrl = nil
        poly = Agent()
        live = Agent()
        dots.hide()
    }

    private mutating func end(isOver: Bool) {
        hasEnded = true
        self.isOver = self.isOver || isOver
        dots.hide()
    }

    private mutating func apply(_ event: MessagingEvent, at now: Instant) {
        switch event {
        case .sessionStart:
            hasStarted = true
            (hasEnded, isOver) = (false, false)
            failureReason = nil
        case .sessionEnd(_, let payload): sessionEnded(event, reason: payload.reason)
        case .messagePending(let draftID, let text): addDraft(draftID, text, at: now)
        case .messageConfirmed(let draftID, let messageID): setDelivery(.sent, draftID, messageID)
        case .messageFailed(let draftID): setDelivery(.failed, draftID)
        case .userMessage(let envelope, let payload): addUserMessage(envelope, payload)
        case .messageChanged, .messageReceipt: changes.append(event)
        case .disconnected(.session(.sessionExpired)?):
            end(isOver: true)
            failureReason = .session(.sessionExpired)
        case .agentJoined, .agentThinking, .agentMessage, .agentMessageChunk, .agentLeft:
            applyAgent(event, at: now)
        case .liveAgentJoined, .liveAgentTyping, .liveAgentMessage, .liveAgentLeft:
            applyLiveAgent(event, at: now)
        case .userEndSession, .languageChanged: hide(event)
        default: applyPill(event)
        }
    }

    private mutating func applyAgent(_ event: MessagingEvent, at now: Instant) {
        switch event {
        case .agentJoined(_, let payload):
            poly = Agent(name: payload.agentName, avatarUrl: payload.avatarUrl)
            showAvatar(payload.avatarUrl)
            live = Agent()
            hide(event)
        case .agentThinking: dots.show(at: now)
        case .agentMessageChunk(let envelope, let chunk): addChunk(envelope, chunk, at: now)
        case .agentMessage(let envelope, let payload): addReply(envelope, payload)
        case .agentLeft: dots.hide()
        default: break
        }
    }

    private mutating func applyLiveAgent(_ event: MessagingEvent, at now: Instant) {
        switch event {
        case .liveAgentJoined(_, let payload):
            live = Agent(name: payload.agentName, avatarUrl: payload.avatarUrl)
            showAvatar(payload.avatarUrl)
            applyPill(event)
        case .liveAgentTyping(_, let payload):
            switch payload.state {
            case .started: dots.show(at: now)
            case .stopped: dots.hide()
            }
        case .liveAgentMessage(let envelope, let payload): addLiveMessage(envelope, payload)
        case .liveAgentLeft(_, let payload):
            end(isOver: false)
            live = Agent()
            addEndPill(reason: payload.reason, event)
        default: break
        }
    }

    // MARK: Pills

    private mutating func applyPill(_ event: MessagingEvent) {
        guard let pill = SystemEvent(event) else { return }
        switch pill {
        case .idleWarning, .serverMessage, .handoffAccepted, .queueStatus: break
        default: dots.hide()
        }
        addPill(pill, event)
    }

    private mutating func addPill(_ pill: SystemEvent, _ event: MessagingEvent) {
        guard let envelope = event.envelope else { return }
        let id = UUID(from: &generator)
        append(.system(SystemMessage(id: id, event: pill, timestamp: envelope.timestamp)))
        pillEvents[id] = event
        guard pill == .idleWarning else { return }
        endWarning()
        warning = id
    }

    private mutating func hide(_ event: MessagingEvent) { hiddenEvents.append((nextArrival(), event)) }

    private mutating func append(_ row: ChatMessage) {
        rows.append(row)
        arrivals[row.id] = nextArrival()
    }

    private mutating func nextArrival() -> Int {
        lastArrival += 1
        return lastArrival
    }

    private mutating func endWarning() {
        if let warning { endedWarnings.insert(warning) }
        warning = nil
    }

    private mutating func sessionEnded(_ event: MessagingEvent, reason: String?) {
        end(isOver: true)
        live = Agent()
        if reason == "user_ended" { hide(event) } else { addEndPill(reason: reason, event) }
    }

    /// Adds the pill about the end once: LIVE_AGENT_LEFT and SESSION_END may both report it.
    private mutating func addEndPill(reason: String?, _ event: MessagingEvent) {
        guard !hasEndPill else { return hide(event) }
        hasEndPill = true
        addPill(.conversationEnded(reason: reason), event)
    }

    // MARK: Bubbles of the user

    private mutating func addDraft(_ id: String, _ text: String, replyTo: String? = nil, at now: Instant) {
        var message = UserMessage(
            id: UUID(from: &generator), text: text, timestamp: Date(nanosecondsSince1970: now.nanoseconds),
            delivery: .pending, draftId: id)
        message.replyTo = replyTo
        append(.user(message))
        endWarning()
    }

    private mutating func addUserMessage(_ envelope: Envelope, _ payload: UserMessageEchoPayload) {
        guard isNew(envelope) else { return }
        var message = UserMessage(
            id: UUID(from: &generator), text: payload.text, timestamp: envelope.timestamp, delivery: .sent,
            draftId: envelope.id)
        message.messageId = payload.messageId
        message.replyTo = envelope.metadata?.custom?["reply_to"]
        append(.user(message))
        endWarning()
    }

    private mutating func setDelivery(_ delivery: Delivery, _ draftID: String, _ messageID: String? = nil) {
        let place = rows.lastIndex { message in
            if case .user(let message) = message { message.draftId == draftID } else { false }
        }
        guard let place, case .user(var message) = rows[place] else { return }
        if delivery == .sent, message.delivery != .sent {
            arrivals[message.id] = nextArrival()
            endWarning()
        }
        message.delivery = delivery
        message.messageId = messageID ?? message.messageId
        rows[place] = .user(message)
    }

    // MARK: Bubbles of agents

    private mutating func addChunk(_ envelope: Envelope, _ chunk: AgentMessageChunkPayload, at now: Instant) {
        // A late chunk of an ended reply is ignored here: ``StreamCore`` handles it.
        guard noteStreamed(chunk.messageId) else { return }
        if chunk.isComplete { dots.hide() } else { dots.reply(isShown: isProgressive, at: now) }
        if growing?.assembly.messageID != chunk.messageId {
            render()
            growing = Growing(
                assembly: ChunkAssembly(messageID: chunk.messageId), id: UUID(from: &generator),
                timestamp: envelope.timestamp, agent: poly)
        }
        // Changed in place: a copy would duplicate all earlier chunks.
        guard growing?.assembly.add(chunk) == true else { return }
        if growing?.isShown == true {
            growing?.isBehind = true
        } else {
            showGrowing()
        }
    }

    /// Records the id of a chunk's reply. Returns whether the reply still grows.
    private mutating func noteStreamed(_ messageID: String) -> Bool {
        if let known = streamed.last(where: { $0.messageID == messageID }) {
            return known.row == nil && messageID == streamed.last?.messageID
        }
        streamed.append((messageID, nil))
        if streamed.count > MessagingLimits.maxEndedStreams + 1 { streamed.removeFirst() }
        return true
    }

    /// Updates the row of the streamed reply with the new chunks.
    package mutating func render() {
        if growing?.isBehind == true { showGrowing() }
    }

    /// Creates or updates the bubble of a non-empty streamed reply.
    private mutating func showGrowing() {
        guard isProgressive, growing?.assembly.isEmpty == false, let text = growing?.assembly.text(),
            let reply = growing
        else { return }
        growing?.isBehind = false
        growing?.isShown = true
        renderCount += 1
        let parts = reply.assembly
        let bubble = ChatMessage.agent(
            AgentMessage(
                id: reply.id, messageId: parts.messageID, agentName: reply.agent.name, agentKind: .poly,
                avatarUrl: reply.agent.avatarUrl, text: text, timestamp: reply.timestamp,
                attachments: parts.attachments, suggestions: parts.suggestions, callActions: parts.callActions
            ))
        if !reply.isShown {
            append(bubble)
        } else if let place = rows.lastIndex(where: { $0.id == reply.id }) {
            rows[place] = bubble
        }
    }

    private mutating func addReply(_ envelope: Envelope, _ payload: AgentMessagePayload) {
        dots.hide()
        showAvatar(payload.avatarUrl)
        if growing?.assembly.messageID != payload.messageId { render() }
        let reply = growing?.assembly.messageID == payload.messageId ? growing : nil
        if reply != nil { growing = nil }
        let stream = streamed.lastIndex { $0.messageID == payload.messageId }
        let row = reply?.id ?? stream.flatMap { streamed[$0].row }
        let place = row.flatMap { row in rows.lastIndex { $0.id == row } }
        guard place != nil || isNew(envelope) else { return }
        let id = row ?? UUID(from: &generator)
        let begun = place.flatMap { place in
            if case .agent(let message) = rows[place] { message } else { nil }
        }
        let agent = reply?.agent ?? begun.map { Agent(name: $0.agentName, avatarUrl: $0.avatarUrl) } ?? poly
        if let stream { streamed[stream].row = id }
        let bubble = ChatMessage.agent(
            AgentMessage(
                id: id, messageId: payload.messageId,
                agentName: payload.agentName ?? agent.name, agentKind: .poly,
                avatarUrl: payload.avatarUrl ?? agent.avatarUrl, text: payload.text,
                timestamp: begun?.timestamp ?? (isProgressive ? reply?.timestamp : nil) ?? envelope.timestamp,
                attachments: payload.attachments,
                suggestions: payload.responseSuggestions, callActions: payload.chatCallActions))
        if let place {
            rows[place] = bubble
        } else {
            append(bubble)
        }
    }

    private mutating func addLiveMessage(_ envelope: Envelope, _ payload: LiveAgentMessagePayload) {
        dots.hide()
        showAvatar(payload.avatarUrl)
        guard isNew(envelope) else { return }
        let message = AgentMessage(
            id: UUID(from: &generator), messageId: payload.messageId,
            agentName: payload.agentName ?? live.name, agentKind: .live,
            avatarUrl: payload.avatarUrl ?? live.avatarUrl, text: payload.text, timestamp: envelope.timestamp,
            attachments: payload.attachments, suggestions: payload.responseSuggestions,
            callActions: payload.chatCallActions)
        append(.agent(message))
    }

    private mutating func showAvatar(_ url: URL?) {
        if let url { agentAvatarUrl = url }
    }

    private mutating func isNew(_ envelope: Envelope) -> Bool {
        envelope.id.isEmpty || shownIDs.insert(envelope.id).inserted
    }
}
