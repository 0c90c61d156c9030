import ChatPresentation
import Clocks
import PolyMessaging

/// Converter of client updates to ``ChatLine``s.
struct FactReader: Sendable {
    private(set) var sessionID: String?
    private(set) var status = ConnectionStatus.idle
    private(set) var hasStarted = false
    private(set) var hasEnded = false
    private(set) var pending: [String: String] = [:]
    private var receipts = Receipts()
    /// Whether the agent is typing, or a message is being streamed.
    private(set) var isBusy = false
    private var typist: String?
    private var poly: String?
    private var live: String?
    private var spokenAt: Instant?

    mutating func read(_ update: ClientUpdate, at now: Instant) -> [ChatLine] {
        switch update {
        case .status(let status):
            guard status != self.status else { return [] }
            self.status = status
            if !status.isConnected { isBusy = false }
            var facts = [ChatLine.status(phase: ChatLine.phase(of: status), attempt: status.reconnectAttempt)]
            if case .failed(let reason?) = status { facts.append(.error(ChatFailure(reason))) }
            return facts
        case .sessionState(let state):
            guard state.isTerminal, !hasEnded else { return [] }
            hasEnded = true
            return [.ended(reason: state.status == .expired ? "expired" : nil)]
        case .sessionChanged(let id):
            sessionID = id
            hasEnded = false
            hasStarted = false
            isBusy = false
            (typist, poly, live) = (nil, nil, nil)
            return []
        case .event(let event): return read(event, at: now)
        case .reply(let draft, let text, _):
            return read(.messagePending(draftId: draft, text: text), at: now)
        }
    }

    mutating func read(_ receipt: RowMessage.Delivery, of messageID: String) -> [ChatLine] {
        guard let draft = receipts.take(receipt, messageID: messageID) else { return [] }
        return [.delivery(draftID: draft, state: receipt.rawValue, messageID: messageID, text: "")]
    }

    private mutating func read(_ event: MessagingEvent, at now: Instant) -> [ChatLine] {
        switch event {
        case .sessionStart(_, let payload):
            hasStarted = true
            hasEnded = false
            return [.session(id: sessionID ?? "", payload.capabilities)]
        case .sessionEnd(_, let payload):
            isBusy = false
            guard !hasEnded else { return [] }
            hasEnded = true
            return [.ended(reason: payload.reason)]
        case .messagePending(let draft, let text):
            pending[draft] = text
            spokenAt = now
            return [.user(draftID: draft, text: text)]
        case .messageConfirmed(let draft, let message):
            let text = pending.removeValue(forKey: draft) ?? ""
            let early = receipts.confirm(draftID: draft, messageID: message)
            return (["sent"] + [early?.rawValue].compactMap { $0 }).map {
                .delivery(draftID: draft, state: $0, messageID: message, text: text)
            }
        case .messageFailed(let draft):
            let text = pending.removeValue(forKey: draft) ?? ""
            return [.delivery(draftID: draft, state: "failed", messageID: nil, text: text)]
        case .userMessage(let envelope, let payload):
            return [.user(draftID: envelope.id, text: payload.text)]
        case .agentJoined(_, let payload):
            poly = payload.agentName ?? poly
            return []
        case .agentThinking: return typing(true, poly)
        case .agentMessageChunk(_, let chunk):
            isBusy = !chunk.isComplete
            guard let text = chunk.text, !text.isEmpty else { return [] }
            return [.chunk(messageID: chunk.messageId, index: chunk.chunkIndex, text: text)]
        case .agentMessage(_, let payload):
            let reply = ChatLine.Reply(payload, by: poly, after: spokenAt.map { now - $0 })
            return typing(false, poly) + [.agent(reply)]
        case .liveAgentJoined(_, let payload): live = payload.agentName ?? live
        case .liveAgentTyping(_, let payload):
            return typing(payload.state == .started, payload.agentName ?? live)
        case .liveAgentMessage(_, let payload):
            let reply = ChatLine.Reply(payload, by: live, after: spokenAt.map { now - $0 })
            return typing(false, live) + [.agent(reply)]
        case .disconnected(let error?): return [.error(ChatFailure(error))]
        default: break
        }
        guard let notice = SystemEvent(event).map({ Notice($0) }) else { return [] }
        return typing(false, nil)
            + [.system(event: notice.event, text: notice.text, level: notice.level)]
    }

    private mutating func typing(_ isOn: Bool, _ who: String?) -> [ChatLine] {
        guard isBusy != isOn || (isOn && typist != who) else { return [] }
        isBusy = isOn
        typist = isOn ? who : nil
        return [.typing(isOn: isOn, who: who)]
    }
}
