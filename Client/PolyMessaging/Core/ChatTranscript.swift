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

    /// Rows in the server's order: a draft that was confirmed after later rows follows those rows.
    package var messagesByArrival: [ChatMessage] {
        let rows = messages
        guard !confirmed.isEmpty else { return rows }
        let known = Set(rows.map(\.id))
        let moves = confirmed.filter { known.contains($0.draft) && known.contains($0.after) }
        let moved = Set(moves.map(\.draft))
        let drafts = Dictionary(
            rows.filter { moved.contains($0.id) }.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let below = Dictionary(grouping: moves) { $0.after }
        return rows.flatMap { row in
            (moved.contains(row.id) ? [] : [row]) + (below[row.id] ?? []).compactMap { drafts[$0.draft] }
        }
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
    /// Drafts confirmed after later rows, each with the last row at that time.
    private var confirmed: [(draft: UUID, after: UUID)] = []
    /// Events `messageChanged` and `messageReceipt`.
    package private(set) var changes: [MessagingEvent] = []
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
            for index in confirmed.indices where confirmed[index].after == message.id && place > 0 {
                confirmed[index].after = rows[place - 1].id
            }
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
        forgetChat()
    }

    // MARK: Updates of the client

    package mutating func apply(_ update: ClientUpdate, at now: Instant) {
        switch update {
        case .event(let event): apply(event, at: now)
        case .reply(let id, let text, let replyTo): addDraft(id, text, replyTo: replyTo, at: now)
        case .status(let status): apply(status)
        case .sessionState(let state): if state.isTerminal { end() }
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
        rows.removeAll { $0.delivery != .pending }
        forgetChat()
    }

    private mutating func forgetChat() {
        shownIDs = []
        changes = []
        confirmed = []
        growing = nil
        streamed = []
        hasStarted = false
        hasEnded = false
        hasEndPill = false
        failureReason = nil
        agentAvatarUrl = nil
        poly = Agent()
        live = Agent()
        dots.hide()
    }

    private mutating func end() {
        hasEnded = true
        dots.hide()
    }

    private mutating func apply(_ event: MessagingEvent, at now: Instant) {
        switch event {
        case .sessionStart:
            hasStarted = true
            hasEnded = false
            failureReason = nil
        case .sessionEnd(let envelope, let payload): sessionEnded(envelope, reason: payload.reason)
        case .messagePending(let draftID, let text): addDraft(draftID, text, at: now)
        case .messageConfirmed(let draftID, let messageID): setDelivery(.sent, draftID, messageID)
        case .messageFailed(let draftID): setDelivery(.failed, draftID)
        case .userMessage(let envelope, let payload): addUserMessage(envelope, payload)
        case .messageChanged, .messageReceipt: changes.append(event)
        case .disconnected(.session(.sessionExpired)?):
            end()
            failureReason = .session(.sessionExpired)
        case .agentJoined, .agentThinking, .agentMessage, .agentMessageChunk, .agentLeft:
            applyAgent(event, at: now)
        case .liveAgentJoined, .liveAgentTyping, .liveAgentMessage, .liveAgentLeft:
            applyLiveAgent(event, at: now)
        default: applyPill(event)
        }
    }

    private mutating func applyAgent(_ event: MessagingEvent, at now: Instant) {
        switch event {
        case .agentJoined(_, let payload):
            poly = Agent(name: payload.agentName, avatarUrl: payload.avatarUrl)
            showAvatar(payload.avatarUrl)
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
        case .liveAgentLeft(let envelope, let payload):
            end()
            addEndPill(reason: payload.reason, envelope)
        default: break
        }
    }

    // MARK: Pills

    private mutating func applyPill(_ event: MessagingEvent) {
        guard let pill = SystemEvent(event), let envelope = event.envelope else { return }
        switch pill {
        case .idleWarning, .serverMessage, .handoffAccepted, .queueStatus: break
        default: dots.hide()
        }
        addPill(pill, envelope)
    }

    private mutating func addPill(_ event: SystemEvent, _ envelope: Envelope) {
        rows.append(
            .system(SystemMessage(id: UUID(from: &generator), event: event, timestamp: envelope.timestamp)))
    }

    private mutating func sessionEnded(_ envelope: Envelope, reason: String?) {
        end()
        if reason != "user_ended" { addEndPill(reason: reason, envelope) }
    }

    /// Adds the pill about the end once: LIVE_AGENT_LEFT and SESSION_END may both report it.
    private mutating func addEndPill(reason: String?, _ envelope: Envelope) {
        guard !hasEndPill else { return }
        hasEndPill = true
        addPill(.conversationEnded(reason: reason), envelope)
    }

    // MARK: Bubbles of the user

    private mutating func addDraft(_ id: String, _ text: String, replyTo: String? = nil, at now: Instant) {
        var message = UserMessage(
            id: UUID(from: &generator), text: text, timestamp: Date(nanosecondsSince1970: now.nanoseconds),
            delivery: .pending, draftId: id)
        message.replyTo = replyTo
        rows.append(.user(message))
    }

    private mutating func addUserMessage(_ envelope: Envelope, _ payload: UserMessageEchoPayload) {
        guard isNew(envelope) else { return }
        var message = UserMessage(
            id: UUID(from: &generator), text: payload.text, timestamp: envelope.timestamp, delivery: .sent,
            draftId: envelope.id)
        message.messageId = payload.messageId
        message.replyTo = envelope.metadata?.custom?["reply_to"]
        rows.append(.user(message))
    }

    private mutating func setDelivery(_ delivery: Delivery, _ draftID: String, _ messageID: String? = nil) {
        let place = rows.lastIndex { message in
            if case .user(let message) = message { message.draftId == draftID } else { false }
        }
        guard let place, case .user(var message) = rows[place] else { return }
        if delivery == .sent, message.delivery != .sent, let last = rows.last, last.id != message.id {
            confirmed.append((message.id, last.id))
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
                timestamp: envelope.timestamp)
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
                id: reply.id, messageId: parts.messageID, agentName: poly.name, agentKind: .poly,
                avatarUrl: poly.avatarUrl, text: text, timestamp: reply.timestamp,
                attachments: parts.attachments, suggestions: parts.suggestions, callActions: parts.callActions
            ))
        if !reply.isShown {
            rows.append(bubble)
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
            if case .agent(let message) = rows[place] { message.timestamp } else { nil }
        }
        if let stream { streamed[stream].row = id }
        let bubble = ChatMessage.agent(
            AgentMessage(
                id: id, messageId: payload.messageId,
                agentName: payload.agentName ?? poly.name, agentKind: .poly,
                avatarUrl: payload.avatarUrl ?? poly.avatarUrl, text: payload.text,
                timestamp: begun ?? (isProgressive ? reply?.timestamp : nil) ?? envelope.timestamp,
                attachments: payload.attachments,
                suggestions: payload.responseSuggestions, callActions: payload.chatCallActions))
        if let place {
            rows[place] = bubble
        } else {
            rows.append(bubble)
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
        rows.append(.agent(message))
    }

    private mutating func showAvatar(_ url: URL?) {
        if let url { agentAvatarUrl = url }
    }

    private mutating func isNew(_ envelope: Envelope) -> Bool {
        envelope.id.isEmpty || shownIDs.insert(envelope.id).inserted
    }
}
