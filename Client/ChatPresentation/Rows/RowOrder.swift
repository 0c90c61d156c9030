/// Order of the rows on a screen.
public enum RowOrder: Equatable, Sendable {
    /// The latest row is at the bottom.
    case conversation
    /// The latest row is at the top, as below an article.
    case comments
}

extension ChatModel {
    /// Returns the rows in an order. In comments, dividers and names are above the latest message of a day or group.
    public func rows(in order: RowOrder) -> [ChatRow] {
        guard order == .comments else { return rows }
        // `above` is the next later row. A divider above that row in a conversation is below it in comments, and so
        // above this row.
        var above: ChatRow?
        return rows.reversed().map { row in
            var shown = row
            shown.hasTimeDivider = above?.hasTimeDivider ?? true
            // New messages are above the divider.
            shown.hasUnreadDivider = above?.hasUnreadDivider ?? false
            switch row.position {
            case .first: shown.position = .last
            case .last: shown.position = .first
            case .single, .middle: break
            }
            above = row
            return shown
        }
    }
}
