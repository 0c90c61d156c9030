import ChatPresentation

/// Latest delivery states of the user's messages.
struct Receipts: Sendable {
    private var messages: [String: String] = [:]
    private var drafts: [String: String] = [:]
    private var states: [String: RowMessage.Delivery] = [:]
    private var order: [String] = []

    /// Records the message id of a draft. Returns its receipt, if already received.
    mutating func confirm(draftID: String, messageID: String) -> RowMessage.Delivery? {
        (messages[draftID], drafts[messageID]) = (messageID, draftID)
        return states[messageID]
    }

    /// Records a receipt. Returns the draft id of a known message whose state changes.
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
