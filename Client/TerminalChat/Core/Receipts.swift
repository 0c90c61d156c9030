import ChatPresentation

/// The farthest receipt of each message of the user. Receipts come early, late and twice.
struct Receipts: Sendable {
    /// The messages' ids by those of their drafts, and the reverse.
    private var messages: [String: String] = [:]
    private var drafts: [String: String] = [:]
    private var states: [String: RowMessage.Delivery] = [:]
    /// The ids of ``states``, oldest first.
    private var order: [String] = []

    /// The message of a draft arrived. Returns its receipt, if that came before.
    mutating func confirm(draftID: String, messageID: String) -> RowMessage.Delivery? {
        (messages[draftID], drafts[messageID]) = (messageID, draftID)
        return states[messageID]
    }

    /// Returns the draft of the message, if the receipt is its farthest one; nil for unknown messages, too.
    mutating func take(_ state: RowMessage.Delivery, messageID: String) -> String? {
        let isNews = state == .read ? states[messageID] != .read : states[messageID] == nil
        guard isNews, state == .read || state == .delivered else { return nil }
        if states.updateValue(state, forKey: messageID) == nil {
            order.append(messageID)
            if order.count > TerminalLimits.keptReceipts { states[order.removeFirst()] = nil }
        }
        return drafts[messageID]
    }

    func state(ofDraft id: String) -> RowMessage.Delivery? { messages[id].flatMap { states[$0] } }
}
